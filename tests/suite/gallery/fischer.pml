/*
 * title: Fischer's protocol in discrete time
 * topic: Mutual exclusion
 * level: 3
 * lesson: Mutual exclusion by waiting. A process that finds the lock free
 *   writes its own name into it within WRITE ticks, then waits WAIT ticks and
 *   enters if its name is still there. This is right if waiting takes longer
 *   than writing. Promela has no clocks, so a process Clock counts ticks down:
 *   a tick may not happen while some writer has used up its time. Try WAIT=1:
 *   waiting exactly as long as writing may take is not enough.
 * parameters: N=3 2..4 number of processes
 * parameters: WRITE=1 1..3 longest time, in ticks, between test and write
 * parameters: WAIT=2 1..4 time, in ticks, between write and second test
 * expect: safety holds
 * expect: ltl mutex holds
 * expect[N=2, WRITE=2, WAIT=3]: safety holds
 * expect[WAIT=1]: safety violated assertion
 * expect[WAIT=1]: ltl mutex violated
 * states: 495
 * transitions: 1477
 * states[N=2, WRITE=2, WAIT=3]: 110
 * transitions[N=2, WRITE=2, WAIT=3]: 259
 * states[WAIT=1]: 2067
 * transitions[WAIT=1]: 7453
 */

#ifndef N
#define N 3
#endif
#ifndef WRITE
#define WRITE 1
#endif
#ifndef WAIT
#define WAIT 2
#endif

#define NOBODY N

byte lock = NOBODY;     /* the name of the process that may enter         */
byte timer[N];          /* ticks left                                     */
bool writing[N];        /* writing[i]: i must write before its time is up */
byte inside;

hidden byte i;          /* loop counter of the clock, not part of a state */
hidden byte late;

active [N] proctype Process()
{
  do
  :: atomic {
       lock == NOBODY ->
       writing[_pid] = true;
       timer[_pid] = WRITE
     };
     atomic {                           /* some time later, but in time */
       lock = _pid;
       writing[_pid] = false;
       timer[_pid] = WAIT
     };
     (timer[_pid] == 0);                /* enough time has passed */
     if
     :: lock == _pid ->
        inside++;
        assert(inside == 1);
        inside--;
        lock = NOBODY
     :: else                            /* somebody was faster: try again */
     fi
  od
}

/* One tick for all processes at once, unless a writer is already at its limit.
   Then time stands still until that process has written. */
active proctype Clock()
{
  do
  :: d_step {
       late = false;
       for (i in timer) {
         if
         :: writing[i] && timer[i] == 0 -> late = true
         :: else
         fi
       };
       if
       :: late
       :: else ->
          for (i in timer) {
            if
            :: timer[i] > 0 -> timer[i]--
            :: else
            fi
          }
       fi;
       i = 0
     }
  od
}

ltl mutex { [] (inside <= 1) }
