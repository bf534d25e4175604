//! CSV in many dialects.

use proptest::prelude::*;
use svc_core::money::Amount;
use svc_statement::Statement;
use time::Date;

/// How a bank writes tables.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    pub(crate) separator: char,
    pub(crate) spanish: bool,
    pub(crate) thousands: bool,
    pub(crate) split: bool,
    pub(crate) order: Order,
    pub(crate) date: DateForm,
    pub(crate) preamble: usize,
    pub(crate) line_end: &'static str,
}

/// Which movement a table begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    OldestFirst,
    NewestFirst,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum DateForm {
    Iso,
    Slashes,
    Points,
    Digits,
    Short,
}

pub(crate) fn dialect() -> impl Strategy<Value = Dialect> {
    use DateForm::{Digits, Iso, Points, Short, Slashes};
    let date = prop::sample::select(vec![Iso, Slashes, Points, Digits, Short]);
    let separator = prop::sample::select(vec![';', ',', '\t', '|']);
    let line_end = prop::sample::select(vec!["\n", "\r\n"]);
    (
        separator,
        any::<[bool; 3]>(),
        prop::sample::select(vec![Order::OldestFirst, Order::NewestFirst]),
        date,
        0..6_usize,
        line_end,
    )
        .prop_map(|(separator, [spanish, thousands, split], order, date, preamble, line_end)| Dialect {
            separator,
            spanish,
            thousands,
            split,
            order,
            date,
            preamble,
            line_end,
        })
}

impl Dialect {
    fn date(&self, date: Date) -> String {
        let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
        match self.date {
            DateForm::Iso => format!("{year}-{month:02}-{day:02}"),
            DateForm::Slashes => format!("{day:02}/{month:02}/{year}"),
            DateForm::Points => format!("{day}.{month}.{year}"),
            DateForm::Digits => format!("{year}{month:02}{day:02}"),
            DateForm::Short => format!("{day:02}-{month:02}-{:02}", year % 100),
        }
    }

    fn amount(&self, amount: Amount) -> String {
        let minor = amount.minor().unsigned_abs();
        let mut whole = (minor / 100).to_string();
        let (group, point) = if self.spanish { ('.', ',') } else { (',', '.') };
        if self.thousands {
            for place in (1..whole.len())
                .rev()
                .filter(|place| (whole.len() - place).is_multiple_of(3))
                .collect::<Vec<_>>()
            {
                whole.insert(place, group);
            }
        }
        format!("{}{whole}{point}{:02}", if amount.minor() < 0 { "-" } else { "" }, minor % 100)
    }

    fn row(&self, cells: &[String]) -> String {
        let quote = |cell: &String| {
            if cell.contains(['"', '\n', self.separator]) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let cells: Vec<String> = cells.iter().map(quote).collect();
        cells.join(&self.separator.to_string())
    }

    /// A table of the movements of a statement, with the balance after each.
    pub(crate) fn table(&self, statement: &Statement) -> String {
        let titles = match (self.spanish, self.split) {
            (true, false) => {
                "Fecha operación;Fecha valor;Concepto;Beneficiario;IBAN;Referencia;Importe;Saldo"
            }
            (true, true) => "FECHA;F. VALOR;DESCRIPCIÓN;ORDENANTE;IBAN;REF.;CARGO;ABONO;SALDO (EUR)",
            (false, false) => "Date;Value date;Description;Counterparty;IBAN;Reference;Amount;Balance",
            (false, true) => "Date;Value date;Details;Payee;IBAN;Reference;Debit;Credit;Balance",
        };
        let titles: Vec<String> = titles.split(';').map(str::to_owned).collect();
        let mut rows = Vec::new();
        let mut balance = statement.opening.expect("opening");
        for movement in &statement.movements {
            balance = balance.plus(movement.amount).expect("in range");
            let mut cells = vec![
                self.date(movement.booking_date),
                self.date(movement.value_date),
                movement.description.clone(),
                movement.counterparty_name.clone().unwrap_or_default(),
                movement.counterparty_iban.clone().unwrap_or_default(),
                movement.references.first().cloned().unwrap_or_default(),
            ];
            match (self.split, movement.amount.minor() < 0) {
                (false, _) => cells.push(self.amount(movement.amount)),
                (true, true) => cells.extend([self.amount(movement.amount.negated()), String::new()]),
                (true, false) => cells.extend([String::new(), self.amount(movement.amount)]),
            }
            cells.push(self.amount(balance));
            rows.push(self.row(&cells));
        }
        if self.order == Order::NewestFirst {
            rows.reverse();
        }
        let mut lines: Vec<String> =
            (0..self.preamble).map(|line| format!("Consulta de movimientos {line}")).collect();
        lines.push(self.row(&titles));
        lines.extend(rows);
        lines.join(self.line_end)
    }
}
