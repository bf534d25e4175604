//! The two faces: how wide a text is, where its lines break, and its glyphs.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization as _;

use crate::error::SealError;

const REGULAR: &[u8] = include_bytes!("../../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/NotoSans-Bold.ttf");
/// What a letter that the face lacks is shown as.
const LACKING: char = '?';

/// Which face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both faces.
pub(super) struct Faces {
    regular: Face,
    bold: Face,
}

impl Faces {
    pub(super) fn new() -> Result<Self, SealError> {
        Ok(Self { regular: Face::new(REGULAR)?, bold: Face::new(BOLD)? })
    }

    pub(super) fn of(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }
}

/// One face.
pub(super) struct Face {
    pub(super) font: Font,
    letters: FontRef<'static>,
    units: f32,
}

impl Face {
    fn new(data: &'static [u8]) -> Result<Self, SealError> {
        let failed = |_| SealError::Layout("the font cannot be read".to_owned());
        let letters = FontRef::new(data).map_err(failed)?;
        let font = Font::new(data.into(), 0);
        let font = font.ok_or_else(|| SealError::Layout("the font cannot be read".to_owned()))?;
        let units = font.units_per_em();
        Ok(Self { font, letters, units })
    }

    /// The width of a text of this size.
    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        let metrics = self.letters.glyph_metrics(Size::unscaled(), LocationRef::default());
        let charmap = self.letters.charmap();
        let units: f32 = text
            .nfc()
            .filter_map(|letter| charmap.map(letter).or_else(|| charmap.map(LACKING)))
            .filter_map(|glyph| metrics.advance_width(glyph))
            .sum();
        units / self.units * size
    }

    /// The text in letters that the face has.
    pub(super) fn shown(&self, text: &str) -> String {
        let charmap = self.letters.charmap();
        let shown = |letter: char| if charmap.map(letter).is_some() { letter } else { LACKING };
        text.nfc().map(|letter| if letter.is_whitespace() { ' ' } else { shown(letter) }).collect()
    }

    /// The glyphs of a text in letters that the face has.
    pub(super) fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        let metrics = self.letters.glyph_metrics(Size::unscaled(), LocationRef::default());
        let charmap = self.letters.charmap();
        let mut glyphs = Vec::new();
        for (at, letter) in text.char_indices() {
            let Some(glyph) = charmap.map(letter) else { continue };
            let advance = metrics.advance_width(glyph).unwrap_or_default() / self.units;
            let range = at..at.saturating_add(letter.len_utf8());
            glyphs.push(KrillaGlyph::new(GlyphId::new(glyph.to_u32()), advance, 0.0, 0.0, 0.0, range, None));
        }
        glyphs
    }

    /// The lines of a text: broken at spaces, and within a word that is wider than a line.
    pub(super) fn lines(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        let space = self.width(" ", size);
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let (mut line, mut used) = (String::new(), 0.0);
            for word in paragraph.split_whitespace() {
                let length = self.width(word, size);
                if line.is_empty() && length <= width {
                    line.push_str(word);
                    used = length;
                } else if !line.is_empty() && used + space + length <= width {
                    line.push(' ');
                    line.push_str(word);
                    used += space + length;
                } else {
                    if !line.is_empty() {
                        lines.push(std::mem::take(&mut line));
                    }
                    used = 0.0;
                    for letter in word.nfc() {
                        let length = self.width(letter.encode_utf8(&mut [0; 4]), size);
                        if used + length > width && !line.is_empty() {
                            lines.push(std::mem::take(&mut line));
                            used = 0.0;
                        }
                        line.push(letter);
                        used += length;
                    }
                }
            }
            lines.push(line);
        }
        lines
    }
}
