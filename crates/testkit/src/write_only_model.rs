//! Random Promela texts with global variables that are only assigned, counted, printed, or used for others
//! of the kind, put into a model of another generator.

use promenade_base::random::Random;

/// What the variables are used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    /// No more than what SPIN leaves out of states too.
    AsSpin,
    /// Also what SPIN keeps: structures, messages, chains of variables.
    Chains,
    /// Also what may decide what happens after all: conditions, indices, divisors.
    Any,
}

const DECLARATIONS: &str = "typedef W { unsigned k : 2; bit f[2] };\n\
    unsigned wn : 2; bit wb; bool wl[3]; mtype = { one, two }; mtype wm; W wt;\n";

const AS_SPIN: [&str; 10] = [
    "wn++",
    "wn--",
    "wn = 3",
    "wb = 1",
    "wl[1] = true",
    "wl[g % 3] = (g == 1)",
    "wm = two",
    "printf(\"%d %d\", wn, wl[g % 3])",
    "printm(wm)",
    "wn = g; wb = (g + 1) / (g + 1)",
];

const CHAINS: [&str; 10] = [
    "wn = wn + 1",
    "wn = 1 + wn + wb",
    "wt.k++",
    "wt.f[g % 2] = wb",
    "wn = wt.k + wl[0]",
    "wt.k = (wb -> wn : 2)",
    "wl[2] = wb && wl[g % 3]",
    "wm = (wn == 2 -> one : two)",
    "wq!g; wq?wt.k",
    "wq!1; atomic { wq?wn; wt.k = wn }",
];

const ANY: [&str; 10] = [
    "wl[wn % 3] = true",
    "wb = 1 - wb",
    "wl[2] = wl[2] && wl[g % 3]",
    "wb = 1 / (wn + 1)",
    "wn = (wb -> wl[wt.k % 3] : 1)",
    "if :: wn > 2 -> g = 1 :: else fi",
    "wl[wt.k] = 1",
    "g = wb",
    "wq!wn; wq?wn",
    "assert(wt.k < 3)",
];

/// A model that declares a global `g`, with such statements at some places in its processes.
pub fn with_write_only(model: &str, seed: u64, uses: Uses) -> String {
    let mut random = Random::new(seed ^ 0x0077_726f);
    // A variable that is used for a few things is more often free of others.
    let most = match uses {
        Uses::AsSpin => AS_SPIN.len(),
        Uses::Chains => AS_SPIN.len() + CHAINS.len(),
        Uses::Any => AS_SPIN.len() + CHAINS.len() + ANY.len(),
    };
    let chosen: Vec<&str> = (0..1 + random.below(5))
        .map(|_| {
            let at = random.below(most);
            AS_SPIN.iter().chain(&CHAINS).chain(&ANY).nth(at).copied().unwrap_or("skip")
        })
        .collect();
    let mut text = DECLARATIONS.to_owned();
    if uses != Uses::AsSpin {
        text.push_str("chan wq = [3] of { byte };\n");
    }
    let mut inside: Vec<bool> = Vec::new();
    for line in model.lines() {
        text.push_str(line);
        text.push('\n');
        for (at, letter) in line.char_indices() {
            match letter {
                '{' => {
                    let d_step = line[..at].trim_end().ends_with("d_step");
                    inside.push(d_step || inside.last() == Some(&true));
                }
                '}' => _ = inside.pop(),
                _ => {}
            }
        }
        let statement = inside.last().is_some_and(|d_step| !d_step) && line.ends_with(';');
        if statement && random.chance(1, 2) {
            let chosen = chosen[random.below(chosen.len())];
            text.push_str(&format!("{chosen};\n"));
        }
    }
    text
}
