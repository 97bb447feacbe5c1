/*
 * title: Hyman's wrong algorithm
 * topic: Mutual exclusion
 * level: 2
 * lesson: Published in 1966 as a simplification of earlier solutions, and
 *   wrong. A process that does not have the turn waits until the other one
 *   shows no interest, and then takes the turn. Between these two steps the
 *   other one may come along, find that it has the turn, and enter. A few
 *   lines, read by many people, and still the error is easier to find by
 *   exhaustive search than by thinking.
 * see: dekker, peterson
 * expect: safety violated assertion
 * expect: ltl mutex violated
 * states: 96
 * transitions: 183
 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype Process()
{
  pid me = _pid;
  pid other = 1 - _pid;

  do
  :: wants[me] = true;
     do
     :: turn == me -> break
     :: else ->
        (!wants[other]);                 /* nobody there ... */
        turn = me                        /* ... so it is our turn? */
     od;
     inside++;
     assert(inside == 1);
     inside--;
     wants[me] = false
  od
}

ltl mutex { [] (inside <= 1) }
