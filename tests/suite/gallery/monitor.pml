/*
 * title: Monitor: 'if' or 'while' around wait?
 * topic: Synchronisation
 * level: 2
 * lesson: In most languages a thread that waits on a condition variable gives
 *   up the lock, is woken by a notification, and must then compete for the lock
 *   again. Meanwhile somebody else may have taken what it was waiting for. So
 *   the condition has to be tested again: 'while', not 'if'. In this model a
 *   producer fills a store, two consumers empty it; with AGAIN=0 a consumer
 *   trusts the notification and takes an item that is no longer there.
 * see: bounded-buffer
 * parameters: AGAIN=0 0..1 1: test the condition again after waking up
 * parameters: ITEMS=2 1..4 how many items are produced
 * expect: safety violated assertion
 * expect[AGAIN=1]: safety holds
 * states: 49211
 * transitions: 92275
 * states[AGAIN=1]: 702
 * transitions[AGAIN=1]: 1391
 */

#ifndef AGAIN
#define AGAIN 0
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

byte stored;            /* items in the store                          */
bool locked;            /* the lock of the monitor                     */
byte waiting;           /* threads that wait on the condition variable */
byte woken;             /* notifications not yet taken up              */

inline enter()
{
  atomic { !locked -> locked = true }
}

inline leave()
{
  locked = false
}

/* Give up the lock and sleep, in one step; then get the lock back. */
inline wait()
{
  atomic {
    locked = false;
    waiting++
  };
end_asleep:
  atomic { woken > 0 -> woken-- };
  enter()
}

inline notify()
{
  atomic {
    if
    :: waiting > 0 ->
       waiting--;
       woken++
    :: else             /* nobody waits: the notification is lost */
    fi
  }
}

active proctype Producer()
{
  byte made;

  for (made : 1 .. ITEMS) {
    enter();
    stored++;
    notify();
    leave()
  }
}

active [2] proctype Consumer()
{
  do
  :: enter();
     do
     :: stored == 0 ->
        wait();
        if
        :: AGAIN                /* 'while': back to the test */
        :: !AGAIN -> break      /* 'if': trust the notification */
        fi
     :: else -> break
     od;
     assert(stored > 0);
     stored--;
     leave()
  od
}
