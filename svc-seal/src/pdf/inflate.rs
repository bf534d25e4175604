//! The content of streams, as cross-references and objects have them: Flate, with or without a predictor (ISO 32000-2, 7.4.4).

use std::io::Read as _;

use super::object::{Dictionary, Object};
use crate::error::PdfRefused;

const UNREADABLE: PdfRefused = PdfRefused::Damaged { what: "a stream of objects" };

/// The content of a stream; at most so many bytes of it.
pub(crate) fn content(entries: &Dictionary, raw: &[u8], most: usize) -> Result<Vec<u8>, PdfRefused> {
    let single = |name: &str| match entries.find(name) {
        Some(Object::Array(items)) if items.len() < 2 => items.first().cloned(),
        other => other.cloned(),
    };
    match single("Filter") {
        None if raw.len() > most => return Err(PdfRefused::TooMuchContent),
        None => return Ok(raw.to_vec()),
        Some(filter) if filter.as_name() == Some(b"FlateDecode") => {}
        Some(_) => return Err(UNREADABLE),
    }
    let mut plain = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut decoder = flate2::read::ZlibDecoder::new(raw).take(limit);
    decoder.read_to_end(&mut plain).map_err(|_| UNREADABLE)?;
    if plain.len() > most {
        return Err(PdfRefused::TooMuchContent);
    }
    let parameters = single("DecodeParms");
    let parameter = |name: &str, otherwise: usize| {
        let value = parameters.as_ref().and_then(Object::as_dictionary).and_then(|them| them.find(name));
        value.map_or(Some(otherwise), Object::as_size)
    };
    match parameter("Predictor", 1) {
        Some(1) => Ok(plain),
        Some(10..=15) if parameter("Colors", 1) == Some(1) && parameter("BitsPerComponent", 8) == Some(8) => {
            let columns = parameter("Columns", 1).filter(|columns| (1..=1024).contains(columns));
            rows(&plain, columns.ok_or(UNREADABLE)?)
        }
        _ => Err(UNREADABLE),
    }
}

/// Undoes the predictors of PNG (RFC 2083, 6) for one byte a pixel.
fn rows(plain: &[u8], columns: usize) -> Result<Vec<u8>, PdfRefused> {
    let mut out = Vec::with_capacity(plain.len());
    let mut above = vec![0_u8; columns];
    for row in plain.chunks(columns + 1) {
        let (kind, row) = row.split_first().ok_or(UNREADABLE)?;
        let (mut left, mut corner) = (0_u8, 0_u8);
        for (&byte, up) in row.iter().zip(&mut above) {
            let predicted = match kind {
                0 => 0,
                1 => left,
                2 => *up,
                3 => left.midpoint(*up),
                4 => paeth(left, *up, corner),
                _ => return Err(UNREADABLE),
            };
            corner = *up;
            left = byte.wrapping_add(predicted);
            *up = left;
            out.push(left);
        }
    }
    Ok(out)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(up) - i16::from(corner);
    let distance = |value: u8| (estimate - i16::from(value)).abs();
    if distance(left) <= distance(up) && distance(left) <= distance(corner) {
        left
    } else if distance(up) <= distance(corner) {
        up
    } else {
        corner
    }
}
