/*
 * title: Dining philosophers, one of them left-handed
 * topic: Deadlock
 * level: 1
 * lesson: One philosopher takes the right fork first, and so everybody takes
 *   the fork with the smaller number before the one with the larger number. A
 *   circle of waiting would need somebody who holds a fork and waits for a
 *   smaller one, hence there is no deadlock. That is not the same as good
 *   manners: the formula 'eats' asks whether the first philosopher, once
 *   hungry, will eat. It fails even under weak fairness, since a neighbour may
 *   snatch the fork each time just before our philosopher reaches for it.
 * see: philosophers
 * parameters: N=5 2..7 number of philosophers
 * expect: safety holds
 * expect: ltl neighbours holds
 * expect: ltl eats fair violated
 * expect[N=3]: safety holds
 * states: 2118
 * transitions: 9026
 * states[N=3]: 118
 * transitions[N=3]: 308
 */

#ifndef N
#define N 5
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
  byte first = _pid;
  byte second = (_pid + 1) % N;

  if
  :: _pid == N - 1 ->           /* the left-handed one */
     first = 0;
     second = N - 1
  :: else
  fi;

hungry:                         /* each round of the loop starts here */
  do
  :: take(first);
     take(second);
eating:
     put(first);
     put(second)
  od
}

/* Neighbours never eat at the same time, for they share a fork. */
ltl neighbours { [] !(Philosopher[0]@eating && Philosopher[1]@eating) }

/* A hungry philosopher will eat at some time. */
ltl eats { [] (Philosopher[0]@hungry -> <> Philosopher[0]@eating) }
