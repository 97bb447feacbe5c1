/*
 * title: Producers, consumer and a bounded buffer
 * topic: Synchronisation
 * level: 1
 * lesson: Producers put items into a circular buffer, a consumer takes them
 *   out. Two counting semaphores count the free and the used places, a third
 *   one protects the indices. Every item carries its producer and a running
 *   number, so that the consumer notices at once if an item is lost, repeated
 *   or overtaken. The order of the two waits matters: try to wait for the mutex
 *   first, and see how the system deadlocks.
 * see: bounded-buffer-overwrite, monitor
 * parameters: PRODUCERS=2 1..3 number of producers
 * parameters: SIZE=2 1..3 places in the buffer
 * expect: safety holds
 * expect[PRODUCERS=1, SIZE=3]: safety holds
 * states: 22630
 * transitions: 54847
 * states[PRODUCERS=1, SIZE=3]: 2460
 * transitions[PRODUCERS=1, SIZE=3]: 4386
 */

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

#define NUMBERS (SIZE + 2)      /* items are numbered modulo this */

typedef Item {
  byte producer;
  byte number
}

Item buffer[SIZE];
byte head;                      /* next place to take from */
byte tail;                      /* next place to put into  */

/* The semaphores: waiting is possible only while the value is positive. */
byte places = SIZE;
byte items = 0;
byte mutex = 1;

inline wait(semaphore)
{
  atomic { semaphore > 0 -> semaphore-- }
}

inline signal(semaphore)
{
  semaphore++
}

active [PRODUCERS] proctype Producer()
{
  byte number;

  do
  :: wait(places);
     wait(mutex);
     buffer[tail].producer = _pid;
     buffer[tail].number = number;
     tail = (tail + 1) % SIZE;
     signal(mutex);
     signal(items);
     number = (number + 1) % NUMBERS
  od
}

active proctype Consumer()
{
  byte expected[PRODUCERS];     /* the next number of each producer */
  byte from;

  do
  :: wait(items);
     wait(mutex);
     from = buffer[head].producer;
     assert(buffer[head].number == expected[from]);
     head = (head + 1) % SIZE;
     signal(mutex);
     signal(places);
     expected[from] = (expected[from] + 1) % NUMBERS;
     from = 0
  od
}
