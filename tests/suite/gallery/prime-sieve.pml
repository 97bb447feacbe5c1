/*
 * title: A sieve made of processes
 * topic: Language features
 * level: 2
 * lesson: Processes and channels are created while the model runs, and channels
 *   are passed on like any other value. The first process sends the numbers
 *   from 2 to LIMIT down a chain. Every process in the chain keeps the first
 *   number that reaches it, which is a prime, starts the next process with a
 *   fresh channel, and passes on only what its prime does not divide. Whatever
 *   the order of steps, the primes come out right.
 * parameters: LIMIT=9 4..20 largest number to be sieved
 * parameters: ROOM=1 0..2 capacity of the channels
 * expect: safety holds
 * expect[ROOM=0]: safety holds
 * states: 2530
 * transitions: 6763
 * states[ROOM=0]: 850
 * transitions[ROOM=0]: 1990
 */

#ifndef LIMIT
#define LIMIT 9
#endif
#ifndef ROOM
#define ROOM 1
#endif

mtype = { number, stop };

byte latest = 1;                /* the largest prime found so far */

proctype Sieve(chan left)
{
  chan right = [ROOM] of { mtype, byte };
  byte prime, n;
  bool last = true;             /* is there no process after this one? */

  if
  :: left ? number(prime) ->
     assert(prime > latest);
     latest = prime;
     printf("%d is prime\n", prime)
  :: left ? stop(_) ->
     goto done
  fi;

  do
  :: left ? number(n) ->
     if
     :: n % prime == 0          /* not a prime: drop it */
     :: else ->
        if
        :: last ->
           run Sieve(right);
           last = false
        :: else
        fi;
        right ! number(n)
     fi
  :: left ? stop(_) ->
     if
     :: !last -> right ! stop(0)
     :: else
     fi;
     break
  od;
done:
  skip
}

init
{
  chan first = [ROOM] of { mtype, byte };
  byte n;

  run Sieve(first);
  for (n : 2 .. LIMIT) {
    first ! number(n)
  };
  first ! stop(0);

  (_nr_pr == 1);                /* all other processes have ended */
  for (n : latest + 1 .. LIMIT) {
    assert(n % 2 == 0 || n % 3 == 0)
  }
}
