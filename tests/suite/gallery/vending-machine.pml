/*
 * title: A vending machine and its trace
 * topic: Language features
 * level: 2
 * lesson: A trace assertion describes the order of all sends and receives on
 *   some channels, and the check compares every run with it. Here: a coin, then
 *   a drink, for ever. The customer sometimes kicks the machine. With KICK=1
 *   the machine reacts by giving away a drink, the next event does not fit the
 *   trace, and the check stops there. Trace assertions need no extra variables
 *   and no changes in the processes.
 * parameters: KICK=0 0..1 1: a kick yields a free drink
 * expect: safety holds
 * expect[KICK=1]: safety violated trace
 * states: 7
 * transitions: 11
 * states[KICK=1]: 24
 * transitions[KICK=1]: 36
 */

#ifndef KICK
#define KICK 0
#endif

mtype = { coin, kick, tea, coffee };

chan slot = [0] of { mtype };           /* customer to machine */
chan tray = [1] of { mtype };           /* machine to customer */

active proctype Machine()
{
end:
  do
  :: slot ? coin ->
     if
     :: tray ! tea
     :: tray ! coffee
     fi
  :: slot ? kick ->
     if
     :: KICK -> tray ! tea
     :: else                    /* nothing happens */
     fi
  od
}

active proctype Customer()
{
  do
  :: slot ! coin;
     if
     :: tray ? tea
     :: tray ? coffee
     fi
  :: slot ! kick;
     do
     :: nempty(tray) -> tray ? _
     :: empty(tray) -> break
     od
  od
}

/* Between two drinks there is a coin. */
trace {
  do
  :: slot ? coin;
     if
     :: tray ! tea
     :: tray ! coffee
     fi
  :: slot ? kick
  od
}
