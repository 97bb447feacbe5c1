//! From the words of the command line to submissions: files, links, folders, zip files.

use super::zipped::{self, Entry};
use promenade_assignment::{Assignment, Submission, limits};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Bytes of a zip file.
const ZIP_BYTES: u64 = 512 << 20;
/// Files below one folder.
const FILES: usize = 20_000;
/// Folders within each other.
const DEPTH: usize = 8;
/// What the names of files begin with, behind the student's, where a platform puts all into one
/// folder.
const MOODLE: &str = "_assignsubmission_file_";

/// The submissions, in the order of the words, and within them by name.
pub(super) fn collect(words: &[String], assignment: &Assignment) -> Vec<Submission> {
    let mut all = Vec::new();
    for word in words {
        let path = Path::new(word);
        if !path.exists() && (word.contains("#1") || word.starts_with("http")) {
            let label = format!("link {}", all.len() + 1);
            all.push(Submission::from_link(&label, word, assignment));
            continue;
        }
        let name = path.canonicalize().ok();
        let name = name.as_deref().unwrap_or(path).file_name();
        let label = name.map_or_else(|| word.clone(), |name| name.to_string_lossy().into_owned());
        if path.is_dir() {
            let mut files = Vec::new();
            walk(path, &mut Vec::new(), &mut files);
            all.extend(split(&label, files, assignment));
            continue;
        }
        match bounded(path, ZIP_BYTES) {
            Err(error) => all.push(unreadable(&label, &format!("cannot be read: {error}"))),
            Ok(bytes) if zipped::is_zip(&bytes) => match zipped::entries(&bytes, false) {
                Ok(entries) => all.extend(split(&label, entries, assignment)),
                Err(message) => all.push(unreadable(&label, &message)),
            },
            Ok(bytes) => {
                all.push(Submission::from_files(&label, &[(label.clone(), bytes)], assignment))
            }
        }
    }
    all
}

fn unreadable(label: &str, problem: &str) -> Submission {
    let problems = vec![problem.to_owned()];
    Submission { label: label.to_owned(), problems, ..Submission::default() }
}

/// Reads a file, one byte more than allowed at most.
fn bounded(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A device or a pipe may never end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other("it is too large"));
    }
    Ok(bytes)
}

/// Files of operating systems and version control, which nobody hands in.
pub(super) fn is_ignored(path: &[String]) -> bool {
    path.iter().any(|name| name.starts_with('.') || name == "__MACOSX")
}

/// All files below a folder; symbolic links are not followed.
fn walk(folder: &Path, path: &mut Vec<String>, files: &mut Vec<Entry>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        let bytes = Err("the folder cannot be read".to_owned());
        files.push(Entry { path: [path.as_slice(), &["?".to_owned()]].concat(), bytes });
        return;
    };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        path.push(entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type();
        if is_ignored(path) || files.len() >= FILES {
            path.pop();
            continue;
        }
        match kind {
            Ok(kind) if kind.is_dir() => {
                if path.len() < DEPTH {
                    walk(&entry.path(), path, files);
                }
            }
            Ok(kind) if kind.is_symlink() => {
                let bytes = Err("symbolic links are not followed".to_owned());
                files.push(Entry { path: path.clone(), bytes });
            }
            _ => {
                let zip = entry.path().extension().is_some_and(|it| it.eq_ignore_ascii_case("zip"));
                let most = if zip { ZIP_BYTES } else { limits::SUBMISSION_BYTES as u64 };
                let bytes =
                    bounded(&entry.path(), most).map_err(|it| format!("cannot be read: {it}"));
                files.push(Entry { path: path.clone(), bytes });
            }
        }
        path.pop();
    }
}

/// Files of one submission by their names.
#[derive(Default)]
struct Group {
    files: Vec<(String, Vec<u8>)>,
    problems: Vec<String>,
}

impl Group {
    fn add(&mut self, name: &str, bytes: Result<Vec<u8>, String>, nested: bool) {
        match bytes {
            Err(message) => self.problems.push(format!("`{name}`: {message}")),
            Ok(bytes) if zipped::is_zip(&bytes) && nested => {
                self.problems.push(format!("`{name}`: a zip file within a zip file is not opened"));
            }
            Ok(bytes) if zipped::is_zip(&bytes) => match zipped::entries(&bytes, true) {
                Ok(entries) => {
                    for entry in entries {
                        let name = entry.path.last().map_or("?", String::as_str).to_owned();
                        self.add(&name, entry.bytes, true);
                    }
                }
                Err(message) => self.problems.push(format!("`{name}`: {message}")),
            },
            Ok(bytes) => self.files.push((name.to_owned(), bytes)),
        }
    }

    fn submission(self, label: &str, assignment: &Assignment) -> Submission {
        let mut submission = if self.files.is_empty() && !self.problems.is_empty() {
            Submission { label: label.to_owned(), ..Submission::default() }
        } else {
            Submission::from_files(label, &self.files, assignment)
        };
        let most = 20usize.saturating_sub(submission.problems.len());
        submission.problems.extend(self.problems.into_iter().take(most));
        submission
    }
}

/// One submission if a file of the assignment lies at the top, else one per folder and file there.
fn split(label: &str, entries: Vec<Entry>, assignment: &Assignment) -> Vec<Submission> {
    let belongs = |name: &str| {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        assignment.starters().any(|file| file.name == name)
            || assignment.task(stem).is_some_and(|task| task.kind.has_answer())
            || name == promenade_assignment::ANSWERS
    };
    let single = entries.iter().any(|entry| match entry.path.as_slice() {
        [name] => belongs(name),
        _ => false,
    });
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for Entry { path, bytes } in entries {
        let Some(name) = path.last().cloned() else { continue };
        let (student, name) = if single {
            (label.to_owned(), name)
        } else if let Some((student, name)) = name.split_once(MOODLE).filter(|_| path.len() == 1) {
            (student.to_owned(), name.to_owned())
        } else if path.len() == 1 && bytes.is_ok() && !may_be_submission(&name) {
            continue;
        } else {
            (
                path[0].trim_end_matches('_').trim_end_matches("_assignsubmission_file").to_owned(),
                name,
            )
        };
        groups.entry(student).or_default().add(&name, bytes, false);
    }
    if groups.is_empty() {
        return vec![unreadable(label, "there is no submission in it")];
    }
    groups.into_iter().map(|(student, group)| group.submission(&student, assignment)).collect()
}

/// Files beside those of students, such as a list of marks, are left alone.
fn may_be_submission(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["pml", "md", "txt", "promela", "prom", "zip", "link"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
