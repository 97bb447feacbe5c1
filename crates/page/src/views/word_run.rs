//! The run of an automaton over a word, or why there is none.

use crate::app::{Shared, Trial};
use crate::numbers::counted;
use leptos::prelude::*;
use promenade_protocol::{AutomatonData, AutomatonEdge, WordReport};

/// More steps of a run are not written out.
const MOST: usize = 60;

/// The run, written as a chain of states.
#[component]
pub fn Run(
    /// What is known of the word.
    trial: Memo<Option<Shared<Trial>>>,
) -> impl IntoView {
    move || {
        let trial = trial.get()?;
        let report = &trial.report;
        if report.reached.is_empty() {
            return None;
        }
        let content = match chain(&trial) {
            Some(chain) => view! {
                <p class="meaning">
                    "An accepting run of the formula's automaton; the small numbers are the positions that it reads, "
                    {acceptance(&report.automaton)} "."
                </p>
                {chain}
            }
            .into_any(),
            None => view! { <p>{why_not(report)}</p> }.into_any(),
        };
        Some(
            view! { <section class="word-run" aria-label="Run of the automaton"><h4>"Run"</h4>{content}</section> },
        )
    }
}

/// What is marked in a run.
fn acceptance(automaton: &AutomatonData) -> &'static str {
    match (automaton.state_based, automaton.sets) {
        (_, 0) => "and every run that goes on for ever is accepting",
        (true, _) => "and accepting states have a double frame",
        (false, 1) => "and ● is the mark that has to be seen again and again",
        (false, _) => "and ● with a number is a mark; each has to be seen again and again",
    }
}

/// Why a word has no accepting run.
fn why_not(report: &WordReport) -> String {
    let automaton = &report.automaton;
    if automaton.states.is_empty() {
        return "There is none: the automaton has no states, since no word satisfies the formula."
            .to_owned();
    }
    if report.endless {
        let wanted = match (automaton.state_based, automaton.sets) {
            (true, _) => "comes to an accepting state again and again",
            (false, 1) => "takes a marked edge again and again",
            (false, _) => "takes edges with each of the marks again and again",
        };
        return format!("There are runs that go on for ever, but none of them {wanted}.");
    }
    let ends: Vec<String> = report
        .stuck
        .iter()
        .enumerate()
        .flat_map(|(at, states)| {
            states.iter().map(move |state| format!("at position {} in state {state}", at + 1))
        })
        .collect();
    let more = ends.len().saturating_sub(4);
    let mut list = ends.into_iter().take(4).collect::<Vec<_>>().join(", ");
    if more > 0 {
        list.push_str(&format!(" and in {}", counted(more as u64, "other place", "other places")));
    }
    format!("Every run ends, because no edge can be taken: {list}.")
}

/// The steps of the accepting run.
fn chain(trial: &Trial) -> Option<impl IntoView + use<>> {
    let report = &trial.report;
    let (stem, cycle) = report.run.as_ref()?;
    let automaton = &report.automaton;
    let (once, again) = (trial.word.prefix.len(), trial.word.cycle.len().max(1));
    let reads = |step: usize| if step < once { step } else { once + (step - once) % again };
    let edge = |number: &u32| automaton.edges.get(*number as usize);
    let shown = |step: usize, edge: &AutomatonEdge| {
        view! { {arrow(automaton, edge, reads(step))} {state(automaton, edge.to)} }
    };
    let before: Vec<_> = stem
        .iter()
        .enumerate()
        .take(MOST)
        .filter_map(|(step, number)| Some(shown(step, edge(number)?)))
        .collect();
    let repeated: Vec<_> = cycle
        .iter()
        .enumerate()
        .take(MOST)
        .filter_map(|(index, number)| Some(shown(stem.len() + index, edge(number)?)))
        .collect();
    let left = |length: usize| {
        (length > MOST).then(|| {
            let more = counted((length - MOST) as u64, "more step", "more steps");
            view! { <span class="meaning">{format!("… {more}")}</span> }
        })
    };
    Some(view! {
        <p class="chain">
            {automaton.initial.map(|initial| state(automaton, initial))}
            {before}
            {left(stem.len())}
            <span class="word-cycle" title="repeats for ever">
                {repeated} {left(cycle.len())} <span role="img" aria-label="for ever">"↻"</span>
            </span>
        </p>
    })
}

fn state(automaton: &AutomatonData, number: u32) -> impl IntoView + use<> {
    let known = automaton.states.get(number as usize);
    let accepting = automaton.state_based && known.is_some_and(|it| it.accepting);
    let meaning = known.map(|it| it.meaning.clone()).filter(|it| !it.is_empty());
    view! { <span class="chain-state" class:accepting=accepting title=meaning>{number}</span> }
}

fn arrow(
    automaton: &AutomatonData,
    edge: &AutomatonEdge,
    position: usize,
) -> impl IntoView + use<> {
    let title = format!("reads position {}: {}", position + 1, edge.label);
    let marked = !automaton.state_based && !edge.marks.is_empty();
    let numbers = (automaton.sets > 1)
        .then(|| edge.marks.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
    let marks = marked.then(|| {
        view! { <span class="chain-mark">{format!("●{}", numbers.unwrap_or_default())}</span> }
    });
    view! { <span class="chain-arrow" title=title>"→" <sub>{position + 1}</sub> {marks}</span> }
}
