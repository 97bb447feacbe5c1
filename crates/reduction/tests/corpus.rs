//! The corpus: verdicts with reduction, and stored states beside SPIN's default reduction.

mod support;

use promenade_reduction::Preserve;
use promenade_testkit::{corpus::Corpus, spin};
use support::{Order, Run};

fn corpus() -> Option<Corpus> {
    match Corpus::find() {
        Ok(corpus) => Some(corpus),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

/// A number from the environment.
fn setting(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

#[test]
fn micro_models_keep_their_verdicts() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut full_states, mut states) = (0, 0, 0);
    for (set, file) in ["micro", "reports"]
        .into_iter()
        .flat_map(|set| corpus.files(set).into_iter().map(move |file| (set, file)))
    {
        let Ok(text) = corpus.text(set, &file) else { continue };
        let Some(model) = support::model(&text) else { continue };
        let full = Run::full(&model).search();
        if full.partial {
            continue;
        }
        models += 1;
        full_states += full.states;
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            for preserve in [Preserve::Deadlocks, Preserve::Safety, Preserve::Liveness] {
                let found = Run::reduced(&model, preserve, order).search();
                assert_eq!(full.blocked, found.blocked, "{file} {preserve:?} {order:?}");
                assert!(found.states <= full.states, "{file} {preserve:?} {order:?}");
                if preserve != Preserve::Deadlocks {
                    assert_eq!(full.kinds, found.kinds, "{file} {preserve:?} {order:?}");
                }
                if (preserve, order) == (Preserve::Safety, Order::DepthFirst) {
                    states += found.states;
                }
            }
        }
    }
    println!("{models} models, {full_states} states, reduced {states}");
    assert!(models > 100);
}

/// Stored states beside SPIN's with the same control points (`spin -a -o1 -o2 -o3`, `-DSAFETY`).
/// `PROMENADE_STATES` sets how large a model may be.
#[test]
fn about_as_few_states_as_spin() {
    let Some(corpus) = corpus() else { return };
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let limit = setting("PROMENADE_STATES", 9_000);
    let folder = std::env::temp_dir().join(format!("promenade-reduction-{}", std::process::id()));
    println!(
        "{:40}{:>9}{:>9}{:>9}{:>9}{:>8}",
        "model", "full", "spin", "depth", "breadth", "ratio"
    );
    let (mut sum, mut count) = (0.0, 0);
    let mut wrong = Vec::new();
    for set in ["beem", "spin-examples"] {
        for row in corpus.rows(set) {
            let size = row.stored.unwrap_or(u64::MAX) as usize;
            if row.way != "full" || row.status != "ok" || !(500..=limit).contains(&size) {
                continue;
            }
            let Ok(text) = corpus.text(set, &row.file) else { continue };
            let Some(model) = support::model(&text) else { continue };
            let Ok(spin::Answer::Counts(theirs)) = spin::reduced(&text, &folder) else { continue };
            let run = |run: Run<'_>| Run { limit: limit * 2, ..run }.search();
            let full = run(Run::full(&model));
            let depth = run(Run::reduced(&model, Preserve::Safety, Order::DepthFirst));
            let breadth = run(Run::reduced(&model, Preserve::Safety, Order::BreadthFirst));
            if full.partial || depth.partial || breadth.partial {
                continue;
            }
            for found in [&depth, &breadth] {
                if found.kinds != full.kinds || found.blocked != full.blocked {
                    wrong.push(row.name());
                }
            }
            let ratio = depth.states as f64 / theirs.stored as f64;
            sum += ratio.ln();
            count += 1;
            println!(
                "{:40}{:9}{:9}{:9}{:9}{ratio:8.2}",
                row.name(),
                full.states,
                theirs.stored,
                depth.states,
                breadth.states
            );
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    let mean = (sum / f64::from(count)).exp();
    println!("{count} models, geometric mean of ours to SPIN's {mean:.3}");
    assert!(wrong.is_empty(), "verdicts differ: {wrong:?}");
    assert!(count == 0 || mean <= 1.1, "{mean}");
}
