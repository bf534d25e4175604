//! Bodies as they are sent: JSON, or several parts with a file among them.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// A part: its name and what it holds.
pub(crate) type Part = (String, Vec<u8>);

/// A body and its media type. Routes that take a file get the members of an object as parts, so that tests which know
/// objects alone reach them too.
pub(crate) fn sent(path: &str, body: String) -> (String, Vec<u8>) {
    let takes_a_file = ["/import", "/imports", "/files", "/versions"].iter().any(|end| path.ends_with(end));
    // A data room also takes a file that the company has already.
    let takes_a_file = takes_a_file && !path.contains("/data-room/");
    let object = takes_a_file.then(|| serde_json::from_str::<Value>(&body).ok()).flatten();
    let Some(Value::Object(members)) = object else {
        return ("application/json".to_owned(), body.into_bytes());
    };
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut parts: Vec<_> =
        members.into_iter().map(|(name, value)| (name, text(value).into_bytes())).collect();
    // What is said of a file stands in front of it.
    parts.sort_by_key(|(name, _)| name == "file");
    joined(&parts)
}

/// Parts between boundaries that no other body has, and their media type.
pub(crate) fn joined(parts: &[Part]) -> (String, Vec<u8>) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let boundary = format!("boundary-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let mut body = Vec::new();
    for (name, content) in parts {
        let file = if name == "file" { "; filename=\"invoice.xml\"" } else { "" };
        let head = format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}
