/*
 * title: Traffic lights at a crossing
 * topic: First steps
 * level: 1
 * lesson: A first exercise in temporal logic. The lights of the main road stay
 *   green until a car arrives on the side road; then they change, and change
 *   back. The formulas say: no crash (always), who waits gets green (always,
 *   eventually), green ends with yellow (weak until), the main road gets green
 *   again and again (always eventually). The last one, that a car on the main
 *   road never has to wait, is too much to ask for: read its counterexample.
 * expect: safety holds
 * expect: ltl no_crash holds
 * expect: ltl side_served fair holds
 * expect: ltl yellow_between holds
 * expect: ltl main_recurs violated
 * expect: ltl main_recurs fair holds
 * expect: ltl main_never_waits violated
 * states: 22
 * transitions: 45
 */

mtype:light = { green, yellow, red };

mtype:light main_road = green;
mtype:light side_road = red;

bool car_main;                  /* a car is waiting or about to pass */
bool car_side;

active proctype Controller()
{
  do
  :: car_side ->
     main_road = yellow;
     main_road = red;
     side_road = green;
     side_road = yellow;
     side_road = red;
     main_road = green
  od
}

/* Cars arrive at any time and leave when they see green. */
active proctype MainRoad()
{
  do
  :: car_main = true;
     atomic { main_road == green -> car_main = false }
  od
}

active proctype SideRoad()
{
  do
  :: car_side = true;
     atomic { side_road == green -> car_side = false }
  od
}

ltl no_crash { [] (main_road == red || side_road == red) }
ltl side_served { [] (car_side -> <> (side_road == green)) }
ltl yellow_between {
  [] (side_road == green -> ((side_road == green) W (side_road == yellow)))
}
ltl main_recurs { [] <> (main_road == green) }
ltl main_never_waits { [] (car_main -> main_road == green) }
