//! Cross-reference sections, from the newest to the oldest (ISO 32000-2, 7.5.4 and 7.5.8).

use std::collections::HashSet;

use super::inflate;
use super::object::{Dictionary, Object};
use super::parser::Parser;
use super::table::{Place, Table};
use crate::error::PdfRefused;

/// The most sections of a file: each update of it adds one.
const MOST_SECTIONS: usize = 512;
/// The most that a cross-reference stream may unpack to, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

const UNREADABLE: PdfRefused = PdfRefused::Damaged { what: "the cross-reference table" };

/// What the sections say together.
pub(super) struct Sections {
    pub(super) table: Table,
    /// The newest trailer.
    pub(super) trailer: Dictionary,
    /// Whether the newest section is a stream.
    pub(super) is_stream: bool,
}

/// Reads all sections, beginning with the one at this byte.
pub(super) fn read(bytes: &[u8], start: usize) -> Result<Sections, PdfRefused> {
    // Sections do not overlap, so going over them costs no more than the file is long, and a little at each end.
    let work = bytes.len().saturating_mul(2).saturating_add(64 * 1024);
    let mut reader = Reader { bytes, table: Table::default(), left: MOST_BYTES, work };
    let (mut next, mut seen) = (Some(start), HashSet::new());
    let mut newest = None;
    while let Some(at) = next {
        if !seen.insert(at) || seen.len() > MOST_SECTIONS {
            return Err(UNREADABLE);
        }
        let (trailer, is_stream) = reader.section(at)?;
        if let (false, Some(beside)) = (is_stream, trailer.find("XRefStm")) {
            let beside = beside.as_size().ok_or(UNREADABLE)?;
            if seen.insert(beside) {
                reader.stream(beside)?;
            }
        }
        next = match trailer.find("Prev") {
            Some(previous) => Some(previous.as_size().ok_or(UNREADABLE)?),
            None => None,
        };
        newest.get_or_insert((trailer, is_stream));
    }
    let (trailer, is_stream) = newest.ok_or(UNREADABLE)?;
    Ok(Sections { table: reader.table, trailer, is_stream })
}

struct Reader<'a> {
    bytes: &'a [u8],
    table: Table,
    /// What the streams may still unpack to, together.
    left: usize,
    /// How many bytes may still be gone over.
    work: usize,
}

impl Reader<'_> {
    fn section(&mut self, at: usize) -> Result<(Dictionary, bool), PdfRefused> {
        let mut parser = Parser::new(self.bytes, at);
        if !parser.word("xref") {
            return Ok((self.stream(at)?, true));
        }
        while !parser.word("trailer") {
            let (first, count) = parser.natural().zip(parser.natural()).ok_or(UNREADABLE)?;
            for number in first..first.saturating_add(count) {
                let (offset, generation) = parser.natural().zip(parser.natural()).ok_or(UNREADABLE)?;
                let place = if parser.word("n") {
                    let generation = u16::try_from(generation).map_err(|_| UNREADABLE)?;
                    Place::At { offset, generation }
                } else if parser.word("f") {
                    Place::Free
                } else {
                    return Err(UNREADABLE);
                };
                self.table.put(number, place)?;
            }
        }
        let trailer = parser.dictionary()?;
        self.spend(parser.at.saturating_sub(at))?;
        Ok((trailer, false))
    }

    fn stream(&mut self, at: usize) -> Result<Dictionary, PdfRefused> {
        let mut parser = Parser::new(self.bytes, at);
        parser.head().ok_or(UNREADABLE)?;
        let entries = parser.dictionary()?;
        self.spend(parser.at.saturating_sub(at))?;
        let start = parser.stream().filter(|_| entries.is("XRef")).ok_or(UNREADABLE)?;
        let size = |name: &str| entries.find(name).and_then(Object::as_size);
        let length = size("Length").ok_or(UNREADABLE)?;
        let raw = self.bytes.get(start..start.saturating_add(length)).ok_or(UNREADABLE)?;
        let content = inflate::content(&entries, raw, self.left)?;
        self.left = self.left.saturating_sub(content.len());
        let sizes = |name: &str| -> Option<Vec<usize>> {
            entries.find(name)?.as_array()?.iter().map(Object::as_size).collect()
        };
        let widths = sizes("W").and_then(|widths| <[usize; 3]>::try_from(widths).ok()).ok_or(UNREADABLE)?;
        if widths.iter().any(|&width| width > 8) || widths.iter().sum::<usize>() == 0 {
            return Err(UNREADABLE);
        }
        let ranges = match entries.find("Index") {
            Some(_) => sizes("Index").ok_or(UNREADABLE)?,
            None => vec![0, size("Size").ok_or(UNREADABLE)?],
        };
        let numbers = ranges.chunks_exact(2).flat_map(|pair| match *pair {
            [first, count] => first..first.saturating_add(count),
            _ => 0..0,
        });
        for (number, row) in numbers.zip(content.chunks_exact(widths.iter().sum())) {
            self.table.put(number, place(row, widths)?)?;
        }
        Ok(entries)
    }

    fn spend(&mut self, bytes: usize) -> Result<(), PdfRefused> {
        self.work = self.work.checked_sub(bytes).ok_or(PdfRefused::TooMuchContent)?;
        Ok(())
    }
}

/// One row of a cross-reference stream (7.5.8.3).
fn place(mut row: &[u8], widths: [usize; 3]) -> Result<Place, PdfRefused> {
    let mut field = |width: usize, otherwise: usize| {
        let (bytes, rest) = row.split_at_checked(width)?;
        row = rest;
        let value =
            bytes.iter().try_fold(0_usize, |value, &byte| Some(value.checked_mul(256)? + usize::from(byte)));
        if width == 0 { Some(otherwise) } else { value }
    };
    let [first, second, third] = widths;
    let fields = (field(first, 1), field(second, 0), field(third, 0));
    let (Some(kind), Some(second), Some(third)) = fields else { return Err(UNREADABLE) };
    match kind {
        1 => {
            let generation = u16::try_from(third).map_err(|_| UNREADABLE)?;
            Ok(Place::At { offset: second, generation })
        }
        2 => Ok(Place::In { container: u32::try_from(second).map_err(|_| UNREADABLE)?, index: third }),
        // Kinds that are not known stand for nothing.
        _ => Ok(Place::Free),
    }
}
