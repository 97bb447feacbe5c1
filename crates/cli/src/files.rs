//! From a file's name to an experiment: the text with everything that it includes.

use crate::arguments::Request;
use promenade_protocol::{Experiment, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of all files together.
const MOST_BYTES: usize = 64 << 20;
const MOST_FILES: usize = 500;

/// Reads the files of a request; an error is a sentence for the user.
pub(crate) fn experiment(request: &Request) -> Result<Experiment, String> {
    Ok(Experiment {
        files: read(&request.file)?,
        property: request.property.clone(),
        settings: request.settings.clone(),
    })
}

/// Reads a file and what it includes. Bytes that are not UTF-8 are replaced.
pub(crate) fn read(name: &str) -> Result<Vec<File>, String> {
    let (bytes, folder) = if name == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(MOST_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("the standard input cannot be read: {error}"))?;
        (bytes, PathBuf::from("."))
    } else {
        let bytes =
            bounded(Path::new(name)).map_err(|error| format!("cannot read `{name}`: {error}"))?;
        if bytes.len() > MOST_BYTES {
            return Err(format!("`{name}` is larger than {} MiB", MOST_BYTES >> 20));
        }
        let folder = Path::new(name).parent().map_or_else(PathBuf::new, Path::to_path_buf);
        (bytes, folder)
    };
    let shown = if name == "-" { "stdin" } else { name };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut files = vec![File { name: shown.to_owned(), text }];
    let mut folders = vec![folder.clone()];
    let mut at = 0;
    // Files that are included are included only once here; the preprocessor decides how often.
    while let (Some(file), Some(beside)) = (files.get(at), folders.get(at)) {
        let beside = beside.clone();
        for wanted in includes(&file.text) {
            let total: usize = files.iter().map(|f| f.text.len()).sum();
            if files.iter().any(|f| f.name == wanted) {
                continue;
            }
            if files.len() >= MOST_FILES || total > MOST_BYTES {
                return Err("the model includes too much".to_owned());
            }
            // A file that is not there is reported at its #include, if that is ever reached.
            let places = [beside.join(&wanted), folder.join(&wanted)];
            let found = places.iter().find_map(|p| included(p).map(|bytes| (p, bytes)));
            if let Some((path, bytes)) = found {
                folders.push(path.parent().map_or_else(PathBuf::new, Path::to_path_buf));
                let text = String::from_utf8_lossy(&bytes).into_owned();
                files.push(File { name: wanted, text });
            }
        }
        at += 1;
    }
    Ok(files)
}

/// Names behind `#include`, in order.
fn includes(text: &str) -> Vec<String> {
    let name = |line: &str| -> Option<String> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start();
        let close = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        rest.get(1..)?.split_once(close).map(|(name, _)| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The whole text of a file that is no model.
pub(crate) fn text(name: &str) -> std::io::Result<String> {
    let bytes = bounded(Path::new(name))?;
    let wrong = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what);
    if bytes.len() > MOST_BYTES {
        return Err(wrong("it is too large"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not a text in UTF-8"))
}

/// The bytes of a file, one more than allowed at most.
fn bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An included file; devices and pipes, which may never end, are none.
fn included(path: &Path) -> Option<Vec<u8>> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    bounded(path).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn includes_are_found() {
        let text = "#include \"a.h\"\n  # include <b/c.h> // x\n#define include\n#includ \"d\"\n";
        assert_eq!(super::includes(text), ["a.h", "b/c.h"]);
    }
}
