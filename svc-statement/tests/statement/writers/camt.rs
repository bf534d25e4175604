//! camt.053 in both versions.

use std::fmt::Write as _;

use quick_xml::escape::escape;
use svc_core::money::Amount;
use svc_statement::{Movement, Statement};

/// A version of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V02,
    V08,
}

fn side(amount: Amount) -> &'static str {
    if amount.minor() < 0 { "DBIT" } else { "CRDT" }
}

/// The size of an amount and its side.
pub(crate) fn sized(amount: Amount) -> String {
    let size = if amount.minor() < 0 { amount.negated() } else { amount };
    format!("<Amt Ccy=\"{}\">{size}</Amt><CdtDbtInd>{}</CdtDbtInd>", amount.currency(), side(amount))
}

fn balance(kind: &str, amount: Amount) -> String {
    format!("<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp>{}</Bal>", sized(amount))
}

/// A whole message around statements.
pub(crate) fn message(version: Version, statements: &str) -> String {
    let number = match version {
        Version::V02 => "02",
        Version::V08 => "08",
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.{number}\">\
         <BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr>{statements}</BkToCstmrStmt></Document>"
    )
}

/// One statement; its movements are one entry each.
pub(crate) fn statement(version: Version, statement: &Statement) -> String {
    let mut out = String::from("<Stmt><Id>S1</Id>");
    if let (Some(from), Some(to)) = (statement.from, statement.to) {
        let _ = write!(
            out,
            "<FrToDt><FrDtTm>{from}T00:00:00</FrDtTm><ToDtTm>{to}T23:59:59+01:00</ToDtTm></FrToDt>"
        );
    }
    let _ = write!(
        out,
        "<Acct><Id><IBAN>{}</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>{}</Nm></Ownr></Acct>",
        statement.account.iban.as_deref().unwrap_or_default(),
        escape(statement.holder.as_deref().unwrap_or_default()),
    );
    out.push_str(&balance("OPBD", statement.opening.expect("opening")));
    out.push_str(&balance("CLBD", statement.closing.expect("closing")));
    for movement in &statement.movements {
        out.push_str(&entry(version, movement));
    }
    out + "</Stmt>"
}

fn entry(version: Version, movement: &Movement) -> String {
    let status = match version {
        Version::V02 => "<Sts>BOOK</Sts>",
        Version::V08 => "<Sts><Cd>BOOK</Cd></Sts>",
    };
    let mut references = movement.references.iter();
    let mut out = String::from("<Ntry>");
    if let Some(reference) = references.next() {
        let _ = write!(out, "<NtryRef>{reference}</NtryRef>");
    }
    let _ = write!(
        out,
        "{}{status}<BookgDt><Dt>{}</Dt></BookgDt><ValDt><Dt>{}</Dt></ValDt>\
         <BkTxCd><Prtry><Cd>{}</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><Refs>",
        sized(movement.amount),
        movement.booking_date,
        movement.value_date,
        movement.bank_code.as_deref().unwrap_or_default(),
    );
    for (reference, element) in references.zip(["InstrId", "TxId"]) {
        let _ = write!(out, "<{element}>{reference}</{element}>");
    }
    let party = if movement.amount.minor() < 0 { "Cdtr" } else { "Dbtr" };
    let name = movement.counterparty_name.as_deref().map(|name| format!("<Nm>{}</Nm>", escape(name)));
    let name = name.map(|name| match version {
        Version::V02 => format!("<{party}>{name}</{party}>"),
        Version::V08 => format!("<{party}><Pty>{name}</Pty></{party}>"),
    });
    let account = movement.counterparty_iban.as_deref();
    let account = account.map(|iban| format!("<{party}Acct><Id><IBAN>{iban}</IBAN></Id></{party}Acct>"));
    let _ = write!(
        out,
        "<EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties>{}{}</RltdPties>\
         <RmtInf><Ustrd>{}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>",
        name.unwrap_or_default(),
        account.unwrap_or_default(),
        escape(&movement.description),
    );
    out
}
