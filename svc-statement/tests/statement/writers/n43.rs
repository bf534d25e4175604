//! Norma 43.

use svc_core::money::Amount;
use svc_statement::Statement;
use time::Date;

fn six(date: Date) -> String {
    format!("{:02}{:02}{:02}", date.year() % 100, u8::from(date.month()), date.day())
}

fn side(amount: Amount) -> char {
    if amount.minor() < 0 { '1' } else { '2' }
}

fn minor(amount: Amount) -> String {
    format!("{:014}", amount.minor().unsigned_abs())
}

/// The records of one account, 11 to 33.
pub(crate) fn account(statement: &Statement) -> Vec<String> {
    let ccc = statement.account.other.as_deref().expect("an account");
    let account = format!("{}{}{}", &ccc[0..4], &ccc[4..8], &ccc[10..20]);
    let currency = format!("{:03}", statement.currency.expect("a currency").numeric());
    let (opening, closing) = (statement.opening.expect("opening"), statement.closing.expect("closing"));
    let (from, to) = (six(statement.from.expect("from")), six(statement.to.expect("to")));
    let holder = statement.holder.as_deref().unwrap_or_default();
    let mut records =
        vec![format!("11{account}{from}{to}{}{}{currency}3{holder:<26}   ", side(opening), minor(opening))];
    for movement in &statement.movements {
        let code = movement.bank_code.as_deref().expect("a code");
        let reference = |place: usize| movement.references.get(place).map_or("", String::as_str);
        records.push(format!(
            "22    {}{}{}{}{}{}{:010}{:<12}{:<16}",
            &ccc[4..8],
            six(movement.booking_date),
            six(movement.value_date),
            code.replace('-', ""),
            side(movement.amount),
            minor(movement.amount),
            0,
            reference(0),
            reference(1),
        ));
        if !movement.description.is_empty() {
            records.push(format!("2301{:<76}", movement.description));
        }
    }
    let of = |debit: bool| {
        let amounts = statement.movements.iter().map(|movement| movement.amount.minor());
        let amounts: Vec<i64> = amounts.filter(|minor| (*minor < 0) == debit).map(i64::abs).collect();
        format!("{:05}{:014}", amounts.len(), amounts.iter().sum::<i64>())
    };
    let (debits, credits) = (of(true), of(false));
    let end = format!("{}{}{currency}    ", side(closing), minor(closing));
    records.push(format!("33{account}{debits}{credits}{end}"));
    for record in &records {
        assert_eq!(record.chars().count(), 80, "{record}");
    }
    records
}

/// A file of several accounts.
pub(crate) fn file(statements: &[Statement]) -> String {
    let mut records: Vec<String> = statements.iter().flat_map(account).collect();
    records.push(format!("88{}{:06}{:54}", "9".repeat(18), records.len(), ""));
    records.join("\r\n") + "\r\n"
}
