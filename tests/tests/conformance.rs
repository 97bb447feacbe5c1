//! The project's conscience: our verdicts and counts against SPIN's, row by row.

use promenade_protocol::{Experiment, Report};
use promenade_testkit::corpus::{Corpus, Row};
use promenade_tests::exceptions::{EXCEPTIONS, reason};
use promenade_tests::row::{self, Content, Demand};
use promenade_tests::table::{self, Agreement, Line};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows above this many states are left out, unless `PROMENADE_FULL=1`.
const LARGEST: u64 = 1_000_000;

#[test]
fn counts_and_verdicts_are_spins() {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => return println!("conformance with SPIN: skipped, {why}"),
    };
    let mut rows = Vec::new();
    for set in ["micro", "reports", "spin-examples", "beem"] {
        rows.extend(corpus.rows(set));
    }
    let filter = std::env::var("PROMENADE_ROWS").unwrap_or_default();
    rows.retain(|row| row.name().contains(&filter));
    // Big ones first, so that both threads end together.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(rows[i].stored.unwrap_or(0)));
    let next = AtomicUsize::new(0);
    let lines = Mutex::new(vec![None; rows.len()]);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&i) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let line = compare(&corpus, &rows[i]);
                    lines.lock().unwrap()[i] = Some(line);
                }
            });
        }
    });
    let mut lines: Vec<Line> = lines.into_inner().unwrap().into_iter().flatten().collect();
    if filter.is_empty() {
        stale_exceptions(&mut lines);
    }
    let text = table::render(&lines);
    println!("{text}");
    if filter.is_empty() {
        table::write(&text).expect("tests/out is writable");
    }
    let different: Vec<&str> = lines
        .iter()
        .filter(|l| matches!(l.agreement, Agreement::Different(_)))
        .map(|l| l.name.as_str())
        .collect();
    assert!(different.is_empty(), "{} rows differ: {different:?}", different.len());
    let equal = lines.iter().filter(|l| l.agreement == Agreement::Equal).count();
    assert!(equal > 0, "nothing was compared");
}

fn compare(corpus: &Corpus, row: &Row) -> Line {
    let mut name = row.name();
    let flags = [&row.spin_flags, &row.compile_flags, &row.run_flags];
    let usual = ["-o1", "-o2", "-o3", "-DSAFETY", "-DNOREDUCE", "-c0"];
    for flag in flags.into_iter().flatten().filter(|f| !usual.contains(&f.as_str())) {
        name = format!("{name} {flag}");
    }
    if row.way.is_empty() && row.run_flags.is_empty() || row.way == "first" {
        name.push_str(" (first error)");
    }
    let left_out = |why: String| Line {
        name: name.clone(),
        ours: None,
        theirs: None,
        agreement: Agreement::LeftOut(why),
    };
    let demand = match row::demand(row) {
        Ok(demand) => demand,
        Err(why) => return left_out(why.to_owned()),
    };
    if row.stored.is_some_and(|n| n > LARGEST) && std::env::var_os("PROMENADE_FULL").is_none() {
        return left_out(format!("more than {LARGEST} states; PROMENADE_FULL=1 runs it"));
    }
    let theirs = row::expected(row, demand);
    let everything = Content { names: row.run_flags.clone(), ..Content::default() };
    let ours = match row::experiment(corpus, row, &everything) {
        Ok(experiment) => {
            let (_, summary) = promenade_service::parse(&experiment);
            let named = |kind: &str| {
                let of_kind = summary.symbols.iter().filter(|symbol| symbol.kind == kind);
                of_kind.map(|symbol| symbol.name.clone()).collect::<Vec<_>>()
            };
            let (claims, formulas) = (named("never"), named("ltl"));
            let names = claims.iter().chain(&formulas).cloned().collect();
            let content = Content { claims: !claims.is_empty(), formulas, names };
            match row::experiment(corpus, row, &content) {
                Ok(experiment) => row::ours(&check(experiment, demand), demand),
                Err(flag) => return left_out(format!("{flag} has no counterpart")),
            }
        }
        Err(flag) => return left_out(format!("{flag} has no counterpart")),
    };
    let agreement = match (ours == theirs, reason(&row.name())) {
        (true, _) => Agreement::Equal,
        (false, Some(why)) => Agreement::Exception(why),
        (false, None) => Agreement::Different(row.first_error.clone()),
    };
    Line { name, ours: Some(ours), theirs: Some(theirs), agreement }
}

fn check(experiment: Experiment, demand: Demand) -> Report {
    let mut experiment = experiment;
    if demand == Demand::Refusal {
        // Only the text matters; a model that we accept on purpose may be large.
        experiment.settings.state_limit = Some(10_000);
    }
    promenade_service::check(experiment)
}

/// A listed file all of whose rows are equal should leave the list.
fn stale_exceptions(lines: &mut Vec<Line>) {
    let used: BTreeSet<String> = lines
        .iter()
        .filter(|l| matches!(l.agreement, Agreement::Exception(_)))
        .filter_map(|l| l.name.split(' ').next().map(str::to_owned))
        .collect();
    for (name, _) in EXCEPTIONS {
        if !used.contains(*name) {
            lines.push(Line {
                name: (*name).to_owned(),
                ours: None,
                theirs: None,
                agreement: Agreement::Different("listed as an exception, but equal".to_owned()),
            });
        }
    }
}
