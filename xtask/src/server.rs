//! A small static file server for `serve` and the browser tests.
//!
//! It does what a plain static host does, in any folder of the host: it compresses what it sends to
//! those who take that, and sends the page's own security policy as a header on every response, so
//! that a worker's script is under it too.

use crate::shell::Outcome;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Smaller files are sent as they are.
const LEAST_COMPRESSED: usize = 1024;

/// What to serve, and where.
pub struct Site {
    /// The folder with index.html.
    folder: PathBuf,
    /// The path under which it appears, with a slash at both ends.
    base: String,
    compressed: Mutex<HashMap<PathBuf, Compressed>>,
}

/// The time of the file, and its bytes with gzip.
type Compressed = (SystemTime, Arc<[u8]>);

impl Site {
    /// A folder with an index.html, under a path with a slash at both ends.
    pub fn new(folder: PathBuf, base: String) -> Self {
        Self { folder, base, compressed: Mutex::default() }
    }

    /// A file's bytes with gzip, compressed once for each version of the file.
    fn compressed(&self, file: &Path, body: &[u8]) -> std::io::Result<Arc<[u8]>> {
        let time = fs::metadata(file)?.modified()?;
        let mut all = self.compressed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = all.get(file).filter(|(of, _)| *of == time) {
            return Ok(Arc::clone(bytes));
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(body)?;
        let bytes: Arc<[u8]> = encoder.finish()?.into();
        all.insert(file.to_owned(), (time, Arc::clone(&bytes)));
        Ok(bytes)
    }
}

/// Takes a port of the local machine; 0 means any free one.
pub fn listen(port: u16) -> Outcome<TcpListener> {
    TcpListener::bind(("127.0.0.1", port)).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!(
                "port {port} is taken: end the program that uses it, or choose another with --port"
            )
        }
        _ => format!("cannot listen on port {port}: {error}; choose another with --port"),
    })
}

/// The address of the site.
pub fn address(listener: &TcpListener, site: &Site) -> Outcome<String> {
    let address = listener.local_addr().map_err(|error| format!("no local address: {error}"))?;
    Ok(format!("http://{address}{}", site.base))
}

/// Serves until the program ends.
pub fn serve(listener: &TcpListener, site: Site) {
    let site = Arc::new(site);
    for stream in listener.incoming().flatten() {
        let site = Arc::clone(&site);
        std::thread::spawn(move || {
            // A browser that closes a connection early is no reason to complain.
            let _ = answer(&stream, &site);
        });
    }
}

/// Makes `/some/path/` of what the user wrote.
pub fn base(text: &str) -> String {
    let inner = text.trim_matches('/');
    if inner.is_empty() { "/".into() } else { format!("/{inner}/") }
}

fn answer(stream: &TcpStream, site: &Site) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.set_nodelay(true)?;
    // No request that this server answers has a longer head.
    let mut reader = BufReader::new(stream.take(64 * 1024));
    loop {
        reader.get_mut().set_limit(64 * 1024);
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (mut keep, mut gzip) = (true, false);
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header)? == 0 {
                return Ok(());
            }
            let header = header.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if header == "connection: close" || header.starts_with("content-length:") {
                keep = false;
            }
            if let Some(codings) = header.strip_prefix("accept-encoding:") {
                gzip = takes_gzip(codings);
            }
        }
        let mut words = line.split_whitespace();
        let method = words.next().unwrap_or_default().to_owned();
        let target = words.next().unwrap_or_default();
        let response = match method.as_str() {
            "GET" | "HEAD" => find(site, target, gzip),
            _ => Response::text(405, "Method Not Allowed", "only GET and HEAD\n"),
        };
        keep &= response.status != 405;
        response.send(stream, site, method == "HEAD", keep)?;
        if !keep {
            return Ok(());
        }
    }
}

/// Whether an Accept-Encoding header, in small letters, allows gzip.
fn takes_gzip(codings: &str) -> bool {
    codings.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next() == Some("gzip");
        let weight = parts.find_map(|part| part.strip_prefix("q=")).unwrap_or("1");
        named && weight.parse().is_ok_and(|weight: f32| weight > 0.0)
    })
}

struct Response {
    status: u16,
    reason: &'static str,
    kind: &'static str,
    location: Option<String>,
    /// The body is compressed.
    gzip: bool,
    body: Arc<[u8]>,
}

impl Response {
    fn text(status: u16, reason: &'static str, text: &str) -> Self {
        let kind = "text/plain; charset=utf-8";
        Self { status, reason, kind, location: None, gzip: false, body: text.as_bytes().into() }
    }

    fn send(
        &self,
        mut out: &TcpStream,
        site: &Site,
        head: bool,
        keep: bool,
    ) -> std::io::Result<()> {
        let mut text = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             Vary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nConnection: {}\r\n",
            self.status,
            self.reason,
            self.kind,
            self.body.len(),
            if keep { "keep-alive" } else { "close" }
        );
        if self.gzip {
            text.push_str("Content-Encoding: gzip\r\n");
        }
        if let Some(location) = &self.location {
            text.push_str(&format!("Location: {location}\r\n"));
        }
        if let Some(policy) = policy(&site.folder) {
            text.push_str(&format!(
                "Content-Security-Policy: {policy}; frame-ancestors 'none'\r\n"
            ));
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        if !head {
            bytes.extend_from_slice(&self.body);
        }
        out.write_all(&bytes)
    }
}

/// The file that a request asks for, compressed if that is allowed and makes it smaller.
fn find(site: &Site, target: &str, gzip: bool) -> Response {
    let missing = || Response::text(404, "Not Found", "no such file\n");
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let Some(path) = decode(path) else {
        return Response::text(400, "Bad Request", "the address is not text\n");
    };
    if path.len() + 1 == site.base.len() && site.base.starts_with(&path) {
        let mut response = Response::text(308, "Permanent Redirect", "");
        response.location = Some(site.base.clone());
        return response;
    }
    let Some(inside) = path.strip_prefix(&site.base) else { return missing() };
    // Only plain names: nothing that leaves the folder, no hidden files, no Windows paths, and no
    // empty names, since a path that begins with a slash would replace the folder.
    let plain = |part: &str| !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    if !inside.split('/').all(plain) || inside.starts_with('/') || inside.contains("//") {
        return missing();
    }
    let mut file = site.folder.join(inside);
    if inside.is_empty() || inside.ends_with('/') {
        file.push("index.html");
    }
    let Ok(body) = fs::read(&file) else { return missing() };
    let smaller = (gzip && body.len() >= LEAST_COMPRESSED)
        .then(|| site.compressed(&file, &body).ok())
        .flatten()
        .filter(|bytes| bytes.len() < body.len());
    let gzip = smaller.is_some();
    let body = smaller.unwrap_or_else(|| body.into());
    Response { status: 200, reason: "OK", kind: kind(&file), location: None, gzip, body }
}

/// Undoes percent-encoding.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" | "pml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The policy in the page's meta element; there is one place where it is written.
fn policy(folder: &Path) -> Option<String> {
    let html = fs::read_to_string(folder.join("index.html")).ok()?;
    let element = html.split("<meta").find(|part| part.contains("Content-Security-Policy"))?;
    let value = element.split_once("content=\"")?.1.split_once('"')?.0;
    Some(value.trim().trim_end_matches(';').replace(['\r', '\n'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let name =
            format!("promenade-xtask-{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("sub")).unwrap();
        let meta = r#"<meta http-equiv="Content-Security-Policy" content="default-src 'none'">"#;
        fs::write(folder.join("index.html"), meta).unwrap();
        fs::write(folder.join("sub/a b.wasm"), b"\0asm").unwrap();
        fs::write(folder.join(".hidden"), "secret").unwrap();
        Site::new(folder, "/some/path/".into())
    }

    #[test]
    fn finds_files_under_the_base_only() {
        let site = site();
        assert_eq!(find(&site, "/some/path/", false).status, 200);
        assert_eq!(find(&site, "/some/path/?a=b", false).kind, "text/html; charset=utf-8");
        assert_eq!(find(&site, "/some/path", false).location.as_deref(), Some("/some/path/"));
        assert_eq!(find(&site, "/some/path/sub/a%20b.wasm", false).kind, "application/wasm");
        assert_eq!(find(&site, "/", false).status, 404);
        assert_eq!(find(&site, "/some/path/.hidden", false).status, 404);
        assert_eq!(find(&site, "/some/path/../path/index.html", false).status, 404);
        assert_eq!(find(&site, "/some/path/%2e%2e/index.html", false).status, 404);
        assert_eq!(find(&site, "/some/path//etc/passwd", false).status, 404);
        assert_eq!(find(&site, "/some/path/%ff", false).status, 400);
        fs::remove_dir_all(&site.folder).unwrap();
    }

    #[test]
    fn sends_the_policy_of_the_page() {
        let site = site();
        assert_eq!(policy(&site.folder).as_deref(), Some("default-src 'none'"));
        let folder = site.folder.clone();
        let listener = listen(0).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || serve(&listener, site));
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(b"GET /some/path/ HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        assert!(
            text.contains("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'")
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn compresses_for_those_who_take_it() {
        let site = site();
        let text = "the same line again and again\n".repeat(1000);
        let file = site.folder.join("sub/long.txt");
        let inflated = |response: &Response| {
            let mut text = String::new();
            flate2::read::GzDecoder::new(&*response.body).read_to_string(&mut text).unwrap();
            text
        };
        fs::write(&file, &text).unwrap();
        let plain = find(&site, "/some/path/sub/long.txt", false);
        assert!(!plain.gzip && *plain.body == *text.as_bytes());
        for _ in 0..2 {
            let small = find(&site, "/some/path/sub/long.txt", true);
            assert!(small.gzip && small.body.len() < text.len() / 10);
            assert_eq!(inflated(&small), text);
        }
        // What was compressed is that of the file as it is now.
        let other = text.replace("again", "once more");
        fs::write(&file, &other).unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options().append(true).open(&file).unwrap().set_modified(later).unwrap();
        assert_eq!(inflated(&find(&site, "/some/path/sub/long.txt", true)), other);
        assert!(!find(&site, "/some/path/sub/a%20b.wasm", true).gzip, "it is small");
        for (header, takes) in [
            (" gzip, deflate, br", true),
            ("br;q=1.0, gzip;q=0.8", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(takes_gzip(header), takes, "{header}");
        }
        fs::remove_dir_all(&site.folder).unwrap();
    }

    #[test]
    fn writes_a_base_with_slashes() {
        assert_eq!(base(""), "/");
        assert_eq!(base("/"), "/");
        assert_eq!(base("a/b"), "/a/b/");
        assert_eq!(base("/a/"), "/a/");
    }
}
