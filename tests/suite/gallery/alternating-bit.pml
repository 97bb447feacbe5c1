/*
 * title: Alternating bit protocol over a lossy line
 * topic: Protocols
 * level: 2
 * lesson: Messages and acknowledgements may get lost. The sender repeats a
 *   message until it is acknowledged, and one extra bit tells the receiver
 *   whether a message is new or a repetition. The check shows that nothing is
 *   lost, doubled or overtaken. With USE_BIT=0 the receiver takes everything it
 *   gets: a lost acknowledgement then means that a message is delivered twice.
 *   The first formula fails, as the line may lose everything; the second one
 *   demands only what is fair: if messages and acknowledgements keep arriving,
 *   data keep being accepted.
 * see: sliding-window
 * parameters: USE_BIT=1 0..1 1: the receiver looks at the bit
 * expect: safety holds
 * expect: ltl delivers violated
 * expect: ltl delivers_if_fair holds
 * expect[USE_BIT=0]: safety violated assertion
 * states: 109
 * transitions: 131
 * states[USE_BIT=0]: 594
 * transitions[USE_BIT=0]: 715
 */

#ifndef USE_BIT
#define USE_BIT 1
#endif

#define DATA 3                          /* data are counted modulo this */

mtype = { msg, ack };

chan forward  = [1] of { mtype, byte, bit };
chan backward = [1] of { mtype, bit };

active proctype Sender()
{
  byte data;
  bit out, in;

  do
  :: if                                 /* send, and perhaps lose it */
     :: forward ! msg(data, out)
     :: skip
     fi;
     if
     :: backward ? ack(in) ->
acknowledged:
        if
        :: in == out ->                 /* go on to the next message */
           data = (data + 1) % DATA;
           out = 1 - out
        :: else                         /* an old one: repeat        */
        fi
     :: timeout                         /* nothing comes: repeat     */
     fi
  od
}

active proctype Receiver()
{
  byte data, expected;
  bit in, wanted;

end:
  do
  :: forward ? msg(data, in) ->
arrived:
     if
     :: in == wanted || !USE_BIT ->
delivered:
        assert(data == expected);
        expected = (expected + 1) % DATA;
        wanted = 1 - wanted
     :: else                            /* a repetition: drop it     */
     fi;
     if                                 /* acknowledge, and perhaps  */
     :: backward ! ack(in)              /* lose that, too            */
     :: skip
     fi
  od
}

ltl delivers { [] <> Receiver@delivered }

ltl delivers_if_fair {
  ([] <> Receiver@arrived && [] <> Sender@acknowledged) ->
    [] <> Receiver@delivered
}
