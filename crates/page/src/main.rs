//! Starts the playground page.

fn main() {
    promenade_page::start();
}
