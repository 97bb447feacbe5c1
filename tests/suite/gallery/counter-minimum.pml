/*
 * title: How low can a counter go?
 * topic: First steps
 * level: 2
 * lesson: Two workers each add one ROUNDS times to a shared counter, reading
 *   and writing in separate steps. Everybody knows that updates can be lost, so
 *   the result need not be 2 * ROUNDS. But how small can it be? Most people
 *   guess ROUNDS. Assert that the result is larger than 2, and the checker
 *   shows a run that proves us wrong: a worker may keep an old copy over almost
 *   the whole run of the other. Raise MINIMUM to see other results, or lower it
 *   to 1: then the assertion holds, so 2 is the true minimum.
 * see: lost-update
 * parameters: ROUNDS=8 2..10 how often each worker adds one
 * parameters: MINIMUM=2 1..16 claim: the result is larger than this
 * expect: safety violated assertion
 * expect[ROUNDS=5]: safety violated assertion
 * expect[MINIMUM=1]: safety holds
 * states: 80884
 * transitions: 154032
 * states[ROUNDS=5]: 11665
 * transitions[ROUNDS=5]: 21606
 * states[MINIMUM=1]: 80884
 * transitions[MINIMUM=1]: 154032
 */

#ifndef ROUNDS
#define ROUNDS 8
#endif
#ifndef MINIMUM
#define MINIMUM 2
#endif

byte counter;

proctype Worker()
{
  byte copy, round;

  do
  :: round < ROUNDS ->
     copy = counter;
     counter = copy + 1;
     round++
  :: else -> break
  od
}

init
{
  atomic {
    run Worker();
    run Worker()
  };
  (_nr_pr == 1);                /* both workers have ended */
  assert(counter > MINIMUM)
}
