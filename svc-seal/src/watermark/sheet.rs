//! The stamp over a whole page: the lines again and again, along the diagonal of the page as people see it.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::copy::Taking;
use super::pages::Page;
use crate::draw::Tile;
use crate::error::PdfRefused;
use crate::pdf::{Dictionary, File, Id, Object};

/// The diagonal of A4, in points: on a page with another one the stamp is larger or smaller.
const DIAGONAL: f64 = 1_031.0;
/// How much of the diagonal the lines take at most.
const WIDEST: f64 = 0.72;
/// From one row of stamps to the next, and between those of a row, in points of A4.
const ROWS: f64 = 104.0;
const BETWEEN: f64 = 70.0;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    left: f64,
    bottom: f64,
    right: f64,
    top: f64,
}

impl Area {
    /// What a page has that says nothing of it.
    pub(super) const LETTER: Self = Self { left: 0.0, bottom: 0.0, right: 612.0, top: 792.0 };

    /// `None` of what is no rectangle with an area that a page may have.
    pub(super) fn read(file: &File<'_>, value: &Object) -> Result<Option<Self>, PdfRefused> {
        let corners = file.resolve(value)?;
        let mut numbers = Vec::new();
        for corner in corners.as_array().unwrap_or_default().iter().take(5) {
            numbers.extend(file.resolve(corner)?.as_number().filter(|number| number.abs() < 1e6));
        }
        let [x, y, across, up] = numbers.as_slice() else { return Ok(None) };
        let area = Self { left: x.min(*across), bottom: y.min(*up), right: x.max(*across), top: y.max(*up) };
        Ok(Some(area).filter(Self::has_size))
    }

    fn has_size(&self) -> bool {
        self.right - self.left >= 1.0 && self.top - self.bottom >= 1.0
    }

    /// The part of it that is within another one.
    pub(super) fn within(self, other: Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        Some(both).filter(Self::has_size)
    }

    pub(super) fn array(&self) -> Object {
        let corners = [self.left, self.bottom, self.right, self.top];
        Object::Array(corners.map(|corner| Object::Real(format!("{corner:.4}").into_bytes())).to_vec())
    }
}

/// The stamps of all pages: those of the same size have one together.
pub(super) struct Sheets {
    stamp: Id,
    width: f64,
    height: f64,
    known: HashMap<String, Id>,
}

impl Sheets {
    pub(super) fn new(stamp: Id, tile: &Tile) -> Self {
        Self { stamp, width: tile.width.into(), height: tile.height.into(), known: HashMap::new() }
    }

    /// The stamp of a page.
    pub(super) fn of(&mut self, taking: &mut Taking<'_, '_>, page: &Page) -> Result<Id, PdfRefused> {
        let content = self.content(page.seen, page.turned);
        if let Some(known) = self.known.get(&content) {
            return Ok(*known);
        }
        let place = taking.reserve();
        let figures = Dictionary::of([("S", Object::Reference(self.stamp))]);
        let entries = Dictionary::of([
            ("Type", Object::name("XObject")),
            ("Subtype", Object::name("Form")),
            ("BBox", page.seen.array()),
            ("Resources", Object::Dictionary(Dictionary::of([("XObject", Object::Dictionary(figures))]))),
        ]);
        taking.write_packed(place, entries, content.as_bytes())?;
        self.known.insert(content, place);
        Ok(place)
    }

    /// Where the lines stand: rows along the diagonal, each beginning half a step beside the one before.
    fn content(&self, seen: Area, turned: i16) -> String {
        let (width, height) = (seen.right - seen.left, seen.top - seen.bottom);
        let (middle_x, middle_y) =
            (f64::midpoint(seen.left, seen.right), f64::midpoint(seen.bottom, seen.top));
        let diagonal = width.hypot(height);
        let (across, up) = if turned % 180 == 0 { (width, height) } else { (height, width) };
        // A page that is shown turned has the lines turned against that.
        let angle = up.atan2(across) + f64::from(turned).to_radians();
        let (sine, cosine) = angle.sin_cos();
        let unit = diagonal / DIAGONAL;
        let scale = unit.min(diagonal * WIDEST / self.width);
        let (row, step) = (ROWS * unit, self.width * scale + BETWEEN * unit);
        let (rows, steps) = ((diagonal / row / 2.0).ceil(), (diagonal / step / 2.0).ceil());
        let mut content = String::new();
        let mut down = -rows;
        while down <= rows {
            let aside = if (down.abs() % 2.0) < 0.5 { 0.0 } else { step / 2.0 };
            let mut along = -steps;
            while along <= steps {
                let x = along * step + aside - self.width * scale / 2.0;
                let y = down * row - self.height * scale / 2.0;
                let (x, y) = (middle_x + x * cosine - y * sine, middle_y + x * sine + y * cosine);
                let (a, b) = (cosine * scale, sine * scale);
                let _ = writeln!(content, "q {a:.5} {b:.5} {:.5} {a:.5} {x:.3} {y:.3} cm /S Do Q", -b);
                along += 1.0;
            }
            down += 1.0;
        }
        content
    }
}
