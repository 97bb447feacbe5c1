//! All automation of the project: `cargo xtask help` lists the commands.

mod bench;
mod derive;
mod help;
mod lint;
mod npm_package;
mod places;
mod server;
mod setup;
mod shell;
mod site;
mod stages;
mod tidy;

use shell::{Outcome, say};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND [OPTIONS]

  serve     build the playground and serve it on this machine
              --port N      the port (8080)
              --base PATH   serve under this path, as a static host with folders would
              --release     the release build, as it is published
              --no-build    serve what is in dist/ as it is
              --folder DIR  serve another folder as it is
  test      run every check, and sum up
              --quick       test the development build of the page, which compiles faster
              --only STAGE  one of tidy, native, lint, wasm, browser
              FILTER        only tests whose names contain this
  build     make the release site in dist/, for any static host, and the npm package in pkg/
              --quick       the development build
  bench     measure Promenade and SPIN side by side, and write BENCHMARKS.md
              --repeat N      how often each run is repeated (3)
              --max-states N  leave out models with more states (3000000)
              --largest       also searches that fill 2 GiB, which take minutes each
              --reach         only how far stores get in 16, 64 and 256 MiB, up to a minute a run
              --formulas      only how long formulas are read in a tab
              --grading       only how long submissions are graded
              FILTER          only models whose names contain this
  derive    write what is made from the catalogue of options: types of the npm package, tables of the help
  fmt       format all Rust code
  lint      check the formatting, run clippy
  tidy      check the house rules: first lines, file lengths, crate layers
  setup     install what the other commands need, without doing anything else

Every command installs what it needs first and says what and why. Tools are kept in the folder that
PROMENADE_CACHE names, else in promenade/ in the user's cache folder.
PROMENADE_WASM=debian takes the wasm compiler from Debian's packages instead of rustup.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match command(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(failure);
            ExitCode::FAILURE
        }
    }
}

fn command(arguments: &[String]) -> Outcome {
    let Some((name, rest)) = arguments.split_first() else {
        print!("{HELP}");
        return Ok(());
    };
    if rest.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return Ok(());
    }
    let mut options = Options { rest: rest.to_vec() };
    match name.as_str() {
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        "serve" => serve(options),
        "test" => test(options),
        "build" => {
            let quick = options.flag("--quick");
            options.done()?;
            let kind = if quick { site::Kind::Quick } else { site::Kind::Release };
            let tools = setup::WebTools::ready()?;
            site::build(&tools, kind)?;
            npm_package::build(&tools, kind)
        }
        "bench" => bench(options),
        "derive" => options.done().and_then(|()| derive::write()),
        "fmt" => options.done().and_then(|()| lint::format()),
        "lint" => options.done().and_then(|()| lint::check()),
        "tidy" => options.done().and_then(|()| derive::check()).and_then(|()| tidy::check()),
        "setup" => {
            options.done()?;
            setup::everything()
        }
        other => Err(format!("no command `{other}`: `cargo xtask help` lists them")),
    }
}

fn serve(mut options: Options) -> Outcome {
    let port = options.value("--port")?.map_or(Ok(8080), |text| {
        text.parse::<u16>()
            .map_err(|_| format!("`{text}` is not a port: give a number below 65536"))
    })?;
    let base = server::base(&options.value("--base")?.unwrap_or_default());
    let kind = if options.flag("--release") { site::Kind::Release } else { site::Kind::Quick };
    let other = options.value("--folder")?.map(PathBuf::from);
    let build = !options.flag("--no-build") && other.is_none();
    options.done()?;
    let folder = other.unwrap_or_else(places::dist);
    // First of all, so that a port that is taken is known before minutes of building.
    let listener = server::listen(port)?;
    if build {
        site::build(&setup::WebTools::ready()?, kind)?;
    } else if !folder.join("index.html").is_file() {
        return Err(format!(
            "there is no site in {}: build one, or leave out --no-build and --folder",
            folder.display()
        ));
    }
    let site = server::Site::new(folder, base);
    if build && kind == site::Kind::Quick {
        say("this is the development build, larger and slower than the published one (--release)");
    }
    println!("Promenade is at {} (end with Ctrl-C)", server::address(&listener, &site)?);
    server::serve(&listener, site);
    Ok(())
}

fn test(mut options: Options) -> Outcome {
    let quick = options.flag("--quick");
    let only = options.value("--only")?;
    let filter = options.word();
    options.done()?;
    stages::all(&stages::Plan { quick, only, filter })
}

fn bench(mut options: Options) -> Outcome {
    let repeat = options.number("--repeat")?.unwrap_or(3).max(1) as usize;
    let max_states = options.number("--max-states")?.unwrap_or(3_000_000);
    let largest = options.flag("--largest");
    let reach = options.flag("--reach");
    let formulas = options.flag("--formulas");
    let grading = options.flag("--grading");
    let filter = options.word();
    options.done()?;
    bench::run(&bench::Plan { repeat, filter, max_states, largest, reach, formulas, grading })
}

/// The options of a command; each is taken out when it is read, and what is left is an error.
struct Options {
    rest: Vec<String>,
}

impl Options {
    fn flag(&mut self, name: &str) -> bool {
        let before = self.rest.len();
        self.rest.retain(|argument| argument != name);
        self.rest.len() < before
    }

    fn value(&mut self, name: &str) -> Outcome<Option<String>> {
        let with_equals = format!("{name}=");
        if let Some(at) = self.rest.iter().position(|argument| argument.starts_with(&with_equals)) {
            return Ok(Some(self.rest.remove(at).split_off(with_equals.len())));
        }
        let Some(at) = self.rest.iter().position(|argument| argument == name) else {
            return Ok(None);
        };
        if at + 1 >= self.rest.len() {
            return Err(format!("{name} needs a value: `cargo xtask help` shows which"));
        }
        let value = self.rest.remove(at + 1);
        self.rest.remove(at);
        Ok(Some(value))
    }

    fn number(&mut self, name: &str) -> Outcome<Option<u64>> {
        let Some(text) = self.value(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("{name} takes a number, not `{text}`"))
    }

    /// The first argument that is not an option.
    fn word(&mut self) -> Option<String> {
        let at = self.rest.iter().position(|argument| !argument.starts_with('-'))?;
        Some(self.rest.remove(at))
    }

    fn done(&self) -> Outcome {
        match self.rest.first() {
            None => Ok(()),
            Some(extra) => {
                Err(format!("`{extra}` is not an option here: `cargo xtask help` lists them"))
            }
        }
    }
}
