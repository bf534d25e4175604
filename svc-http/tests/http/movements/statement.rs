//! Statements that are made up.

use std::fmt::Write as _;

/// The account of every Norma 43 here.
pub(super) const IBAN: &str = "ES9121000418450200051332";

/// A statement in Norma 43: days as YYMMDD, amounts in cents.
#[derive(Clone, Copy)]
pub(super) struct N43<'a> {
    pub(super) opening: i64,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
}

impl Default for N43<'_> {
    fn default() -> Self {
        Self { opening: 0, from: "250101", to: "250131" }
    }
}

impl N43<'_> {
    /// With these movements: day, cents and text.
    pub(super) fn with(self, movements: &[(&str, i64, &str)]) -> String {
        let sign = |cents: i64| if cents < 0 { 1 } else { 2 };
        let Self { opening, from, to } = self;
        let mut file = format!(
            "11210004180200051332{from}{to}{}{:014}9783TALLERES EJEMPLO SL\r\n",
            sign(opening),
            opening.abs()
        );
        for (day, cents, text) in movements {
            let _ = write!(file, "22    0418{day}{day}04205{}{:014}{:010}\r\n", sign(*cents), cents.abs(), 0);
            let _ = write!(file, "2301{text}\r\n");
        }
        let sums =
            |of: i64| movements.iter().map(|(_, cents, _)| *cents).filter(move |cents| sign(*cents) == of);
        let closing = opening + movements.iter().map(|(_, cents, _)| *cents).sum::<i64>();
        let _ = write!(
            file,
            "33210004180200051332{:05}{:014}{:05}{:014}{}{:014}978\r\n",
            sums(1).count(),
            -sums(1).sum::<i64>(),
            sums(2).count(),
            sums(2).sum::<i64>(),
            sign(closing),
            closing.abs()
        );
        let _ = write!(file, "88{}{:06}\r\n", "9".repeat(18), 2 + 2 * movements.len());
        file
    }
}

/// A table of day, text and amount.
pub(super) fn table(lines: &[(&str, &str, &str)]) -> String {
    lines.iter().fold("Fecha;Concepto;Importe\r\n".to_owned(), |mut table, (day, text, amount)| {
        let _ = write!(table, "{day};{text};{amount}\r\n");
        table
    })
}

/// A table of so many different movements.
pub(super) fn many(count: usize, mark: u32) -> String {
    (0..count).fold("Fecha;Concepto;Importe\r\n".to_owned(), |mut table, number| {
        let _ = write!(table, "15/01/2025;Compra {mark}-{number};-1,80\r\n");
        table
    })
}
