//! Prints random models, or asks SPIN how large they are: `random_models FIRST COUNT [spin]`.

use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::spin;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default| {
        arguments.get(i).and_then(|a: &String| a.parse::<u64>().ok()).unwrap_or(default)
    };
    let folder = std::env::temp_dir().join(format!("promenade-random-{}", std::process::id()));
    for seed in number(1, 0)..number(1, 0) + number(2, 1) {
        let text = random_model(seed, Features::ALL);
        if arguments.get(3).is_some_and(|a| a == "spin") {
            println!("{seed}: {:?}", spin::reference(&text, &folder));
        } else {
            println!("{text}");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}
