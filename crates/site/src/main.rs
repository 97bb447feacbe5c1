//! The site's program: the page in a window, the checker in a worker.
//!
//! It is one because the two share much, and a visitor loads and compiles it once: the page hands
//! its compiled module to the workers that it starts.
#![forbid(unsafe_code)]

fn main() {
    if web_sys::window().is_some() {
        promenade_page::start();
    } else {
        promenade_worker::run();
    }
}
