//! Pages as lists of marks, before they are put into a file: only then is it known how many there are.

use super::face::{Faces, Weight};
use super::ink::Figure;
use crate::error::SealError;

/// A4 in points.
pub(super) const WIDTH: f32 = 595.28;
pub(super) const HEIGHT: f32 = 841.89;
/// The edges of what is printed.
pub(crate) const LEFT: f32 = 50.0;
const RIGHT: f32 = WIDTH - 50.0;
const TOP: f32 = 50.0;
const BOTTOM: f32 = HEIGHT - 62.0;

/// Something on a page.
pub(crate) enum Mark {
    Text { x: f32, y: f32, style: Style, text: String },
    Area { x: f32, y: f32, width: f32, height: f32, tone: Tone },
    Ink { x: f32, y: f32, width: f32, height: f32, ink: Figure },
}

/// How dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Black,
    Grey,
    Line,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) tone: Tone,
}

impl Style {
    pub(crate) const TITLE: Self = Self { size: 16.0, ..Self::STRONG };
    pub(crate) const HEAD: Self = Self { size: 11.0, ..Self::STRONG };
    pub(crate) const BODY: Self = Self { size: 9.0, weight: Weight::Regular, tone: Tone::Black };
    pub(crate) const STRONG: Self = Self { weight: Weight::Bold, ..Self::BODY };
    pub(crate) const SMALL: Self = Self { size: 7.5, ..Self::BODY };
    pub(crate) const LABEL: Self = Self { size: 7.5, tone: Tone::Grey, ..Self::BODY };
    pub(crate) const WRITTEN: Self = Self { size: 17.0, ..Self::BODY };

    /// From one baseline to the next.
    pub(crate) fn leading(self) -> f32 {
        self.size * 1.36
    }
}

/// The pages so far, and where the next thing goes.
pub(crate) struct Canvas {
    pub(super) faces: Faces,
    pub(super) pages: Vec<Vec<Mark>>,
    /// The top of what comes next, from the top of the page.
    pub(crate) y: f32,
}

impl Canvas {
    pub(crate) fn new() -> Result<Self, SealError> {
        Ok(Self { faces: Faces::new()?, pages: vec![Vec::new()], y: TOP })
    }

    /// Goes to a new page unless so much fits on this one.
    pub(crate) fn make_room(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > TOP {
            self.pages.push(Vec::new());
            self.y = TOP;
        }
    }

    pub(crate) fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Lines of a text from here on, over pages where it takes them.
    pub(crate) fn flow(&mut self, x: f32, width: f32, style: Style, text: &str) {
        for line in self.faces.of(style.weight).lines(text, style.size, width) {
            self.make_room(style.leading());
            self.line(x, style, &line);
        }
    }

    /// A label, and beside it a text over as many lines as it takes.
    pub(crate) fn pair(&mut self, x: f32, label: &str, width: f32, style: Style, text: &str) {
        self.make_room(style.leading());
        let y = self.y + style.size - Style::LABEL.size;
        let labelled = self.faces.of(Style::LABEL.weight).shown(label);
        self.mark(Mark::Text { x, y: y + Style::LABEL.size, style: Style::LABEL, text: labelled });
        let below = self.y + style.leading();
        self.flow(x + width, RIGHT - x - width, style, text);
        // The place of a text without letters stays empty.
        if text.trim().is_empty() {
            self.y = below;
        }
    }

    /// One line of text, here.
    pub(crate) fn line(&mut self, x: f32, style: Style, text: &str) {
        let text = self.faces.of(style.weight).shown(text);
        self.mark(Mark::Text { x, y: self.y + style.size, style, text });
        self.y += style.leading();
    }

    /// A thin line from edge to edge.
    pub(crate) fn rule(&mut self) {
        self.mark(Mark::Area { x: LEFT, y: self.y, width: RIGHT - LEFT, height: 0.6, tone: Tone::Line });
    }

    /// Puts a text at the foot of each page, with the number of the page and how many there are.
    pub(crate) fn feet(&mut self, text: &str) {
        let face = self.faces.of(Style::LABEL.weight);
        let style = Style::LABEL;
        let shown = face.lines(text, style.size, RIGHT - LEFT - 60.0).into_iter().next().unwrap_or_default();
        let shown = face.shown(&shown);
        let count = self.pages.len();
        let numbers: Vec<(String, f32)> = (1..=count)
            .map(|number| format!("{number} / {count}"))
            .map(|number| (number.clone(), face.width(&number, style.size)))
            .collect();
        let y = HEIGHT - 36.0;
        for (page, (number, width)) in self.pages.iter_mut().zip(numbers) {
            page.push(Mark::Text { x: LEFT, y, style, text: shown.clone() });
            page.push(Mark::Text { x: RIGHT - width, y, style, text: number });
        }
    }
}
