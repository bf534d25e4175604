//! Follows the framing of HTTP/1 requests to see heads that say their body's
//! length twice over.
//!
//! hyper drops `Content-Length` when a request has `Transfer-Encoding` too, so
//! no handler ever sees both; but a proxy in front may believe the other one,
//! and the two then disagree where the next request starts. RFC 9112, section
//! 6.1, lets a server refuse such a request, and this one does.

/// Where in the stream of requests the next byte stands.
#[derive(Debug)]
pub(super) struct Framing {
    phase: Phase,
    line: Vec<u8>,
    head: Head,
    longest: usize,
    heads: u64,
    ambiguous: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Head,
    Body(u64),
    ChunkSize,
    Chunk(u64),
    Trailers,
    /// HTTP/2, or something that hyper refuses: nothing to follow.
    Over,
}

#[derive(Debug, Default)]
struct Head {
    started: bool,
    size: usize,
    length: Option<u64>,
    has_length: bool,
    has_encoding: bool,
}

impl Framing {
    /// Follows heads of at most `longest` bytes.
    pub(super) fn new(longest: usize) -> Self {
        Self {
            phase: Phase::Head,
            line: Vec::new(),
            head: Head::default(),
            longest,
            heads: 0,
            ambiguous: false,
        }
    }

    /// Whether a head with both headers was seen.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Whether the first head is still incomplete.
    pub(super) fn awaits_first_head(&self) -> bool {
        self.heads == 0 && self.phase == Phase::Head
    }

    /// Takes bytes as they were read.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = match self.phase {
                Phase::Over => return,
                Phase::Body(left) => self.skip(bytes, left, Phase::Body, Phase::Head),
                Phase::Chunk(left) => self.skip(bytes, left, Phase::Chunk, Phase::ChunkSize),
                Phase::Head | Phase::ChunkSize | Phase::Trailers => self.take_line(bytes),
            };
        }
    }

    fn skip<'a>(&mut self, bytes: &'a [u8], left: u64, stay: fn(u64) -> Phase, next: Phase) -> &'a [u8] {
        let here = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let left = left - here as u64;
        self.phase = if left == 0 { next } else { stay(left) };
        bytes.get(here..).unwrap_or_default()
    }

    fn take_line<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (part, rest) = match end {
            Some(end) => (bytes.get(..end).unwrap_or_default(), bytes.get(end + 1..).unwrap_or_default()),
            None => (bytes, [].as_slice()),
        };
        self.line.extend_from_slice(part);
        self.head.size += part.len() + 1;
        if self.head.size > self.longest {
            self.phase = Phase::Over;
        } else if end.is_some() {
            let line = std::mem::take(&mut self.line);
            self.end_line(line.strip_suffix(b"\r").unwrap_or(&line));
        }
        rest
    }

    fn end_line(&mut self, line: &[u8]) {
        match self.phase {
            Phase::Head if line.is_empty() && self.head.started => self.end_head(),
            Phase::Head if line == b"PRI * HTTP/2.0" => self.phase = Phase::Over,
            Phase::Head if line.is_empty() => {}
            Phase::Head => self.head.read(line),
            Phase::ChunkSize => self.phase = self.chunk(line),
            Phase::Trailers if line.is_empty() => self.start_over(Phase::Head),
            Phase::Trailers | Phase::Body(_) | Phase::Chunk(_) | Phase::Over => {}
        }
    }

    fn end_head(&mut self) {
        self.heads += 1;
        let next = match (self.head.has_encoding, self.head.has_length, self.head.length) {
            (true, true, _) => {
                self.ambiguous = true;
                Phase::Over
            }
            (true, false, _) => Phase::ChunkSize,
            (false, true, None) => Phase::Over,
            (false, _, None | Some(0)) => Phase::Head,
            (false, _, Some(length)) => Phase::Body(length),
        };
        self.start_over(next);
    }

    fn chunk(&mut self, line: &[u8]) -> Phase {
        self.head.size = 0;
        let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        match std::str::from_utf8(size).ok().and_then(|text| u64::from_str_radix(text, 16).ok()) {
            Some(0) => Phase::Trailers,
            // The line break after the data belongs to the chunk.
            Some(size) => Phase::Chunk(size.saturating_add(2)),
            None => Phase::Over,
        }
    }

    fn start_over(&mut self, phase: Phase) {
        self.head = Head::default();
        self.phase = phase;
    }
}

impl Head {
    fn read(&mut self, line: &[u8]) {
        if !std::mem::replace(&mut self.started, true) {
            return;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        if name.eq_ignore_ascii_case(b"content-length") {
            let value = parts.next().unwrap_or_default().trim_ascii();
            self.has_length = true;
            self.length = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.has_encoding = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the text whole and byte by byte: where reads end must not matter.
    fn ambiguous(text: &str) -> bool {
        let mut whole = Framing::new(1024);
        whole.feed(text.as_bytes());
        let mut bytewise = Framing::new(1024);
        text.as_bytes().iter().for_each(|byte| bytewise.feed(&[*byte]));
        assert_eq!(whole.is_ambiguous(), bytewise.is_ambiguous());
        whole.is_ambiguous()
    }

    const LENGTH: &str = "POST / HTTP/1.1\r\nContent-Length: 60\r\n\r\n";

    #[test]
    fn both_headers_in_any_order_and_case_are_seen() {
        assert!(ambiguous("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"));
        assert!(ambiguous("POST / HTTP/1.1\r\nTRANSFER-encoding: chunked\r\ncontent-LENGTH: 3\r\n\r\n"));
        assert!(ambiguous("\r\nPOST / HTTP/1.1\nContent-Length: 3\nTransfer-Encoding: x\n\n"));
    }

    #[test]
    fn a_later_request_on_the_connection_is_seen_too() {
        let bad = "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert!(ambiguous(&format!("GET / HTTP/1.1\r\n\r\n{bad}")));
        assert!(ambiguous(&format!("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{{}}{bad}")));
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nA: b\r\n\r\n";
        assert!(ambiguous(&format!("{chunked}{bad}")));
    }

    #[test]
    fn what_stands_in_a_body_is_no_head() {
        let bad = "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: x\r\n\r\n";
        assert_eq!(bad.len(), 60);
        assert!(!ambiguous(&format!("{LENGTH}{bad}")));
        let chunk = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3c\r\n{bad}\r\n0\r\n\r\n");
        assert!(!ambiguous(&chunk));
        assert!(!ambiguous(&format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{bad}")));
    }
}
