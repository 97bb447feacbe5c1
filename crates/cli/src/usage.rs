//! Choices that the checker refuses, told in the words of the command line.

use crate::arguments::{Threads, words};
use promenade_protocol::{DiagnosticData, Fairness, Property, Report, Search, Settings, SpanData};

/// Rewrites what the checker says about settings, which it calls as the page does.
pub(crate) fn reword(report: &mut Report, threads: Threads) {
    let (property, settings) = (&report.experiment.property, &report.experiment.settings);
    for finding in report.diagnostics.iter_mut().filter(|it| it.span.file == SpanData::SETTINGS) {
        let Some((message, hint)) = told(finding, property, settings, threads) else { continue };
        finding.message = message;
        finding.hint = Some(hint.to_owned());
        report.summary = format!("{}.", finding.message);
    }
}

fn told(
    finding: &DiagnosticData,
    property: &Property,
    settings: &Settings,
    threads: Threads,
) -> Option<(String, &'static str)> {
    let store = format!("`--store {}`", words::STORES.word(settings.store));
    let searchers = match threads {
        Threads::Searchers(of) => format!("`--searchers {of}`"),
        _ => "`--searchers`".to_owned(),
    };
    let property = option(property);
    Some(match finding.code.as_str() {
        "store-and-property" => (
            format!("{store} does not go with `{property}`, a property of infinite runs"),
            "Such searches have to find states again: `--store exact` or `--store automatic`.",
        ),
        "store-and-search" => (
            format!(
                "{store} does not go with `--search {}`",
                words::SEARCHES.word(Search::BreadthFirst)
            ),
            "A state that was forgotten would be queued again and again: `--search dfs`, or another \
             store.",
        ),
        "search-and-fairness" => (
            format!(
                "`--algorithm {}` does not go with `--fairness {}`: it takes one acceptance set",
                words::ALGORITHMS.word(settings.emptiness),
                words::FAIRNESS.word(Fairness::Weak)
            ),
            "`--algorithm automatic` or `--algorithm generalised-nested-dfs`, or no fairness.",
        ),
        "team-and-property" => (
            format!("{searchers} does not go with `{property}`, a property of infinite runs"),
            "One thread, or `--swarm`, whose threads search alone.",
        ),
        "team-and-store" => (
            format!("{searchers} does not go with {store}: whole states are needed"),
            "`--store exact`, or `--swarm`, whose threads search alone.",
        ),
        _ => return None,
    })
}

/// The option that chooses a property.
fn option(property: &Property) -> &'static str {
    match property {
        Property::Safety => "safety",
        Property::Claim { .. } => "--claim",
        Property::Ltl { .. } => "--ltl",
        Property::Formula { .. } => "--formula",
        Property::Acceptance { .. } => "--acceptance",
        Property::Progress => "--progress",
    }
}
