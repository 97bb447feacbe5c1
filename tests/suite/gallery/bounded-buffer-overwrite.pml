/*
 * title: A bounded buffer that loses items
 * topic: Synchronisation
 * level: 2
 * lesson: Here a producer looks whether there is room, and only then locks the
 *   buffer. With one producer this works. With two, both may see the last free
 *   place before either has filled it; the second one then overwrites an item
 *   that nobody has read. Checking first and acting later, with the lock taken
 *   in between, is among the most common errors in concurrent programs. Set
 *   RECHECK to 1: the test is repeated under the lock, and all is well.
 * see: bounded-buffer
 * parameters: PRODUCERS=2 1..3 number of producers
 * parameters: SIZE=1 1..3 places in the buffer
 * parameters: RECHECK=0 0..1 1: test again under the lock
 * expect: safety violated assertion
 * expect[PRODUCERS=1]: safety holds
 * expect[RECHECK=1]: safety holds
 * states: 3922
 * transitions: 5697
 * states[PRODUCERS=1]: 71
 * transitions[PRODUCERS=1]: 84
 * states[RECHECK=1]: 1012
 * transitions[RECHECK=1]: 1539
 */

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef SIZE
#define SIZE 1
#endif
#ifndef RECHECK
#define RECHECK 0
#endif

#define NUMBERS (SIZE + 2)      /* items are numbered modulo this */

typedef Item {
  byte producer;
  byte number
}

Item buffer[SIZE];
byte head, tail;
byte count;                     /* items in the buffer, if all goes well */
bool locked;

inline lock()
{
  atomic { !locked -> locked = true }
}

inline unlock()
{
  locked = false
}

active [PRODUCERS] proctype Producer()
{
  byte number;

  do
  :: (count < SIZE);            /* room for one more? */
     lock();
     if
     :: RECHECK && count == SIZE -> skip        /* no longer: try again */
     :: else ->
        buffer[tail].producer = _pid;
        buffer[tail].number = number;
        tail = (tail + 1) % SIZE;
        count++;
        number = (number + 1) % NUMBERS
     fi;
     unlock()
  od
}

active proctype Consumer()
{
  byte expected[PRODUCERS];
  byte from;

  do
  :: (count > 0);
     lock();
     from = buffer[head].producer;
     assert(buffer[head].number == expected[from]);
     expected[from] = (expected[from] + 1) % NUMBERS;
     head = (head + 1) % SIZE;
     count--;
     from = 0;
     unlock()
  od
}
