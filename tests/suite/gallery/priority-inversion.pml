/*
 * title: Priority inversion
 * topic: Synchronisation
 * level: 3
 * lesson: Three tasks on one processor. The important one and the unimportant
 *   one share a lock; the one in between never touches it. When the unimportant
 *   task holds the lock, the important one has to wait, which is fine, as long
 *   as the lock is soon given back. But the task in between may keep the
 *   processor as long as it likes, and so it delays the most important task of
 *   all. This reset a spacecraft on Mars in 1997. With INHERIT=1 a task that
 *   holds a lock runs with the importance of those who wait for it, and the
 *   formula holds. The clause 'provided' says when a process may take steps.
 * parameters: INHERIT=0 0..1 1: the holder of the lock inherits importance
 * expect: safety holds
 * expect: ltl exclusion holds
 * expect: ltl served fair violated
 * expect[INHERIT=1]: safety holds
 * expect[INHERIT=1]: ltl served fair holds
 * states: 16
 * transitions: 38
 * states[INHERIT=1]: 16
 * transitions[INHERIT=1]: 32
 */

#ifndef INHERIT
#define INHERIT 0
#endif

bool locked;
bool low_has_lock, high_has_lock;
bool high_waits;                /* the important task wants the lock   */
bool medium_busy;               /* the task in between has work to do  */

/* The important task is ready to run unless it is waiting for the lock. */
#define HIGH_READY  (high_has_lock || (high_waits && !locked))

/* With inheritance: the unimportant task holds what the important one needs. */
#define BOOSTED  (INHERIT && high_waits && low_has_lock)

active proctype High()
{
  do
  :: high_waits = true;
     atomic {
       !locked ->
       locked = true;
       high_has_lock = true;
       high_waits = false
     };
     skip;                              /* use what the lock protects */
     d_step {
       high_has_lock = false;
       locked = false
     }
  od
}

active proctype Medium() provided (!HIGH_READY && !BOOSTED)
{
  do
  :: medium_busy = true                 /* work, for as long as it likes */
  :: medium_busy = false                /* nothing to do */
  od
}

active proctype Low() provided (!HIGH_READY && (!medium_busy || BOOSTED))
{
  do
  :: atomic {
       !locked ->
       locked = true;
       low_has_lock = true
     };
     skip;                              /* use what the lock protects */
     d_step {
       low_has_lock = false;
       locked = false
     }
  od
}

ltl exclusion { [] !(high_has_lock && low_has_lock) }
ltl served { [] (high_waits -> <> high_has_lock) }
