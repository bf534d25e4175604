//! Names of banks by the code in a Spanish IBAN (Banco de España, register of entities).

/// The name of the bank of this IBAN, if it is one of those that have most accounts.
pub(super) fn name(iban: &str) -> Option<&'static str> {
    let code = iban.strip_prefix("ES")?.get(2..6)?;
    BANKS.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

const BANKS: &[(&str, &str)] = &[
    ("0019", "Deutsche Bank"),
    ("0049", "Banco Santander"),
    ("0061", "Banca March"),
    ("0073", "Openbank"),
    ("0075", "Banco Popular"),
    ("0078", "Banca Pueyo"),
    ("0081", "Banco Sabadell"),
    ("0128", "Bankinter"),
    ("0130", "Banco Caixa Geral"),
    ("0182", "BBVA"),
    ("0186", "Banco Mediolanum"),
    ("0198", "Banco Cooperativo Español"),
    ("0234", "Banco Caminos"),
    ("0235", "Banco Pichincha"),
    ("0237", "Cajasur"),
    ("0239", "EVO Banco"),
    ("0487", "Banco Mare Nostrum"),
    ("1465", "ING"),
    ("1491", "Triodos Bank"),
    ("2038", "Bankia"),
    ("2048", "Liberbank"),
    ("2080", "Abanca"),
    ("2085", "Ibercaja"),
    ("2095", "Kutxabank"),
    ("2100", "CaixaBank"),
    ("2103", "Unicaja"),
    ("3025", "Caixa d'Enginyers"),
    ("3035", "Laboral Kutxa"),
    ("3058", "Cajamar"),
];
