//! Pages as lists of marks, before they are put into a file: only then is it known how many there are.

use super::face::{Faces, Weight};
use crate::error::WriteError;

/// A4 in points.
pub(super) const WIDTH: f32 = 595.28;
pub(super) const HEIGHT: f32 = 841.89;
/// The edges of what is printed.
pub(super) const LEFT: f32 = 50.0;
pub(super) const RIGHT: f32 = WIDTH - 50.0;
pub(super) const TOP: f32 = 50.0;
pub(super) const BOTTOM: f32 = HEIGHT - 62.0;

/// Something on a page.
pub(super) enum Mark {
    Text {
        x: f32,
        y: f32,
        size: f32,
        weight: Weight,
        tone: Tone,
        text: String,
    },
    Area {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        tone: Tone,
    },
    /// Squares of one size, by their corners: a QR code.
    Squares {
        corners: Vec<(f32, f32)>,
        side: f32,
    },
    /// A word across the page, below all else.
    Across {
        text: String,
        size: f32,
    },
}

/// How dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Black,
    Grey,
    Line,
    Shade,
    Ghost,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) tone: Tone,
}

impl Style {
    pub(super) const BODY: Self = Self { size: 9.0, weight: Weight::Regular, tone: Tone::Black };
    pub(super) const STRONG: Self = Self { weight: Weight::Bold, ..Self::BODY };
    pub(super) const SMALL: Self = Self { size: 8.0, ..Self::BODY };
    pub(super) const LABEL: Self = Self { size: 8.0, tone: Tone::Grey, ..Self::BODY };

    /// From one baseline to the next.
    pub(super) fn leading(self) -> f32 {
        self.size * 1.36
    }
}

/// The pages so far, and where the next thing goes.
pub(super) struct Canvas {
    pub(super) faces: Faces,
    pub(super) pages: Vec<Vec<Mark>>,
    /// The top of what comes next, from the top of the page.
    pub(super) y: f32,
}

impl Canvas {
    pub(super) fn new() -> Result<Self, WriteError> {
        Ok(Self { faces: Faces::new()?, pages: vec![Vec::new()], y: TOP })
    }

    pub(super) fn turn_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = TOP;
    }

    /// Goes to a new page unless so much fits on this one.
    pub(super) fn make_room(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > TOP {
            self.turn_page();
        }
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// A text whose top left corner is here.
    pub(super) fn left(&mut self, x: f32, y: f32, style: Style, text: &str) {
        let text = self.faces.of(style.weight).shown(text);
        let Style { size, weight, tone } = style;
        self.mark(Mark::Text { x, y: y + size, size, weight, tone, text });
    }

    /// A text whose top right corner is here.
    pub(super) fn right(&mut self, x: f32, y: f32, style: Style, text: &str) {
        let width = self.faces.of(style.weight).width(text, style.size);
        self.left(x - width, y, style, text);
    }

    /// A text in the middle of here.
    pub(super) fn centred(&mut self, x: f32, y: f32, style: Style, text: &str) {
        let width = self.faces.of(style.weight).width(text, style.size);
        self.left(x - width / 2.0, y, style, text);
    }

    /// A text within a width, over as many lines as it takes; answers what comes below it.
    pub(super) fn block(&mut self, x: f32, y: f32, width: f32, style: Style, text: &str) -> f32 {
        let mut y = y;
        for line in self.faces.of(style.weight).lines(text, style.size, width) {
            self.left(x, y, style, &line);
            y += style.leading();
        }
        y
    }

    /// A thin line from edge to edge.
    pub(super) fn rule(&mut self, x: f32, y: f32, width: f32) {
        self.mark(Mark::Area { x, y, width, height: 0.6, tone: Tone::Line });
    }
}
