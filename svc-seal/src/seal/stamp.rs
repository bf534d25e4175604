//! The seal itself: a dictionary of fixed form, found and read without reading the file as PDF.
//!
//! ```text
//! << /Type /SvcSeal /Version 1 /Key K /Original N /Digest <D> /Evidence [ A L ] /Gap [ B M ] /Length T /Code <C> >>
//! ```
//!
//! K is the id of the key; N and D are the length and the SHA-256 of the original document, which is the first N
//! bytes; the evidence is the L bytes from A; the digits of the platform signature are the M bytes from B, none without
//! one; T is the length of the file. All numbers have ten digits. C is HMAC-SHA-256 with the key over all bytes but
//! the digits of C and those of the platform signature. The last seal of a file is the one that counts: a sealed file
//! may be a document that is sealed again, unless it has a platform signature, which that would end.

use std::ops::Range;

use svc_core::trail::Digest;

const BEGIN: &str = "<< /Type /SvcSeal /Version 1 /Key ";
const END: &str = "> >>";
const DIGITS: usize = 10;

/// What a seal says, but for its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) key: u32,
    pub(crate) original: usize,
    pub(crate) digest: Digest,
    pub(crate) evidence: (usize, usize),
    pub(crate) gap: (usize, usize),
    pub(crate) length: usize,
}

impl Stamp {
    /// Its text, with zeros for the code.
    pub(crate) fn text(&self) -> Vec<u8> {
        let Self { key, original, digest, evidence, gap, length } = self;
        let text = format!(
            "{BEGIN}{key:010} /Original {original:010} /Digest <{digest}> /Evidence [ {:010} {:010} ] \
             /Gap [ {:010} {:010} ] /Length {length:010} /Code <{}{END}",
            evidence.0,
            evidence.1,
            gap.0,
            gap.1,
            Digest::NONE
        );
        text.into_bytes()
    }

    /// Where the digits of the code are, of a seal at this byte. All seals have the same length.
    pub(crate) fn code_at(at: usize) -> usize {
        let zero =
            Self { key: 0, original: 0, digest: Digest::NONE, evidence: (0, 0), gap: (0, 0), length: 0 };
        (at + zero.text().len()).saturating_sub(64 + END.len())
    }

    /// The last seal of a file: where it is, what it says, and its code.
    pub(crate) fn find(file: &[u8]) -> Option<(usize, Self, Digest)> {
        let at = memchr::memmem::rfind(file, BEGIN.as_bytes())?;
        let mut reader = Reader { rest: file.get(at..)? };
        reader.word(BEGIN)?;
        let key = u32::try_from(reader.number()?).ok()?;
        reader.word(" /Original ")?;
        let original = reader.number()?;
        reader.word(" /Digest <")?;
        let digest = reader.digest()?;
        reader.word("> /Evidence [ ")?;
        let evidence = reader.pair()?;
        reader.word(" ] /Gap [ ")?;
        let gap = reader.pair()?;
        reader.word(" ] /Length ")?;
        let length = reader.number()?;
        reader.word(" /Code <")?;
        let code = reader.digest()?;
        reader.word(END)?;
        Some((at, Self { key, original, digest, evidence, gap, length }, code))
    }

    /// The bytes that the code is over, of a file whose seal is at this byte.
    pub(crate) fn covered<'a>(&self, file: &'a [u8], at: usize) -> Vec<&'a [u8]> {
        let code = Self::code_at(at);
        let mut left_out = [code..code.saturating_add(64), range(self.gap)];
        left_out.sort_by_key(|range| range.start);
        let (mut from, mut parts) = (0, Vec::new());
        for range in left_out.iter().filter(|range| !range.is_empty()) {
            parts.push(file.get(from..range.start).unwrap_or_default());
            from = range.end;
        }
        parts.push(file.get(from..).unwrap_or_default());
        parts
    }
}

/// A start and a length as a range.
pub(crate) fn range((start, length): (usize, usize)) -> Range<usize> {
    start..start.saturating_add(length)
}

/// Writes over bytes that are there already.
pub(super) fn overwrite(file: &mut [u8], at: usize, text: &[u8]) {
    if let Some(place) = file.get_mut(at..at.saturating_add(text.len())) {
        place.copy_from_slice(text);
    }
}

/// Reads the fixed form and no other.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        (self.take(word.len())? == word.as_bytes()).then_some(())
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.take(DIGITS)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn pair(&mut self) -> Option<(usize, usize)> {
        let first = self.number()?;
        self.word(" ")?;
        Some((first, self.number()?))
    }

    fn digest(&mut self) -> Option<Digest> {
        std::str::from_utf8(self.take(64)?).ok()?.parse().ok()
    }
}
