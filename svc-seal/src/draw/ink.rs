//! Signatures as people made them: drawn, as a picture, or typed.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};

/// A signature as a person made it.
#[derive(Clone, Debug, PartialEq)]
pub enum Ink {
    /// Drawn: strokes of points, each `(x, y)` from the top left corner, in any unit that is the same for all.
    /// At most 20,000 points.
    Strokes(Vec<Vec<(f32, f32)>>),
    /// A picture in PNG: at most 512 KiB and 2,000 pixels a side; all pictures together at most 16 million pixels.
    Png(Vec<u8>),
    /// A name that was typed.
    Typed(String),
}

/// A signature that can be put on a page.
pub(crate) enum Drawn {
    Typed(String),
    Figure(Figure),
}

/// A signature that is no text.
pub(crate) enum Figure {
    /// Strokes whose points are within 0 and 1 by their longer side.
    Strokes { strokes: Vec<Vec<(f32, f32)>>, width: f32, height: f32 },
    /// Pixels: red, green, blue, alpha.
    Picture { pixels: Vec<u8>, width: u32, height: u32 },
}

const MOST_POINTS: usize = 20_000;
const MOST_PNG: usize = 512 * 1024;
const MOST_SIDE: u32 = 2_000;

/// How many pixels the pictures of one document may have, together.
pub(crate) const MOST_PIXELS: usize = 16_000_000;

/// Reads a signature, whose pixels are taken from those that are left; an error says what is wrong with it.
pub(crate) fn drawn(ink: &Ink, left: &mut usize) -> Result<Drawn, &'static str> {
    match ink {
        Ink::Strokes(strokes) => scaled(strokes).map(Drawn::Figure),
        Ink::Png(file) => picture(file, left).map(Drawn::Figure),
        Ink::Typed(name) => Ok(Drawn::Typed(name.clone())),
    }
}

fn scaled(strokes: &[Vec<(f32, f32)>]) -> Result<Figure, &'static str> {
    let points = || strokes.iter().flatten().copied();
    if points().count() > MOST_POINTS {
        return Err("it has more than 20,000 points");
    }
    if points().any(|(x, y)| !(x.abs() < 1e6 && y.abs() < 1e6)) {
        return Err("it has points that are no numbers, or beyond a million");
    }
    let first = points().next().ok_or("it has no points")?;
    let (low, high) = points().fold((first, first), |(low, high), (x, y)| {
        ((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y)))
    });
    // A dot has no size of its own.
    let unit = (high.0 - low.0).max(high.1 - low.1).max(1e-3);
    let scale = |&(x, y): &(f32, f32)| ((x - low.0) / unit, (y - low.1) / unit);
    let strokes = strokes.iter().map(|stroke| stroke.iter().map(scale).collect()).collect();
    Ok(Figure::Strokes { strokes, width: (high.0 - low.0) / unit, height: (high.1 - low.1) / unit })
}

fn picture(file: &[u8], left: &mut usize) -> Result<Figure, &'static str> {
    const UNREADABLE: &str = "it is no PNG that can be read";
    if file.len() > MOST_PNG {
        return Err("its picture is larger than 512 KiB");
    }
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: 64 * 1024 * 1024 });
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let header = decoder.read_header_info().map_err(|_| UNREADABLE)?;
    let (width, height) = (header.width, header.height);
    if width > MOST_SIDE || height > MOST_SIDE {
        return Err("its picture is wider or higher than 2,000 pixels");
    }
    let area = usize::try_from(u64::from(width) * u64::from(height)).unwrap_or(usize::MAX);
    *left = left.checked_sub(area).ok_or("the pictures together have more than 16 million pixels")?;
    let mut reader = decoder.read_info().map_err(|_| UNREADABLE)?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or(UNREADABLE)?];
    let frame = reader.next_frame(&mut pixels).map_err(|_| UNREADABLE)?;
    pixels.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        ColorType::Rgba => pixels,
        ColorType::GrayscaleAlpha => grey(&pixels),
        ColorType::Grayscale | ColorType::Rgb | ColorType::Indexed => return Err(UNREADABLE),
    };
    if pixels.len() != area.saturating_mul(4) {
        return Err(UNREADABLE);
    }
    Ok(Figure::Picture { pixels, width, height })
}

fn grey(pixels: &[u8]) -> Vec<u8> {
    let wide = pixels.chunks_exact(2).flat_map(|pixel| match *pixel {
        [level, alpha] => [level, level, level, alpha],
        _ => [0; 4],
    });
    wide.collect()
}
