/*
 * title: After you! A deadlocking rendezvous
 * topic: First steps
 * level: 1
 * lesson: Two processes exchange a value over channels of capacity 0. Such a
 *   channel stores nothing: sender and receiver have to meet. Both want to send
 *   first, nobody is ready to receive, and the system stands still in its very
 *   first state. Set CAPACITY to 1, and the error seems to be gone: each
 *   message finds a place to wait in. A buffer did not repair the design, it
 *   only hides the fault as long as it is large enough.
 * parameters: CAPACITY=0 0..2 how many messages each channel can store
 * expect: safety violated invalid-end-state
 * expect[CAPACITY=1]: safety holds
 * states: 1
 * transitions: 1
 * states[CAPACITY=1]: 16
 * transitions[CAPACITY=1]: 23
 */

#ifndef CAPACITY
#define CAPACITY 0
#endif

mtype = { apple, pear };

chan to_left  = [CAPACITY] of { mtype };
chan to_right = [CAPACITY] of { mtype };

active proctype Left()
{
  mtype got;

  to_right ! apple;             /* waits for the right-hand process */
  to_left ? got;
  assert(got == pear)
}

active proctype Right()
{
  mtype got;

  to_left ! pear;               /* waits for the left-hand process */
  to_right ? got;
  assert(got == apple)
}
