//! Frames of HTTP/2, as a client writes them that keeps to no rule (RFC 9113).

/// What a client begins with.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PING: u8 = 6;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

pub(super) const END_STREAM: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

/// A frame.
pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
    let [_, length @ ..] = length;
    [&length, [kind, flags].as_slice(), &stream.to_be_bytes(), payload].concat()
}

/// The preface, with settings: pairs of identifier and value.
pub(super) fn opening(settings: &[(u16, u32)]) -> Vec<u8> {
    let payload: Vec<u8> = settings
        .iter()
        .flat_map(|(name, value)| [name.to_be_bytes().as_slice(), &value.to_be_bytes()].concat())
        .collect();
    [PREFACE, &frame(SETTINGS, 0, 0, &payload)].concat()
}

/// The head of a request without compression (RFC 7541): a GET, or a POST, of a path.
pub(super) fn head(method: &str, path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let mut block = vec![if method == "GET" { 0x82 } else { 0x83 }, 0x86];
    for (name, value) in [(":path", path), (":authority", "localhost")].iter().chain(more) {
        block.extend(header(name, value));
    }
    block
}

/// One field of a head.
pub(super) fn header(name: &str, value: &str) -> Vec<u8> {
    let mut block = vec![0];
    text(&mut block, name);
    text(&mut block, value);
    block
}

fn text(block: &mut Vec<u8>, text: &str) {
    // A prefix of seven bits, and what is beyond it.
    let length = text.len();
    if length < 127 {
        block.push(u8::try_from(length).expect("below 127"));
    } else {
        block.push(127);
        let mut rest = length - 127;
        while rest >= 128 {
            block.push(u8::try_from(rest % 128).expect("below 128") | 128);
            rest /= 128;
        }
        block.push(u8::try_from(rest).expect("below 128"));
    }
    block.extend_from_slice(text.as_bytes());
}

/// Requests on streams 1, 3, 5 and so on.
pub(super) fn requests(count: u32, block: &[u8]) -> Vec<u8> {
    (0..count).flat_map(|number| frame(HEADERS, END_HEADERS | END_STREAM, 2 * number + 1, block)).collect()
}

/// The answers to the pings among these bytes, which begin with a frame; what is left of them is an unfinished frame.
pub(super) fn pongs(bytes: &mut Vec<u8>) -> Vec<u8> {
    let mut answers = Vec::new();
    loop {
        let &[high, middle, low, kind, flags, ..] = bytes.as_slice() else { return answers };
        let whole = 9 + usize::from(high) * 65_536 + usize::from(middle) * 256 + usize::from(low);
        let Some(payload) = bytes.get(9..whole) else { return answers };
        if kind == PING && flags & ACK == 0 {
            answers.extend(frame(PING, ACK, 0, payload));
        }
        if kind == SETTINGS && flags & ACK == 0 {
            answers.extend(frame(SETTINGS, ACK, 0, &[]));
        }
        bytes.drain(..whole);
    }
}
