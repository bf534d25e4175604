//! One document for each thing that may be in one.

use svc_core::money::Amount;
use svc_einvoice::model::{
    Correction, CorrectionMethod, CorrectionReason, Delivery, Invoice, Kind, Party, PaymentMethod, Period,
    Preceding,
};
use time::macros::date;

use super::builder::{Draft, Row, abroad, address, in_english};

const WORK: Row<'static> = ("Consultoría fiscal", "10", "HUR", "85.50", "0", "es_vat_21", "0");
const GOODS: Row<'static> = ("Papel A4, 80 g", "3", "C62", "19.999", "0", "es_vat_21", "0");
const BOOK: Row<'static> = ("Manual de contabilidad", "1", "C62", "12.345", "0", "es_vat_4", "0");

pub(super) fn vector() -> Invoice {
    let rows = vec![
        ("Consulting", "10", "HUR", "85.50", "10", "es_vat_21", "15"),
        ("Paper", "3", "C62", "19.999", "0", "es_vat_21", "0"),
        ("Book", "1", "C62", "12.345", "0", "es_vat_4", "0"),
    ];
    Draft { discount: "5%", ..Draft::new(rows) }.build()
}

pub(super) fn all() -> Vec<(&'static str, Invoice)> {
    let mut all = domestic();
    all.extend(abroads());
    all.extend(special());
    all.extend(correctives());
    all
}

fn domestic() -> Vec<(&'static str, Invoice)> {
    let row = |tax| ("Servicio", "2.5", "C62", "120.40", "0", tax, "0");
    let mut verified = Draft::new(vec![WORK, GOODS, BOOK]).build();
    verified.verification_url = Some(
        "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=F2025-00042&fecha=14-03-2025&importe=1119.99"
            .to_owned(),
    );
    let mut exempt =
        Draft { exemption: "Exenta por el art. 20 de la Ley 37/1992", ..Draft::new(vec![row("es_exempt")]) }
            .build();
    exempt.operation_date = Some(date!(2025 - 03 - 01));
    let mut not_subject = Draft::new(vec![row("es_not_subject")]).build();
    for party in [&mut not_subject.seller, not_subject.buyer.as_mut().expect("it has one")] {
        party.registration = party.vat_number.take();
    }
    vec![
        ("vector", vector()),
        ("verified", verified),
        (
            "line-discounts",
            Draft::new(vec![
                ("Tóner", "7", "C62", "33.33", "12.5", "es_vat_21", "0"),
                ("Pan", "3", "KGM", "1.05", "100", "es_vat_4", "0"),
                ("Agua", "1.333", "LTR", "2.10", "3", "es_vat_10", "0"),
            ])
            .build(),
        ),
        (
            "document-discount-amount",
            Draft { discount: "100.01", ..Draft::new(vec![WORK, GOODS, BOOK]) }.build(),
        ),
        (
            "surcharge",
            Draft {
                discount: "3%",
                ..Draft::new(vec![
                    ("Zapatos", "12", "C62", "31.27", "5", "es_vat_21_re", "0"),
                    ("Fruta", "8.25", "KGM", "2.39", "0", "es_vat_4_re", "0"),
                    ("Conservas", "24", "C62", "1.99", "0", "es_vat_10_re", "0"),
                ])
            }
            .build(),
        ),
        ("withholding", Draft::new(vec![("Honorarios", "1", "C62", "1500", "0", "es_vat_21", "15")]).build()),
        (
            "two-withholdings",
            Draft {
                discount: "10%",
                ..Draft::new(vec![
                    ("Honorarios", "1", "C62", "999.99", "0", "es_vat_21", "15"),
                    ("Alquiler de local", "1", "MON", "750", "0", "es_vat_21", "19"),
                    GOODS,
                ])
            }
            .build(),
        ),
        ("exempt", exempt),
        ("reverse-charge", Draft::new(vec![row("es_reverse")]).build()),
        ("not-subject", not_subject),
        (
            "disbursements",
            Draft::new(vec![
                WORK,
                ("Suplidos: tasas del Registro Mercantil", "1", "C62", "38.20", "0", "es_not_subject", "0"),
            ])
            .build(),
        ),
        ("igic", Draft::new(vec![row("ic_igic_7"), row("ic_igic_3"), row("ic_igic_0")]).build()),
        ("ipsi", Draft::new(vec![row("ce_ipsi_10"), row("ce_ipsi_0_5")]).build()),
        ("zero-rate", Draft::new(vec![row("es_vat_0"), GOODS]).build()),
    ]
}

fn abroads() -> Vec<(&'static str, Invoice)> {
    let mut within = Draft::new(vec![("Valves", "40", "C62", "18.75", "2", "es_intra_supply", "0")]).build();
    within.buyer = Some(abroad("Ventile GmbH", Some("DE123456789"), None, "DE"));
    within.delivery = Some(Delivery { date: Some(date!(2025 - 03 - 12)), country: Some("DE".to_owned()) });
    let mut export = Draft {
        currency: "USD",
        rate: "0.92035",
        ..Draft::new(vec![("Olive oil", "600", "LTR", "7.4525", "0", "es_export", "0")])
    }
    .build();
    export.buyer = Some(abroad("Gourmet Foods Inc.", None, Some("12-3456789"), "US"));
    let mut pounds = Draft {
        currency: "GBP",
        rate: "1.1873",
        discount: "2.5%",
        ..Draft::new(vec![
            ("Design of a web page", "1", "C62", "2400", "0", "es_vat_21", "0"),
            ("Hosting", "12", "MON", "19.99", "0", "es_vat_21", "0"),
        ])
    }
    .build();
    pounds.buyer = Some(abroad("Harbour & Sons Ltd", None, Some("01234567"), "GB"));
    pounds.payment.bic = Some("CAIXESBBXXX".to_owned());
    let mut yen = Draft {
        currency: "JPY",
        rate: "0.0061",
        ..Draft::new(vec![("Translation", "12", "HUR", "9800", "10", "es_vat_21", "0")])
    }
    .build();
    yen.buyer = Some(abroad("Tokyo Trading KK", None, Some("JP-7010401"), "JP"));
    let mut english = vector();
    english.buyer = Some(abroad("Dublin Consulting Ltd", Some("IE1234567FA"), None, "IE"));
    english.references.order = Some("PO-7741".to_owned());
    vec![
        ("intra-community", in_english(within)),
        ("export-dollars", in_english(export)),
        ("pounds", in_english(pounds)),
        ("yen", in_english(yen)),
        ("english", in_english(english)),
    ]
}

fn special() -> Vec<(&'static str, Invoice)> {
    let simplified = |rows, discount| {
        Draft { kind: Kind::Simplified, prices_include_tax: true, discount, ..Draft::new(rows) }.build()
    };
    let mut anonymous = simplified(vec![("Menú del día", "2", "C62", "14.90", "0", "es_vat_10", "0")], "");
    anonymous.buyer = None;
    let included = vec![
        ("Camisa", "3", "C62", "10.00", "0", "es_vat_21", "0"),
        ("Libro", "1", "C62", "19.95", "15", "es_vat_4", "0"),
        ("Fruta", "0.755", "KGM", "3.49", "0", "es_vat_4", "0"),
    ];
    let quote = Draft { kind: Kind::Quote, ..Draft::new(vec![WORK, GOODS]) }.build();
    let proforma = Draft { kind: Kind::Proforma, ..Draft::new(vec![WORK, BOOK]) }.build();
    let texts: Vec<String> =
        (1..=500).map(|at| format!("Artículo {at:03} del catálogo de primavera")).collect();
    let prices: Vec<String> = (1..=500).map(|at| format!("{}.{:02}", at % 97 + 1, at * 7 % 100)).collect();
    let taxes = ["es_vat_21", "es_vat_10", "es_vat_4"];
    let rows = texts.iter().zip(&prices).zip(taxes.iter().cycle());
    let many = rows
        .map(|((text, price), tax)| (text.as_str(), "3", "C62", price.as_str(), "0", *tax, "0"))
        .collect();
    let long = "Mantenimiento anual de la instalación de climatización de la nave 7, con cuatro revisiones, piezas de desgaste, desplazamientos y atención de averías en menos de 24 horas laborables. ".repeat(5);
    let mut paid = Draft::new(vec![WORK, GOODS]).build();
    paid.totals.paid = Amount::parse("400.00", paid.currency).expect("an amount");
    paid.totals.due = paid.totals.payable.minus(paid.totals.paid).expect("in range");
    let mut person = Draft::new(vec![("Traducción jurada", "3", "C62", "80", "0", "es_vat_21", "7")]).build();
    person.seller = Party {
        name: "Lucía García Fernández".to_owned(),
        is_person: true,
        vat_number: Some("ES12345678Z".to_owned()),
        address: address("Rúa do Franco, 3", "15705", "Santiago", "A Coruña", "ES"),
        ..Party::default()
    };
    person.period = Some(Period { start: date!(2025 - 02 - 01), end: date!(2025 - 02 - 28) });
    person.notes =
        vec!["Gracias por su confianza.".to_owned(), "<Importes> en \"euros\" & céntimos #1".to_owned()];
    person.references.contract = Some("C-2024/17".to_owned());
    let mut cash = Draft::new(vec![BOOK]).build();
    cash.payment.method = Some(PaymentMethod::Cash);
    cash.payment.iban = None;
    let free = Draft { discount: "100%", ..Draft::new(vec![GOODS, BOOK]) }.build();
    let returned =
        Draft::new(vec![WORK, ("Devolución de envases", "4", "C62", "-2.50", "0", "es_vat_21", "0")]).build();
    vec![
        ("simplified", simplified(included.clone(), "")),
        ("simplified-anonymous", anonymous),
        ("included-discounts", simplified(included, "7%")),
        (
            "included-surcharge",
            simplified(vec![("Zapatos", "2", "C62", "49.90", "0", "es_vat_21_re", "0")], ""),
        ),
        ("quote", quote),
        ("proforma", proforma),
        ("five-hundred-lines", Draft::new(many).build()),
        (
            "long-texts",
            Draft::new(vec![(long.trim(), "1", "C62", "4200", "0", "es_vat_21", "0"), WORK]).build(),
        ),
        ("partly-paid", paid),
        ("person", person),
        ("cash", cash),
        ("free", free),
        ("negative-price", returned),
    ]
}

fn correctives() -> Vec<(&'static str, Invoice)> {
    let less: Row<'static> = ("Consultoría fiscal", "-4", "HUR", "85.50", "0", "es_vat_21", "15");
    let mut all = vec![
        (
            "corrective-less",
            corrective(CorrectionMethod::Differences, CorrectionReason::R1, vec![less, BOOK], ""),
        ),
        (
            "corrective-less-discount",
            corrective(CorrectionMethod::Differences, CorrectionReason::R4, vec![less], "5%"),
        ),
        ("corrective-more", corrective(CorrectionMethod::Differences, CorrectionReason::R4, vec![GOODS], "")),
        (
            "corrective-substitution",
            corrective(CorrectionMethod::Substitution, CorrectionReason::R1, vec![WORK, BOOK], "1%"),
        ),
        (
            "corrective-insolvency",
            corrective(
                CorrectionMethod::Differences,
                CorrectionReason::R2,
                vec![("Base imponible modificada", "-1", "C62", "5000", "0", "es_vat_21", "0")],
                "",
            ),
        ),
        (
            "corrective-unpaid",
            corrective(
                CorrectionMethod::Differences,
                CorrectionReason::R3,
                vec![("Crédito incobrable", "-1", "C62", "321.09", "0", "es_vat_10_re", "0")],
                "",
            ),
        ),
    ];
    let mut dollars = Draft {
        currency: "USD",
        rate: "0.9",
        ..Draft::new(vec![("Returned oil", "-20", "LTR", "7.4525", "0", "es_vat_10", "0")])
    };
    dollars.kind = correction(CorrectionMethod::Differences, CorrectionReason::R1);
    all.push(("corrective-dollars", dollars.build()));
    let simplified = corrective(CorrectionMethod::Differences, CorrectionReason::R5, vec![BOOK], "");
    all.push(("corrective-simplified", simplified));
    all
}

fn corrective(
    method: CorrectionMethod,
    reason: CorrectionReason,
    rows: Vec<Row<'_>>,
    discount: &str,
) -> Invoice {
    let mut invoice = Draft { kind: correction(method, reason), discount, ..Draft::new(rows) }.build();
    "R2025-00007".clone_into(&mut invoice.number);
    invoice
}

fn correction(method: CorrectionMethod, reason: CorrectionReason) -> Kind {
    Kind::Corrective(Correction {
        method,
        reason: Some(reason),
        text: "Horas facturadas de más: cuatro".to_owned(),
        corrects: vec![Preceding { number: "F2025-00031".to_owned(), date: Some(date!(2025 - 02 - 28)) }],
    })
}
