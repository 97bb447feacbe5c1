//! Zip files as learning platforms export them. Nothing is written to disk, and what a hostile
//! archive can cost is bounded by what comes out of it, not by what it says about itself.

use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use std::collections::BTreeMap;

/// Entries of one archive.
const ENTRIES: usize = 20_000;
/// Bytes that one archive may unpack to altogether.
const TOTAL: u64 = 1 << 30;
/// Bytes that the files of one student may unpack to, so that a bomb takes no room from others.
const STUDENT: u64 = 16 << 20;
/// Folders within each other.
const DEPTH: usize = 20;

/// A file by its folders and its name, or what is wrong with it.
pub(super) struct Entry {
    /// Folders and name.
    pub path: Vec<String>,
    /// The bytes, or why there are none.
    pub bytes: Result<Vec<u8>, String>,
}

/// Whether bytes begin as a zip file does.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The files of an archive; an error says why it cannot be read. It is the export of a platform with
/// a folder or a file for each student, or `whole`, that of one student.
pub(super) fn entries(bytes: &[u8], whole: bool) -> Result<Vec<Entry>, String> {
    let unreadable = |error: rawzip::Error| format!("the zip file cannot be read: {error}");
    let archive = ZipArchive::from_slice(bytes).map_err(unreadable)?;
    let mut all = archive.entries();
    let mut left = TOTAL;
    let mut shares: BTreeMap<String, u64> = BTreeMap::new();
    let mut found = Vec::new();
    while let Some(header) = all.next_entry().map_err(unreadable)? {
        if found.len() >= ENTRIES {
            return Err(format!("the zip file has more than {ENTRIES} entries"));
        }
        if header.is_dir() {
            continue;
        }
        let path = header.file_path();
        let Some(path) = names(path.as_bytes()) else {
            let path = vec![format!("entry-{}", found.len() + 1)];
            found.push(Entry { path, bytes: Err("its name leads out of the zip file".to_owned()) });
            continue;
        };
        if super::collect::is_ignored(&path) {
            continue;
        }
        if header.mode().is_symlink() {
            found.push(Entry { path, bytes: Err("symbolic links are not followed".to_owned()) });
            continue;
        }
        let student = if whole { "" } else { path.first().map_or("", String::as_str) };
        let share = shares.entry(student.to_owned()).or_insert(STUDENT);
        let unpacked = unpack(&archive, &header, left.min(*share));
        match &unpacked {
            Ok(bytes) => {
                *share -= bytes.len() as u64;
                left -= bytes.len() as u64;
            }
            // What was unpacked in vain takes of the student's share, too.
            Err(message) if *message == too_large() => *share = 0,
            Err(_) => *share -= *share / 4,
        }
        found.push(Entry { path, bytes: unpacked });
    }
    Ok(found)
}

fn too_large() -> String {
    "unpacks to more than is allowed".to_owned()
}

/// The bytes of an entry, at most so many. What the archive says about their number is not believed.
fn unpack(
    archive: &ZipSliceArchive<&[u8]>,
    header: &ZipFileHeaderRecord<'_>,
    most: u64,
) -> Result<Vec<u8>, String> {
    let broken = |error: rawzip::Error| format!("cannot be unpacked: {error}");
    let entry = archive.get_entry(header.wayfinder()).map_err(broken)?;
    let bytes = match header.compression_method() {
        CompressionMethod::Store if entry.data().len() as u64 > most => return Err(too_large()),
        CompressionMethod::Store => entry.data().to_vec(),
        CompressionMethod::Deflate => {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            decompress_to_vec_with_limit(entry.data(), most).map_err(|error| {
                match error.status {
                    TINFLStatus::HasMoreOutput => too_large(),
                    _ => "cannot be unpacked: it is damaged or encrypted".to_owned(),
                }
            })?
        }
        _ => return Err("is packed in a way that is not known here".to_owned()),
    };
    if rawzip::crc32(&bytes) != header.crc32() {
        return Err("cannot be unpacked: it is damaged or encrypted".to_owned());
    }
    Ok(bytes)
}

/// The names of a relative path that stays where it is.
fn names(path: &[u8]) -> Option<Vec<String>> {
    let path = String::from_utf8_lossy(path).replace('\\', "/");
    let inside = |name: &&str| !matches!(*name, "" | "." | "..") && !name.contains(['\0', ':']);
    let names: Vec<&str> = path.split('/').collect();
    let stays = names.len() <= DEPTH && names.iter().all(inside);
    stays.then(|| names.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(names(b"a/b.pml"), Some(vec!["a".to_owned(), "b.pml".to_owned()]));
        for path in ["../a", "a/../../b", "/etc/passwd", "C:\\a", "..\\a", "a//b", "", ".", "a\0b"]
        {
            assert_eq!(names(path.as_bytes()), None, "{path}");
        }
    }

    #[test]
    fn damaged_archives_are_refused() {
        assert!(entries(b"PK\x03\x04nothing", false).is_err());
        assert!(entries(b"", false).is_err());
        assert!(is_zip(b"PK\x03\x04") && !is_zip(b"byte x;"));
    }
}
