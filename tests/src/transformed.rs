//! Models that are transformed before a search, so that it stores fewer states: nothing else changes.

use crate::comparison::{base, check, is_conclusive, kinds};
use promenade_protocol::{
    Property, Proviso, Reduction, Report, Search, Settings, Store, Verdict, WriteOnly,
};

/// What transformations came to.
#[derive(Debug, Default)]
pub struct Totals {
    /// Models that were compared.
    pub models: u32,
    /// Of these, models that violate something.
    pub violated: u32,
    /// States of them as they stand.
    pub kept: u64,
    /// States of them transformed.
    pub without: u64,
    /// Models with fewer states.
    pub fewer: u32,
}

/// Checks the safety of a model as it stands, and transformed: alone by the
/// first settings in `transformed`, together with other transformations by the others. Verdicts,
/// kinds of violations and what is not reached are the same for every search, store and reduction,
/// and there are never more states. Models of `limit` states and more are left out.
///
/// # Panics
/// Panics at the first difference, and without settings.
pub fn compare(name: &str, text: &str, limit: u32, transformed: &[Settings], totals: &mut Totals) {
    let plain = Settings { state_limit: Some(limit), write_only: WriteOnly::Keep, ..base() };
    let kept = check(text, &Property::Safety, plain);
    assert!(kept.verdict != Verdict::InputError, "{:?}\n{text}", kept.diagnostics);
    if !is_conclusive(&kept) || kept.statistics.states_stored >= u64::from(limit) {
        assert!(!matches!(kept.verdict, Verdict::InternalError { .. }), "{}", kept.summary);
        return;
    }
    totals.models += 1;
    totals.violated += u32::from(kept.verdict == Verdict::Violated);
    let mut counted = None;
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        for (at, settings) in transformed.iter().enumerate() {
            for (reduction, proviso) in [
                (Reduction::None, Proviso::Automatic),
                (Reduction::AmpleSets, Proviso::Dynamic),
                (Reduction::AmpleSets, Proviso::Static),
            ] {
                let settings = Settings { search, reduction, proviso, ..settings.clone() };
                let report = check(text, &Property::Safety, settings.clone());
                let name = format!("{name}, {settings:?}\n{text}");
                assert_eq!(report.verdict, kept.verdict, "{name}: {}", report.summary);
                assert_eq!(kinds(&report), kinds(&kept), "{name}");
                let states = report.statistics.states_stored;
                assert!(states <= kept.statistics.states_stored, "{name}");
                if reduction == Reduction::None && !settings.merge {
                    // The same steps are executed, so as much of the text is reached.
                    let unreached = |report: &Report| format!("{:?}", report.unreached);
                    assert_eq!(unreached(&report), unreached(&kept), "{name}");
                }
                if reduction == Reduction::None && at == 0 {
                    assert_eq!(*counted.get_or_insert(states), states, "{name}");
                }
            }
        }
    }
    let states = counted.unwrap_or(0);
    totals.kept += kept.statistics.states_stored;
    totals.without += states;
    totals.fewer += u32::from(states < kept.statistics.states_stored);
    for store in Store::ALL.iter().copied() {
        let settings = Settings { store, ..transformed[0].clone() };
        let report = check(text, &Property::Safety, settings);
        let name = format!("{name}, {store:?}\n{text}");
        assert_eq!(kinds(&report), kinds(&kept), "{name}: {}", report.summary);
        assert_eq!(report.statistics.states_stored, states, "{name}");
    }
}
