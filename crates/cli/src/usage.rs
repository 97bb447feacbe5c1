//! Choices that the checker refuses, told in the names of the command line.

use crate::arguments::{Names, Threads};
use promenade_protocol::options::{Values, refusals};
use promenade_protocol::{Report, SpanData};

/// Rewrites what the checker says about options: the refusal is the same, the names are others.
pub(crate) fn reword(report: &mut Report, threads: Threads) {
    let (property, settings) = (&report.experiment.property, &report.experiment.settings);
    let (subject, workers) = (property.subject(false), threads.workers());
    let all = refusals(&Values { settings, subject, workers });
    let names = Names::new(property, threads);
    for finding in report.diagnostics.iter_mut().filter(|it| it.span.file == SpanData::SETTINGS) {
        let Some(refusal) = all.iter().find(|it| it.code == finding.code) else { continue };
        finding.message = refusal.message(&names);
        finding.hint = Some(refusal.hint(&names));
        report.summary = format!("{}.", finding.message);
    }
}
