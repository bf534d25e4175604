//! Objects from text (ISO 32000-2, 7.2 and 7.3).

use super::object::{Dictionary, Object};
use crate::error::PdfRefused;

/// How deep arrays and dictionaries may be within each other.
const DEEPEST: usize = 64;
/// How many values one object may have.
const MOST_VALUES: usize = 200_000;

/// A place in a text.
pub(crate) struct Parser<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
    values: usize,
}

type Parsed<T> = Result<T, PdfRefused>;

const MALFORMED: PdfRefused = PdfRefused::Damaged { what: "an object" };

impl<'a> Parser<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, values: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Goes over white space and comments.
    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let rest = self.rest();
                self.at += memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Goes over a word, if it is the next one.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        self.skip_space();
        let ends = |byte: Option<&u8>| byte.is_none_or(|&byte| is_space(byte) || is_delimiter(byte));
        let found = self.rest().starts_with(word.as_bytes()) && ends(self.rest().get(word.len()));
        if found {
            self.at += word.len();
        }
        found
    }

    /// An integer without a sign, if it is the next thing.
    pub(crate) fn natural(&mut self) -> Option<usize> {
        self.skip_space();
        let digits = self.rest().iter().take(12).take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(self.rest().get(..digits)?).ok()?;
        let value = text.parse().ok()?;
        self.at += digits;
        Some(value)
    }

    /// The head of an indirect object: its number and generation.
    pub(crate) fn head(&mut self) -> Option<(usize, usize)> {
        let id = (self.natural()?, self.natural()?);
        self.word("obj").then_some(id)
    }

    /// Where the bytes of a stream begin, if the object goes on as one (7.3.8.1).
    pub(crate) fn stream(&mut self) -> Option<usize> {
        self.skip_space();
        let rest = self.rest().strip_prefix(b"stream")?;
        let line_end = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        (line_end > 0).then_some(self.at + b"stream".len() + line_end)
    }

    /// The next object.
    pub(crate) fn object(&mut self) -> Parsed<Object> {
        self.within(0)
    }

    /// The next object, which is a dictionary.
    pub(crate) fn dictionary(&mut self) -> Parsed<Dictionary> {
        if let Object::Dictionary(entries) = self.object()? { Ok(entries) } else { Err(MALFORMED) }
    }

    fn within(&mut self, depth: usize) -> Parsed<Object> {
        self.values += 1;
        if depth > DEEPEST {
            return Err(PdfRefused::TooDeep);
        }
        if self.values > MOST_VALUES {
            return Err(PdfRefused::TooManyObjects);
        }
        self.skip_space();
        match self.peek().ok_or(MALFORMED)? {
            b'/' => Ok(Object::Name(self.name())),
            b'(' => self.literal(),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                loop {
                    self.skip_space();
                    if self.peek() == Some(b']') {
                        self.at += 1;
                        return Ok(Object::Array(items));
                    }
                    items.push(self.within(depth + 1)?);
                }
            }
            b'<' if self.rest().starts_with(b"<<") => {
                self.at += 2;
                self.entries(depth)
            }
            b'<' => self.hexadecimal(),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
            _ if self.word("true") => Ok(Object::Boolean(true)),
            _ if self.word("false") => Ok(Object::Boolean(false)),
            _ if self.word("null") => Ok(Object::Null),
            _ => Err(MALFORMED),
        }
    }

    fn entries(&mut self, depth: usize) -> Parsed<Object> {
        let mut entries = Vec::new();
        loop {
            self.skip_space();
            if self.rest().starts_with(b">>") {
                self.at += 2;
                return Ok(Object::Dictionary(Dictionary(entries)));
            }
            if self.peek() != Some(b'/') {
                return Err(MALFORMED);
            }
            let name = self.name();
            entries.push((name, self.within(depth + 1)?));
        }
    }

    /// A name, with what is written as `#20` in it (7.3.5).
    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|&byte| !is_space(byte) && !is_delimiter(byte)) {
            self.at += 1;
            let escaped = self.rest().get(..2).and_then(|pair| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            });
            match escaped {
                Some(escaped) if byte == b'#' => {
                    self.at += 2;
                    name.push(escaped);
                }
                _ => name.push(byte),
            }
        }
        name
    }

    fn number(&mut self) -> Parsed<Object> {
        let length = self.rest().iter().take_while(|byte| b"0123456789+-.".contains(byte)).count();
        let text = self.rest().get(..length).unwrap_or_default();
        self.at += length;
        let Some(value) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i64>().ok()) else {
            return if length <= 64 { Ok(Object::Real(text.to_vec())) } else { Err(MALFORMED) };
        };
        // Two integers and an `R` are a reference.
        let here = self.at;
        if let (Ok(number), Some(generation)) = (u32::try_from(value), self.natural())
            && let Ok(generation) = u16::try_from(generation)
            && self.word("R")
        {
            return Ok(Object::Reference((number, generation)));
        }
        self.at = here;
        Ok(Object::Integer(value))
    }

    fn hexadecimal(&mut self) -> Parsed<Object> {
        self.at += 1;
        let mut digits = Vec::new();
        loop {
            match self.next().ok_or(MALFORMED)? {
                b'>' => break,
                byte if is_space(byte) => {}
                byte => digits.push(digit(byte).ok_or(MALFORMED)?),
            }
        }
        let bytes = digits.chunks(2).map(|pair| match pair {
            [high, low] => high << 4 | low,
            [high] => high << 4,
            _ => 0,
        });
        Ok(Object::Text(bytes.collect()))
    }

    /// A text in parentheses, with its escapes (7.3.4.2).
    fn literal(&mut self) -> Parsed<Object> {
        self.at += 1;
        let (mut text, mut open) = (Vec::new(), 1_usize);
        loop {
            let byte = self.next().ok_or(MALFORMED)?;
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Ok(Object::Text(text));
            }
            if byte != b'\\' {
                text.push(byte);
                continue;
            }
            match self.next().ok_or(MALFORMED)? {
                b'n' => text.push(b'\n'),
                b'r' => text.push(b'\r'),
                b't' => text.push(b'\t'),
                b'b' => text.push(8),
                b'f' => text.push(12),
                b'\n' => {}
                b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
                first @ b'0'..=b'7' => {
                    let mut code = first - b'0';
                    for _ in 0..2 {
                        let Some(next @ b'0'..=b'7') = self.peek() else { break };
                        self.at += 1;
                        code = code.wrapping_mul(8).wrapping_add(next - b'0');
                    }
                    text.push(code);
                }
                other => text.push(other),
            }
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    b"()<>[]{}/%".contains(&byte)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
