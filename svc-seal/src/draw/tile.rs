//! Lines of text that let what is behind them be seen: what a page is stamped with.

use krilla::color::rgb;
use krilla::geom::Point;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::{Document, SerializeSettings};

use super::face::{Faces, Weight};
use crate::error::SealError;

/// The size of letters, and how much of what is behind them they cover.
const SIZE: f32 = 12.0;
const OPACITY: f32 = 0.33;
/// From one line to the next.
const LEADING: f32 = 16.0;
/// The most letters of a line.
const MOST_LETTERS: usize = 320;

/// A file with one page that has the lines, and no more.
pub(crate) struct Tile {
    pub(crate) file: Vec<u8>,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// Draws the lines, each in the middle.
pub(crate) fn tile(lines: &[&str]) -> Result<Tile, SealError> {
    let faces = Faces::new()?;
    let face = faces.of(Weight::Bold);
    let shown = |line: &&str| face.shown(&line.chars().take(MOST_LETTERS).collect::<String>());
    let lines: Vec<String> = lines.iter().map(shown).collect();
    let width = lines.iter().map(|line| face.width(line, SIZE)).fold(SIZE, f32::max);
    let height = lines.iter().fold(SIZE * 0.5, |height, _| height + LEADING);
    let settings = SerializeSettings { enable_tagging: false, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let size = PageSettings::from_wh(width, height);
    let size = size.ok_or_else(|| SealError::Layout("the size of the stamp".to_owned()))?;
    let mut page = document.start_page_with(size);
    let mut surface = page.surface();
    let opacity = NormalizedF32::new(OPACITY).unwrap_or(NormalizedF32::ONE);
    surface.set_fill(Some(Fill { paint: rgb::Color::new(150, 20, 40).into(), opacity, ..Fill::default() }));
    let mut y = SIZE;
    for line in &lines {
        let start = Point::from_xy((width - face.width(line, SIZE)) / 2.0, y);
        surface.draw_glyphs(start, &face.glyphs(line), face.font.clone(), line, SIZE, false);
        y += LEADING;
    }
    surface.finish();
    page.finish();
    let file = document.finish().map_err(|error| SealError::Layout(format!("{error:?}")))?;
    Ok(Tile { file, width, height })
}
