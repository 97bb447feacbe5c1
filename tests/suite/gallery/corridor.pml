/*
 * title: Two polite people in a corridor
 * topic: First steps
 * level: 1
 * lesson: Two people meet in a corridor and both step aside, to the same side.
 *   So they step aside again, and again. Nobody is blocked, so there is no
 *   deadlock and the safety check finds nothing wrong. Still nothing useful
 *   happens: that is a livelock. It shows up as a violated liveness formula,
 *   and as a cycle without progress. Fairness does not help: both keep moving.
 * expect: safety holds
 * expect: ltl pass violated
 * expect: ltl pass fair violated
 * expect: progress violated
 * states: 68
 * transitions: 109
 */

#define SAME_SIDE  (side[0] == side[1])

bit side[2];            /* which side of the corridor each one is on */
bool passed[2];

active [2] proctype Person()
{
  pid me = _pid;

  do
  :: SAME_SIDE ->
     side[me] = 1 - side[me]            /* step aside */
  :: else ->
progress_passed:
     passed[me] = true;
     break
  od
}

/* In the end both get past each other. */
ltl pass { <> (passed[0] && passed[1]) }
