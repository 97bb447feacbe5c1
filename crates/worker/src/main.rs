//! The worker's program.

fn main() {
    promenade_worker::run();
}
