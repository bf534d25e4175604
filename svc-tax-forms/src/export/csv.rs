//! CSV of a return (RFC 4180), with decimal points and no thousands.

use crate::compute::{Computed, PartyRow};
use crate::form::Label;

/// The language of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Spanish, as on the form.
    Spanish,
    /// English.
    English,
}

impl Language {
    fn of(self, label: &Label) -> &str {
        match self {
            Self::Spanish => &label.es,
            Self::English => &label.en,
        }
    }
}

/// The boxes: code, label, amount.
#[must_use]
pub fn csv(computed: &Computed, language: Language) -> String {
    let mut text = String::from("code,label,amount\r\n");
    for one in &computed.boxes {
        let cells = [one.code.clone(), language.of(&one.label).to_owned(), one.value.to_string()];
        line(&mut text, &cells);
    }
    text
}

/// The rows of a declaration of parties: tax identifier, name, key, mark, corrected period, and the columns by name.
#[must_use]
pub fn csv_of_parties(computed: &Computed) -> String {
    let mut columns: Vec<&str> =
        computed.parties.iter().flat_map(|row| row.amounts.keys()).map(String::as_str).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut text = String::new();
    let names = ["tax_id", "name", "key", "mark", "corrects"].into_iter().chain(columns.iter().copied());
    line(&mut text, &names.map(str::to_owned).collect::<Vec<_>>());
    for row in &computed.parties {
        line(&mut text, &cells(row, &columns));
    }
    text
}

fn cells(row: &PartyRow, columns: &[&str]) -> Vec<String> {
    let corrects = row.rectified.map(|period| format!("{} {}", period.year(), period.period()));
    let fixed = [
        row.party.tax_id.clone().unwrap_or_default(),
        row.party.name.clone(),
        row.key.clone(),
        row.mark.clone().unwrap_or_default(),
        corrects.unwrap_or_default(),
    ];
    let amounts =
        columns.iter().map(|column| row.amount(column).map_or(String::new(), |amount| amount.to_string()));
    fixed.into_iter().chain(amounts).collect()
}

fn line(text: &mut String, cells: &[String]) {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&quoted(cell));
    }
    text.push_str("\r\n");
}

/// Names come from strangers: a spreadsheet takes a text that begins like a formula for one, unless a quote is before it.
/// Amounts are no texts.
fn quoted(cell: &str) -> String {
    let formula =
        cell.starts_with(['=', '+', '@', '\t', '\r']) || (cell.starts_with('-') && !is_amount(cell));
    let safe = if formula { format!("'{cell}") } else { cell.to_owned() };
    if safe.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

fn is_amount(cell: &str) -> bool {
    cell.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}
