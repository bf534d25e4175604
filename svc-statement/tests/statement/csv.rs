//! CSV exports.

use svc_core::money::Currency;
use svc_statement::{
    AmountColumns, Column, CsvMapping, DateOrder, DecimalSeparator, Options, ReadError, Statement, Warning,
};

use crate::samples::CSV;
use crate::{day, eur, one, refusal};

fn name(title: &str) -> Column {
    Column::Name(title.to_owned())
}

fn mapped(text: &str, mapping: CsvMapping) -> Result<Statement, ReadError> {
    let options = Options { mapping: Some(mapping), ..Options::new(Currency::EUR) };
    svc_statement::read(text.as_bytes(), &options).map(|mut statements| statements.remove(0))
}

#[test]
fn a_table_is_read_by_its_titles_and_turned_round() {
    let statement = one(CSV);
    assert_eq!((statement.opening, statement.closing), (Some(eur("1000.00")), Some(eur("2205.40"))));
    assert_eq!((statement.from, statement.to), (Some(day(2026, 1, 5)), Some(day(2026, 1, 31))));
    assert_eq!(statement.currency, None);
    assert!(statement.warnings.is_empty());
    let [transfer, direct_debit, fee] = statement.movements.as_slice() else { panic!("three movements") };
    assert_eq!((transfer.amount, transfer.position), (eur("1210.00"), 7));
    assert_eq!(direct_debit.description, "Recibo \"luz\"; enero");
    assert_eq!((direct_debit.booking_date, direct_debit.value_date), (day(2026, 1, 10), day(2026, 1, 11)));
    assert_eq!(fee.balance_after, Some(eur("2205.40")));
}

#[test]
fn amounts_are_read_however_they_are_written() {
    let cases = [
        ("-1.234,56", "-1234.56"),
        ("1.234,56-", "-1234.56"),
        ("(1.234,56)", "-1234.56"),
        ("−1234,56 €", "-1234.56"),
        ("EUR 1 234,56", "1234.56"),
        ("€1.234.567,8", "1234567.80"),
        ("+0,5", "0.50"),
        ("12", "12.00"),
        ("1'234,56", "1234.56"),
    ];
    for (text, expected) in cases {
        let statement = one(&format!("fecha;importe\n31/01/2026;{text}\n31/01/2026;-1,5\n"));
        assert_eq!(statement.movements[0].amount, eur(expected), "{text}");
    }
    for text in ["1,2,3", "--1,00", "1.23.456,00", "uno", "1,234", "-(1,00)", "12 euros", ","] {
        let error = refusal(&format!("fecha;importe\n31/01/2026;{text}\n31/01/2026;-1,5\n"));
        assert!(
            error.to_string().starts_with("line 2, column importe: expected an amount"),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_point_is_of_thousands_when_another_amount_has_a_decimal_comma() {
    let statement = one("fecha;importe\n31/01/2026;1.234\n31/01/2026;1,50\n");
    assert_eq!(statement.movements[0].amount, eur("1234.00"));
    let statement = one("date,amount\n2026-01-31,\"1,234\"\n2026-01-31,1.50\n");
    assert_eq!(statement.movements[0].amount, eur("1234.00"));
    for text in ["fecha;importe\n31/01/2026;1.234\n", "fecha;importe\n31/01/2026;1.50\n31/01/2026;1,50\n"] {
        let error = refusal(text);
        assert_eq!(error.code(), "mapping_needed");
    }
    let mut mapping = CsvMapping::new(name("fecha"), AmountColumns::Signed(name("importe")));
    mapping.decimal = DecimalSeparator::Comma;
    let statement = mapped("fecha;importe\n31/01/2026;1.234\n", mapping).expect("a statement");
    assert_eq!(statement.movements[0].amount, eur("1234.00"));
}

#[test]
fn the_day_comes_first_unless_a_date_of_the_file_cannot_be_read_so() {
    let statement = one("fecha;importe\n02/01/2026;1,00\n03/01/2026;1,00\n");
    assert_eq!(statement.movements[0].booking_date, day(2026, 1, 2));
    assert!(statement.warnings.contains(&Warning::DayFirstAssumed));
    let statement = one("date;amount\n01/02/2026;1.00\n01/31/2026;1.00\n");
    assert_eq!(statement.movements[0].booking_date, day(2026, 1, 2));
    assert!(!statement.warnings.contains(&Warning::DayFirstAssumed));
    let error = refusal("fecha;importe\n31/01/2026;1,00\n01/31/2026;1,00\n");
    assert!(error.to_string().starts_with("line 3, column fecha: expected a date"), "{error}");
}

#[test]
fn dates_are_read_however_they_are_written() {
    let expected = day(2026, 1, 31);
    for text in [
        "2026-01-31",
        "31/01/2026",
        "31-01-2026",
        "31.1.2026",
        "20260131",
        "31/01/26",
        "2026/01/31",
        "31/01/2026 10:22",
        "2026-01-31T10:22:00Z",
    ] {
        assert_eq!(
            one(&format!("fecha;importe\n{text};1,00\n")).movements[0].booking_date,
            expected,
            "{text}"
        );
    }
    for text in ["31/13/2026", "2026-02-30", "31/01", "enero", "31/01/2026 tarde", "1/1/1/2026", "123456789"]
    {
        assert_eq!(refusal(&format!("fecha;importe\n{text};1,00\n")).code(), "malformed_statement", "{text}");
    }
    let mut mapping = CsvMapping::new(name("fecha"), AmountColumns::Signed(name("importe")));
    mapping.date_order = DateOrder::YearFirst;
    let statement = mapped("fecha;importe\n26/01/31;1,00\n", mapping).expect("a statement");
    assert_eq!(statement.movements[0].booking_date, expected);
}

#[test]
fn debits_and_credits_may_have_columns_of_their_own() {
    let statement = one("Fecha;Cargo;Abono\n31/01/2026;10,00;\n31/01/2026;5,00;0,00\n31/01/2026;;7,00\n");
    let amounts: Vec<String> =
        statement.movements.iter().map(|movement| movement.amount.to_string()).collect();
    assert_eq!(amounts, ["-10.00", "-5.00", "7.00"]);
    for cells in ["1,00;1,00", ";"] {
        let error = refusal(&format!("Fecha;Cargo;Abono\n31/01/2026;{cells}\n"));
        assert!(error.to_string().starts_with("line 2, column Cargo: expected an amount here"), "{error}");
    }
}

#[test]
fn a_balance_that_does_not_follow_is_named_by_its_row() {
    let error = refusal(&CSV.replace("2.209,90", "2.209,91"));
    assert_eq!(error.code(), "statement_inconsistent");
    assert!(
        error
            .to_string()
            .starts_with("line 6, column Saldo: the balance is stated as 2209.91, computed as 2209.90"),
        "{error}"
    );
    let oldest_first =
        "date,amount,balance\n2026-01-01,1.00,1.00\n2026-01-02,1.00,2.00\n2026-01-03,1.00,4.00\n";
    assert!(refusal(oldest_first).to_string().starts_with("line 4, column balance"));
}

#[test]
fn a_column_that_is_missing_is_named_with_those_that_there_are() {
    let error = refusal("Fecha;Texto;Valoración\n31/01/2026;Luz;1,00\n");
    assert_eq!(error.code(), "column_missing");
    assert_eq!(
        error.to_string(),
        "no column for the amount (importe, amount, or cargo and abono): say which it is in the mapping; \
         the file has Fecha, Texto, Valoración"
    );
    let error = mapped(CSV, CsvMapping::new(name("Fecha operacion"), AmountColumns::Signed(name("Total"))));
    assert_eq!(
        error.expect_err("no such column").to_string(),
        "no column for Total: say which it is in the mapping; \
         the file has Fecha operación, Fecha valor, Concepto, Importe, Saldo"
    );
}

#[test]
fn a_mapping_reads_a_table_without_titles() {
    let mut mapping = CsvMapping::new(Column::Number(2), AmountColumns::Signed(Column::Number(1)));
    mapping.has_header = false;
    mapping.description = vec![Column::Number(3), Column::Number(4)];
    let text = "-1,00|31/01/2026|Luz|enero\n2,00|31/01/2026|Gas|enero\n";
    let statement = mapped(text, mapping.clone()).expect("a statement");
    assert_eq!(statement.movements[0].description, "Luz enero");
    mapping.balance = Some(Column::Number(9));
    assert_eq!(mapped(text, mapping).expect_err("no ninth").code(), "column_missing");
}

#[test]
fn cells_that_are_wrong_are_told_up_to_twenty() {
    let rows = "ayer;mucho\n".repeat(15);
    let error = refusal(&format!("fecha;importe\n{rows}"));
    let ReadError::Cells { first, more } = &error else { panic!("{error}") };
    assert_eq!((first.len(), *more), (20, 10));
    assert!(error.to_string().ends_with("; and 10 more"));
}

#[test]
fn the_currency_of_each_row_is_that_of_the_account() {
    let statement = one("fecha;importe;divisa\n31/01/2026;1,00;EUR\n");
    assert_eq!(statement.currency, Some(Currency::EUR));
    let error = refusal("fecha;importe;divisa\n31/01/2026;1,00;USD\n");
    assert_eq!(error.to_string(), "line 2, column divisa: expected the currency of the account");
}

#[test]
fn a_quoted_cell_may_have_line_breaks_and_lines_are_counted_on() {
    let statement = one("fecha;concepto;importe\n30/01/2026;\"Luz\r\nenero\";1,00\n31/01/2026;Gas;1,00\n");
    assert_eq!(statement.movements[0].description, "Luz enero");
    assert_eq!(statement.movements[1].position, 4);
    let open = refusal("fecha;concepto;importe\n30/01/2026;\"Luz;1,00\n");
    assert_eq!(open.to_string(), "line 2: expected a closing quotation mark");
}

#[test]
fn an_amount_in_another_currency_is_refused() {
    for text in ["12,34USD", "$100,00", "100,00 GBP", "£1,00"] {
        let error = refusal(&format!("fecha;importe\n31/01/2026;{text}\n31/01/2026;-1,5\n"));
        let expected = "line 2, column importe: expected an amount in the currency of the account";
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let error = refusal("fecha;importe (USD)\n31/01/2026;1,50\n");
    assert!(error.to_string().contains("importe (USD): expected the currency of the account"), "{error}");
    assert_eq!(one("fecha;importe (EUR)\n31/01/2026;1,50\n").movements[0].amount, eur("1.50"));
}

#[test]
fn a_side_behind_an_amount_is_its_sign() {
    let read = |text: &str| one(&format!("fecha;importe\n31/01/2026;{text}\n31/01/2026;-1,5\n"));
    for (text, expected) in
        [("100,00 D", "-100.00"), ("DR 100,00", "-100.00"), ("100,00 H", "100.00"), ("1,00CR", "1.00")]
    {
        assert_eq!(read(text).movements[0].amount, eur(expected), "{text}");
    }
    refusal("fecha;importe\n31/01/2026;-100,00 D\n31/01/2026;-1,5\n");
}

#[test]
fn a_debit_with_a_sign_beside_others_without_came_back() {
    let rows = "fecha;cargo;abono\n31/01/2026;100,00;\n31/01/2026;-40,00;\n31/01/2026;;7,00\n";
    let amounts: Vec<_> = one(rows).movements.iter().map(|movement| movement.amount).collect();
    assert_eq!(amounts, [eur("-100.00"), eur("40.00"), eur("7.00")]);
    let signed = "fecha;cargo;abono\n31/01/2026;-100,00;\n31/01/2026;-40,00;\n31/01/2026;0,00;7,00\n";
    let amounts: Vec<_> = one(signed).movements.iter().map(|movement| movement.amount).collect();
    assert_eq!(amounts, [eur("-100.00"), eur("-40.00"), eur("7.00")]);
}

#[test]
fn balances_that_fit_either_way_prove_no_ends() {
    let statement = one("fecha;importe;saldo\n31/01/2026;50,00;100,00\n31/01/2026;-50,00;50,00\n");
    assert_eq!((statement.opening, statement.closing), (None, None));
    assert_eq!(statement.warnings, [Warning::NotProven]);
    let statement = one("fecha;importe;saldo\n30/01/2026;50,00;100,00\n31/01/2026;-50,00;50,00\n");
    assert_eq!((statement.opening, statement.closing), (Some(eur("50.00")), Some(eur("50.00"))));
}

#[test]
fn a_long_file_is_text_wherever_its_head_ends() {
    for more in 0..4 {
        let name = format!("{}{}", "x".repeat(more), "MARÍA ÁÑ".repeat(20));
        let rows = format!("31/01/2026;{name};-1,50\n").repeat(100);
        assert_eq!(one(&format!("fecha;concepto;importe\n{rows}")).movements.len(), 100);
    }
}
