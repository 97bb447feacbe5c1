/*
 * title: Peterson with two lines swapped
 * topic: Mutual exclusion
 * level: 1
 * lesson: The same algorithm, but each process gives the turn away before it
 *   announces its wish. Both lines look harmless in either order, and tests
 *   will rarely notice the difference. The shortest counterexample is worth
 *   reading slowly: process A gives the turn away and pauses; B does the same,
 *   announces itself, sees nobody and walks in; then A announces itself, finds
 *   that the turn is its own, and walks in too.
 * see: peterson
 * expect: safety violated assertion
 * expect: ltl mutex violated
 * states: 98
 * transitions: 187
 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype Process()
{
  pid me = _pid;
  pid other = 1 - _pid;

  do
  :: turn = other;                       /* these two lines */
     wants[me] = true;                   /* are swapped     */
     (!wants[other] || turn == me);
     inside++;
     assert(inside == 1);
     inside--;
     wants[me] = false
  od
}

ltl mutex { [] (inside <= 1) }
