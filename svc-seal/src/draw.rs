//! Pages drawn: A4, two faces of Noto Sans, which have Latin, Greek and Cyrillic letters; another letter is shown as
//! `?`. Nothing in a file depends on when it is drawn.

mod canvas;
mod face;
mod ink;
mod output;
mod tile;

pub use self::ink::Ink;

pub(crate) use self::canvas::{Canvas, LEFT, Mark, Style};
pub(crate) use self::ink::{Drawn, MOST_PIXELS, drawn};
pub(crate) use self::output::{About, output};
pub(crate) use self::tile::{Tile, tile};
