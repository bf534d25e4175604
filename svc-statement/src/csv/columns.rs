//! What banks call their columns, in Spanish and English.

use svc_core::money::Currency;

use crate::text::folded;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    BookingDate,
    ValueDate,
    Amount,
    Debit,
    Credit,
    Balance,
    Currency,
    Description,
    Counterparty,
    Iban,
    Reference,
}

/// The longest title that is looked up, in bytes.
const LONGEST_TITLE: usize = 60;
/// Titles in the form of [`folded`].
const TITLES: [(Role, &[&str]); 11] = [
    (
        Role::BookingDate,
        &[
            "fecha",
            "fecha operacion",
            "fecha de operacion",
            "fecha de la operacion",
            "f operacion",
            "fecha contable",
            "f contable",
            "fecha movimiento",
            "fecha de movimiento",
            "fecha mov",
            "fecha apunte",
            "fecha oper",
            "dia",
            "date",
            "booking date",
            "booked date",
            "transaction date",
            "operation date",
            "posting date",
            "completed date",
        ],
    ),
    (Role::ValueDate, &["fecha valor", "fecha de valor", "f valor", "valor", "value date"]),
    (
        Role::Amount,
        &[
            "importe",
            "importe operacion",
            "importe movimiento",
            "importe del movimiento",
            "cantidad",
            "monto",
            "amount",
            "transaction amount",
        ],
    ),
    (
        Role::Debit,
        &[
            "cargo",
            "cargos",
            "debe",
            "adeudo",
            "adeudos",
            "gasto",
            "gastos",
            "salidas",
            "debit",
            "debits",
            "debit amount",
            "money out",
            "paid out",
            "withdrawal",
            "withdrawals",
        ],
    ),
    (
        Role::Credit,
        &[
            "abono",
            "abonos",
            "haber",
            "ingreso",
            "ingresos",
            "entradas",
            "credit",
            "credits",
            "credit amount",
            "money in",
            "paid in",
            "deposit",
            "deposits",
        ],
    ),
    (
        Role::Balance,
        &[
            "saldo",
            "saldo contable",
            "saldo disponible",
            "saldo posterior",
            "saldo tras la operacion",
            "balance",
            "running balance",
            "account balance",
            "closing balance",
        ],
    ),
    (Role::Currency, &["divisa", "moneda", "currency"]),
    (
        Role::Description,
        &[
            "concepto",
            "descripcion",
            "descripcion ampliada",
            "concepto ampliado",
            "concepto propio",
            "concepto comun",
            "detalle",
            "detalles",
            "movimiento",
            "observaciones",
            "mas datos",
            "informacion adicional",
            "comentario",
            "comentarios",
            "texto",
            "description",
            "concept",
            "details",
            "detail",
            "narrative",
            "memo",
            "text",
            "remittance information",
        ],
    ),
    (
        Role::Counterparty,
        &[
            "beneficiario",
            "ordenante",
            "beneficiario ordenante",
            "ordenante beneficiario",
            "contrapartida",
            "nombre",
            "counterparty",
            "counterparty name",
            "payee",
            "payer",
            "name",
        ],
    ),
    (
        Role::Iban,
        &[
            "iban",
            "iban contrapartida",
            "iban beneficiario",
            "iban ordenante",
            "cuenta contrapartida",
            "cuenta beneficiario",
            "counterparty iban",
            "counterparty account",
        ],
    ),
    (
        Role::Reference,
        &[
            "referencia",
            "referencia 1",
            "referencia 2",
            "ref",
            "numero de documento",
            "documento",
            "n documento",
            "num documento",
            "reference",
            "reference 1",
            "reference 2",
            "document number",
        ],
    ),
];

/// The role of a column by its title.
pub(super) fn role(title: &str) -> Option<Role> {
    // Most cells that are asked about are dates and amounts.
    if title.len() > LONGEST_TITLE || !title.chars().any(char::is_alphabetic) {
        return None;
    }
    let folded = folded(title);
    let (plain, _) = split(&folded);
    TITLES.iter().find(|(_, titles)| titles.contains(&plain)).map(|(role, _)| *role)
}

/// The currency that the title of a known column ends with.
pub(super) fn currency(title: &str) -> Option<Currency> {
    role(title)?;
    let folded = folded(title);
    split(&folded).1
}

/// "Importe (EUR)" is an amount, in euros.
fn split(folded: &str) -> (&str, Option<Currency>) {
    let ends = folded.rsplit_once(' ').filter(|(_, code)| code.len() == 3);
    let named = ends.and_then(|(before, code)| Some((before, code.to_ascii_uppercase().parse().ok()?)));
    named.map_or((folded, None), |(before, currency)| (before, Some(currency)))
}
