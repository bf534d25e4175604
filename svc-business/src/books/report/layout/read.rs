//! Reading the file of a layout.

use thiserror::Error;

use super::{Layout, Line, Place};
use crate::books::account::NormalBalance;

/// Why the file of a layout cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line} of the layout: {reason}")]
pub(super) struct LayoutError {
    line: usize,
    reason: String,
}

/// Reads the lines `key;parent;side;es;en;codes` after comments and a heading. `side` stands at the lines that belong
/// to no other, and the lines below have theirs.
pub(super) fn read(file: &'static str) -> Result<Layout, LayoutError> {
    let mut layout = Layout { lines: Vec::new(), places: Vec::new() };
    let rows = file.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    for (at, row) in rows.skip(1) {
        add(&mut layout, row).map_err(|reason| LayoutError { line: at.saturating_add(1), reason })?;
    }
    Ok(layout)
}

fn add(layout: &mut Layout, row: &'static str) -> Result<(), String> {
    let cells: Vec<&'static str> = row.split(';').collect();
    let [key, parent, side, es, en, codes] = cells[..] else {
        return Err(format!("expected 6 cells, found {}", cells.len()));
    };
    if [key, es, en].contains(&"") {
        return Err("a line has a key and two labels".to_owned());
    }
    if layout.lines.iter().any(|line| line.key == key) {
        return Err(format!("{key} is there twice"));
    }
    let (parent, side) = stands(layout, parent, side)?;
    for code in codes.split_whitespace() {
        let place = Place::read(code, key).ok_or_else(|| format!("{code} names no accounts"))?;
        if let Some(other) = layout.places.iter().find(|other| !place.excludes(other)) {
            return Err(format!("{code} is counted by {} already", other.line()));
        }
        layout.places.push(place);
    }
    layout.lines.push(Line { key, parent, side, es, en });
    Ok(())
}

/// Where a line stands, and on which side it grows.
fn stands(
    layout: &Layout,
    parent: &'static str,
    side: &str,
) -> Result<(Option<&'static str>, NormalBalance), String> {
    if parent.is_empty() {
        let side = side.parse().map_err(|error: svc_core::wire::UnknownName| error.to_string())?;
        return Ok((None, side));
    }
    let above = layout.lines.iter().find(|line| line.key == parent);
    let above = above.ok_or_else(|| format!("{parent} is no line before it"))?;
    if side.is_empty() {
        Ok((Some(parent), above.side))
    } else {
        Err("the line above has the side".to_owned())
    }
}
