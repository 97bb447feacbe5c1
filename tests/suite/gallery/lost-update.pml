/*
 * title: The lost update
 * topic: First steps
 * level: 1
 * lesson: Two workers add one to a shared counter. On most machines this takes
 *   two steps: read the old value, write the new one. If both read before
 *   either writes, one addition is lost. Step through the counterexample and
 *   watch the private copies. With ATOMIC set to 1 reading and writing become
 *   one indivisible step, and the assertion holds.
 * see: counter-minimum
 * parameters: ROUNDS=1 1..5 how often each worker adds one
 * parameters: ATOMIC=0 0..1 1: reading and writing are one step
 * expect: safety violated assertion
 * expect[ROUNDS=3]: safety violated assertion
 * expect[ATOMIC=1]: safety holds
 * expect[ATOMIC=1, ROUNDS=3]: safety holds
 * states: 142
 * transitions: 240
 * states[ROUNDS=3]: 2201
 * transitions[ROUNDS=3]: 3990
 * states[ATOMIC=1]: 89
 * transitions[ATOMIC=1]: 151
 * states[ATOMIC=1, ROUNDS=3]: 557
 * transitions[ATOMIC=1, ROUNDS=3]: 1012
 */

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef ATOMIC
#define ATOMIC 0
#endif

byte counter;
byte finished;

proctype Worker()
{
  byte copy, round;

  for (round : 1 .. ROUNDS) {
#if ATOMIC
    atomic {
      copy = counter;
      counter = copy + 1
    }
#else
    copy = counter;
    counter = copy + 1
#endif
  };
  finished++
}

init
{
  atomic {
    run Worker();
    run Worker()
  };
  (finished == 2);
  assert(counter == 2 * ROUNDS)
}
