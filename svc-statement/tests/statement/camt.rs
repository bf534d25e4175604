//! camt.053 of ISO 20022.

use svc_statement::{ReadError, Warning};

use crate::samples::{CAMT_02, camt_08};
use crate::{day, eur, one, refusal};

#[test]
fn a_statement_is_read_with_all_that_it_says() {
    let statement = one(CAMT_02);
    assert_eq!(statement.account.iban.as_deref(), Some("ES9121000418450200051332"));
    assert_eq!(statement.holder.as_deref(), Some("Talleres Ejemplo SL"));
    assert_eq!((statement.from, statement.to), (Some(day(2026, 1, 1)), Some(day(2026, 1, 31))));
    assert_eq!((statement.opening, statement.closing), (Some(eur("1000.00")), Some(eur("2459.90"))));

    let [transfer, direct_debit, first, second] = statement.movements.as_slice() else {
        panic!("four movements")
    };
    assert_eq!((transfer.booking_date, transfer.value_date), (day(2026, 1, 5), day(2026, 1, 6)));
    assert_eq!(transfer.amount, eur("1210.00"));
    assert_eq!(transfer.counterparty_name.as_deref(), Some("Comercial Inventada & Cía"));
    assert_eq!(transfer.counterparty_iban.as_deref(), Some("DE89370400440532013000"));
    assert_eq!(transfer.references, ["0001", "SRV1", "TX1", "RF18539007547034"]);
    assert_eq!(transfer.bank_code.as_deref(), Some("PMNT-RCDT-ESCT"));
    assert_eq!(transfer.description, "Factura F2025-00042 Transferencia recibida");
    assert_eq!((direct_debit.amount, direct_debit.value_date), (eur("-50.10"), day(2026, 1, 10)));
    assert_eq!(direct_debit.bank_code.as_deref(), Some("03-038"));
    assert_eq!((first.amount, second.amount), (eur("100.00"), eur("200.00")));
    assert_eq!(first.references, ["E1", "M1"]);
    assert_eq!(second.counterparty_name.as_deref(), Some("Socio Dos"));
    assert_eq!((first.position, second.position), (3, 3));
}

#[test]
fn both_versions_say_the_same() {
    assert_eq!(one(&camt_08()), one(CAMT_02));
}

#[test]
fn a_prefix_of_the_namespace_does_not_matter() {
    let mut prefixed = CAMT_02.replace("</", "\u{0}").replace('<', "<n:").replace('\u{0}', "</n:");
    prefixed = prefixed.replace("<n:?xml", "<?xml").replace("xmlns=", "xmlns:n=");
    assert_eq!(one(&prefixed), one(CAMT_02));
}

#[test]
fn entries_that_are_not_booked_are_left_out_and_counted() {
    assert_eq!(one(CAMT_02).warnings, [Warning::PendingLeftOut { entries: 1 }]);
}

#[test]
fn a_batch_stays_one_movement_unless_its_amounts_come_to_it() {
    let differs = CAMT_02.replace(">200.00<", ">200.01<");
    let in_dollars = CAMT_02.replace("<TxAmt><Amt Ccy=\"EUR\">200", "<TxAmt><Amt Ccy=\"USD\">200");
    let without = CAMT_02.replace("<AmtDtls><TxAmt><Amt Ccy=\"EUR\">100.00</Amt></TxAmt></AmtDtls>", "");
    for text in [differs, in_dollars, without] {
        let statement = one(&text);
        assert_eq!(statement.movements.len(), 3);
        assert_eq!(statement.movements[2].amount, eur("300.00"));
        assert_eq!(statement.movements[2].counterparty_name, None);
    }
}

#[test]
fn the_other_side_of_a_debit_is_the_creditor_and_of_its_return_too() {
    let paid = CAMT_02.replacen("CRDT</CdtDbtInd><Sts>", "DBIT</CdtDbtInd><Sts>", 1);
    let paid = paid.replace(">2459.90<", ">39.90<");
    assert_eq!(one(&paid).movements[0].counterparty_name.as_deref(), Some("Talleres Ejemplo SL"));
    let indicator = "CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts>";
    let returned = CAMT_02.replacen("CRDT</CdtDbtInd><Sts>", indicator, 1);
    let movement = one(&returned).movements.remove(0);
    assert_eq!(movement.amount, eur("1210.00"));
    assert_eq!(movement.counterparty_name.as_deref(), Some("Talleres Ejemplo SL"));
}

#[test]
fn balances_that_the_movements_do_not_make_are_refused() {
    let error = refusal(&CAMT_02.replace(">50.1<", ">50.2<"));
    assert_eq!(error.code(), "statement_inconsistent");
    assert_eq!(
        error.to_string(),
        "Document/BkToCstmrStmt/Stmt[1]: the closing balance is stated as 2459.90, computed as 2459.80: \
         the file is incomplete or was changed"
    );
}

#[test]
fn without_balances_nothing_is_proven() {
    let without = CAMT_02.replace(">CLBD<", ">CLAV<");
    let statement = one(&without);
    assert_eq!(statement.closing, None);
    assert!(statement.warnings.contains(&Warning::NotProven));
}

#[test]
fn what_is_wrong_is_named_by_its_path() {
    let entry = "Document/BkToCstmrStmt/Stmt[1]/Ntry";
    let cases = [
        (">50.1<", ">50,1<", format!("{entry}[2]/Amt: expected an amount with at most 2 decimals")),
        (">50.1<", ">50.101<", format!("{entry}[2]/Amt: expected an amount with at most 2 decimals")),
        (">50.1<", ">-50.1<", format!("{entry}[2]/Amt: expected an amount with at most 2 decimals")),
        (">50.1<", ">9999999999999999<", format!("{entry}[2]/Amt: the amount is out of range")),
        ("2026-01-05", "2026-02-30", format!("{entry}[1]/BookgDt/Dt: expected a date YYYY-MM-DD")),
        ("\"EUR\">50.1", "\"USD\">50.1", format!("{entry}[2]/Amt: expected EUR, the currency of the account")),
        (">DBIT</CdtDbtInd><Sts>BOOK", ">D</CdtDbtInd><Sts>BOOK", format!("{entry}[2]/CdtDbtInd: expected CRDT or DBIT")),
        (
            "<IBAN>ES91",
            "<IBAN>ES92",
            "Document/BkToCstmrStmt/Stmt[1]/Acct/Id: expected an account number with valid check digits in Id/IBAN"
                .to_owned(),
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(refusal(&CAMT_02.replacen(old, new, 1)).to_string(), expected);
    }
}

#[test]
fn other_versions_and_other_documents_are_named() {
    for (other, found) in [("camt.053.001.13", "camt.053.001.13"), ("camt.052.001.08", "camt.052.001.08")] {
        let error = refusal(&CAMT_02.replace("camt.053.001.02", other));
        assert_eq!(error, ReadError::Unsupported { found: found.to_owned() });
        assert!(error.to_string().contains("camt.053.001.02 and camt.053.001.08"), "{error}");
    }
    let invoice = refusal("<?xml version=\"1.0\"?><Invoice><ID>1</ID></Invoice>");
    assert_eq!(invoice, ReadError::Unsupported { found: "XML that begins with <Invoice>".to_owned() });
}
