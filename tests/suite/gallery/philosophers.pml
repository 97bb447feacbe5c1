/*
 * title: Dining philosophers
 * topic: Deadlock
 * level: 1
 * lesson: Each philosopher needs the forks on both sides, and all take the left
 *   one first. Usually dinner goes on for ever; but if everybody has just taken
 *   the left fork, nobody will ever get a right one. The checker reports this
 *   as an invalid end state: no process can move, and none has reached its end.
 *   Search breadth-first for the shortest way into the trap, and compare it
 *   with what depth-first search finds.
 * see: philosophers-left-handed
 * parameters: N=4 2..7 number of philosophers
 * expect: safety violated invalid-end-state
 * expect[N=2]: safety violated invalid-end-state
 * states: 80
 * transitions: 213
 * states[N=2]: 8
 * transitions[N=2]: 11
 */

#ifndef N
#define N 4
#endif

bool taken[N];          /* taken[i]: fork i is in somebody's hand */

inline take(fork)
{
  atomic { !taken[fork] -> taken[fork] = true }
}

inline put(fork)
{
  taken[fork] = false
}

active [N] proctype Philosopher()
{
  byte left = _pid;
  byte right = (_pid + 1) % N;

  do
  :: /* think */
     take(left);
     take(right);
     /* eat */
     put(left);
     put(right)
  od
}
