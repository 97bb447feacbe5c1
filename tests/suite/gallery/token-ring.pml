/*
 * title: A ring that repairs itself
 * topic: Distributed algorithms
 * level: 3
 * lesson: Dijkstra's self-stabilising ring. Each machine holds a number below K
 *   and looks at its left-hand neighbour. Machine 0 may move if both numbers
 *   are equal, and then counts up; all others may move if the numbers differ,
 *   and then copy. A machine that may move has a token. Started with any
 *   numbers whatever, say after a disturbance, the ring ends up with exactly
 *   one token going round for ever. The formulas say: one token stays one
 *   token, and it comes to that sooner or later. With K=2 there are too few
 *   numbers, and some runs never settle.
 * parameters: K=4 2..5 how many numbers there are
 * expect: safety holds
 * expect: ltl stays holds
 * expect: ltl settles holds
 * expect[K=2]: safety holds
 * expect[K=2]: ltl settles violated
 * states: 257
 * transitions: 897
 * states[K=2]: 17
 * transitions[K=2]: 49
 */

#ifndef K
#define K 4
#endif

#define N 4                     /* machines in the ring */

byte number[N];
bool started;

#define TOKENS \
  ((number[0] == number[3]) + (number[1] != number[0]) + \
   (number[2] != number[1]) + (number[3] != number[2]))

proctype First()
{
  do
  :: atomic {
       number[0] == number[N - 1] ->
       number[0] = (number[0] + 1) % K
     }
  od
}

proctype Other(byte me)
{
  do
  :: atomic {
       number[me] != number[me - 1] ->
       number[me] = number[me - 1]
     }
  od
}

init
{
  byte i, any;

  atomic {
    for (i : 0 .. N - 1) {
      select (any : 0 .. K - 1);        /* any start whatever */
      number[i] = any
    };
    run First();
    for (i : 1 .. N - 1) {
      run Other(i)
    };
    any = 0;
    started = true
  }
}

ltl stays { [] (started && TOKENS == 1 -> [] (TOKENS == 1)) }
ltl settles { <> [] (TOKENS == 1) }
