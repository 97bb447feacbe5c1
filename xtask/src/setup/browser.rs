//! The browser for tests: Chromium or Chrome, and the chromedriver that belongs to it.

use crate::setup::apt;
use crate::shell::{Outcome, is_program, say, which};
use std::path::PathBuf;

/// A browser and its driver.
pub struct Browser {
    /// The browser's program.
    pub browser: PathBuf,
    /// The program that speaks WebDriver for it.
    pub driver: PathBuf,
}

/// Finds the browser, or installs Debian's.
pub fn ready() -> Outcome<Browser> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if !apt::may_install() {
        let missing = match find_browser() {
            None => "no Chromium or Chrome found: install one (Debian: `apt-get install chromium \
                     chromium-driver`), or set PROMENADE_CHROMIUM to its program"
                .to_owned(),
            Some(browser) => format!(
                "no chromedriver found for {}: install the one of the same version (Debian: \
                 `apt-get install chromium-driver`; else googlechromelabs.github.io/chrome-for-testing), \
                 or set CHROMEDRIVER to its program",
                browser.display()
            ),
        };
        return Err(format!("{missing}; then run this again"));
    }
    say("installing the Debian packages chromium and chromium-driver: tests run in a real browser");
    apt::install(&["chromium", "chromium-driver", "fonts-dejavu-core"])?;
    find().ok_or_else(|| {
        "chromium was installed but is not in PATH: set PROMENADE_CHROMIUM to its program".into()
    })
}

fn find() -> Option<Browser> {
    Some(Browser { browser: find_browser()?, driver: find_driver()? })
}

fn find_browser() -> Option<PathBuf> {
    let named = std::env::var_os("PROMENADE_CHROMIUM").map(PathBuf::from);
    let in_path =
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let elsewhere = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
    ];
    named
        .into_iter()
        .chain(in_path.iter().filter_map(|name| which(name)))
        .chain(elsewhere.iter().map(PathBuf::from))
        .find(|file| is_program(file))
}

fn find_driver() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMEDRIVER").map(PathBuf::from);
    named.into_iter().chain(which("chromedriver")).find(|file| is_program(file))
}
