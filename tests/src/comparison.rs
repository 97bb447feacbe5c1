//! Checks of small models whose reports are compared.

use promenade_protocol::{Experiment, File, Property, Report, Settings, Verdict};
use std::collections::BTreeSet;

/// Settings of such checks: all errors are looked for and kept.
pub fn base() -> Settings {
    Settings { all_errors: true, keep_violations: 1000, memory_mib: 16, ..Settings::default() }
}

/// A whole check of a text.
pub fn check(text: &str, property: &Property, settings: Settings) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property: property.clone(),
        settings,
    })
}

/// Kinds of violations that were found.
pub fn kinds(report: &Report) -> BTreeSet<&str> {
    report.violations.iter().map(|found| found.kind.as_str()).collect()
}

/// Whether the whole question was answered.
pub fn is_conclusive(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Holds | Verdict::Violated)
}
