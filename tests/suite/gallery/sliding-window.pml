/*
 * title: Sliding window protocol (go back N)
 * topic: Protocols
 * level: 3
 * lesson: The sender may have WINDOW messages under way before the first of
 *   them is acknowledged. Messages carry a sequence number modulo MODULUS, the
 *   receiver accepts them in order only, and acknowledges the number it expects
 *   next. After a loss the sender goes back and repeats the whole window. How
 *   many sequence numbers are needed? One more than the window is large. With
 *   MODULUS equal to WINDOW the receiver cannot tell a repeated window from a
 *   new one, and accepts old data as new.
 * see: alternating-bit
 * parameters: WINDOW=2 1..3 messages under way
 * parameters: MODULUS=3 2..4 number of sequence numbers
 * parameters: ITEMS=4 2..6 messages to deliver in all
 * expect: safety holds
 * expect: ltl in_time holds
 * expect[WINDOW=1, MODULUS=2]: safety holds
 * expect[WINDOW=2, MODULUS=2]: safety violated assertion
 * states: 6638
 * transitions: 16105
 * states[WINDOW=1, MODULUS=2]: 565
 * transitions[WINDOW=1, MODULUS=2]: 1236
 * states[WINDOW=2, MODULUS=2]: 13181
 * transitions[WINDOW=2, MODULUS=2]: 31837
 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 3
#endif
#ifndef ITEMS
#define ITEMS 4
#endif

/* Each channel loses messages, but keeps their order. */
chan data = [WINDOW] of { byte, byte };         /* sequence number, item */
chan acks = [1] of { byte };                    /* next number wanted    */

byte accepted;          /* how many items the receiver has accepted */

active proctype Sender()
{
  byte base;            /* oldest item without acknowledgement */
  byte next;            /* next item to send                   */
  byte number, i;

  do
  :: next < ITEMS && next < base + WINDOW ->
     if
     :: data ! next % MODULUS, next
     :: skip                                    /* lost */
     fi;
     next++
  :: acks ? number ->
     d_step {                     /* is this one of the window's numbers? */
       for (i : base + 1 .. next) {
         if
         :: i % MODULUS == number -> base = i
         :: else
         fi
       };
       i = 0;
       number = 0
     }
  :: next > base -> next = base                 /* impatient: go back */
  :: base == ITEMS -> break
  od
}

active proctype Receiver()
{
  byte number, item;

end:
  do
  :: atomic {
       data ? number, item ->
       if
       :: number == accepted % MODULUS && accepted < ITEMS ->
          assert(item == accepted);
          accepted++
       :: else
       fi;
       number = 0;
       item = 0
     };
     if
     :: acks ! accepted % MODULUS
     :: skip                                    /* lost */
     fi
  od
}

/* The receiver never gets ahead of what the sender has in its hands. */
ltl in_time { [] (accepted <= Sender:base + WINDOW) }
