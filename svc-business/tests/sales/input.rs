//! What clients write: documents, series and the bodies of verbs.

use serde_json::{Value, json};
use svc_business::sales::document::{
    Acceptance, Action, DocType, ItemType, Kind, SalesDocument, State, WrongState,
};
use svc_business::sales::input::{SalesDocumentInput, SeriesInput};
use svc_business::sales::rules::{AmendRefused, LineDefaults, Setting, amend, apply_series, draft as apply};
use svc_business::sales::series::{LastIssued, Series};
use svc_business::trade::ExemptionCode;
use svc_core::error::Validator;
use svc_core::id::SalesLineId;
use svc_core::money::Currency;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::wire::{MergePatch, Parts, Verb, patch_schema};
use svc_testkit::business::sample;
use time::macros::date;

use super::documents::{DAY, Texts, draft, euros, findings, ids, invoice, rate, unknown};

const ONE: Texts<'static> = ("1", "100.00", "0", "es_vat_21", "0");

pub(crate) fn defaults() -> LineDefaults {
    LineDefaults { tax_code: Some("es_vat_21".to_owned()), surcharge: false, ..LineDefaults::default() }
}

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
fn setting(creating: bool) -> Setting<'static> {
    let access = PiiAccess::Full(Reveal::granted());
    Setting { today: DAY, ids: ids(), access, defaults: defaults(), creating }
}

fn input(body: &Value) -> SalesDocumentInput {
    serde_json::from_value(body.clone()).expect("a patch")
}

fn judged<T>(validator: Validator, value: T) -> Result<T, Vec<String>> {
    validator.finish().map(|()| value).map_err(|invalid| findings(&invalid))
}

fn create(body: &Value) -> Result<SalesDocument, Vec<String>> {
    let mut validator = Validator::new();
    let blank = SalesDocument::blank(sample::id(1), Currency::EUR, &ids());
    let created = apply(&mut validator, &blank, &input(body), &setting(true)).expect("a draft");
    judged(validator, created)
}

fn update(base: &SalesDocument, body: &Value) -> Result<SalesDocument, Vec<String>> {
    let mut validator = Validator::new();
    let updated = apply(&mut validator, base, &input(body), &setting(false)).expect("a draft");
    judged(validator, updated)
}

/// The body of a document with these members over the least that there must be.
fn body(members: &Value) -> Value {
    let mut body = json!({"docType": "invoice", "contactId": sample::contact_id(1)});
    let all = body.as_object_mut().expect("an object");
    all.extend(members.as_object().expect("an object").clone());
    body
}

pub(crate) fn line(members: &Value) -> Value {
    let mut line = json!({"description": "Consulting", "unitPrice": "100"});
    line.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    line
}

#[test]
fn a_document_is_made_of_what_a_client_writes() {
    let worked = create(&body(&json!({
        "issueDate": "2025-03-14", "dueDate": "2025-04-13", "reference": "PO-1", "tags": ["a"],
        "discount": {"type": "percent", "value": "5"},
        "lines": [
            {"description": "Consulting", "quantity": "10", "unitPrice": "85.50", "discountPercent": "10",
             "withholdingRate": "15", "unit": "HUR", "accountCode": "7050001"},
            {"description": "Paper", "quantity": "3", "unitPrice": "19.999", "itemType": "good"},
            {"description": "Book", "unitPrice": "12.345", "taxCode": "es_vat_4", "tags": {"project": "roof"}},
        ],
    })))
    .expect("nothing is wrong with it");
    assert_eq!(worked.content.totals().payable, euros("856.07"));
    assert_eq!((worked.state(), worked.issue_date()), (State::Draft, Some(DAY)));
    let lines = worked.content.lines();
    assert_eq!((lines[0].unit.to_string(), lines[1].item_type), ("HUR".to_owned(), ItemType::Good));
    assert_eq!(lines[2].tags.get("project").map(String::as_str), Some("roof"));
    let same = update(&worked, &json!({})).expect("a patch of nothing");
    assert_eq!(same, worked);
}

#[test]
fn every_broken_rule_is_named_by_its_field() {
    let wrong = create(&json!({
        "docType": "invoice", "issueDate": "2025-13-01", "operationDate": "today", "currency": "EURO",
        "fxRate": "0", "rectifies": {"documentIds": [], "method": "differences", "reasonCode": "R1", "reason": "x"},
        "iban": "ES00", "reference": " ",
        "lines": [line(&json!({
            "quantity": "0", "unitPrice": "1e3", "discountPercent": "101", "taxCode": "es_in_21",
            "unit": "hours", "accountCode": "0", "withholdingRate": "x",
        }))],
    }));
    let mut expected = vec![
        "rectifies not_allowed",
        "issueDate invalid_date",
        "operationDate invalid_date",
        "contactId required",
        "currency invalid_currency",
        "fxRate invalid_rate",
        "lines[0].quantity out_of_range",
        "lines[0].unit invalid_unit",
        "lines[0].unitPrice invalid_price",
        "lines[0].discountPercent out_of_range",
        "lines[0].withholdingRate out_of_range",
        "lines[0].accountCode invalid_account_code",
        "lines[0].taxCode invalid_tax_code",
        "reference required",
        "iban invalid_iban",
    ];
    let mut found = wrong.expect_err("all of it is wrong");
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(create(&json!({})).expect_err("empty"), ["docType required", "contactId required"]);
}

#[test]
fn one_rule_after_the_other() {
    let lines = |members: Value| json!({"lines": [line(&members)]});
    for (members, expected) in [
        (lines(json!({"withholdingRate": "48"})), "lines[0].withholdingRate out_of_range"),
        (lines(json!({"description": " "})), "lines[0].description required"),
        (lines(json!({"description": "x".repeat(1_001)})), "lines[0].description too_long"),
        (lines(json!({"taxCode": "es_export", "exemptionCode": "E1"})), "lines[0].exemptionCode not_allowed"),
        (lines(json!({"id": sample::id::<SalesLineId>(1)})), "lines[0].id unknown_reference"),
        (lines(json!({"tags": {"": "x"}})), "lines[0].tags. too_long"),
        (lines(json!({"unitPrice": "9000000000000", "quantity": "2"})), "lines[0] out_of_range"),
        (json!({"issueDate": "2025-03-14", "dueDate": "2025-03-13"}), "dueDate out_of_range"),
        (json!({"fxRate": "1.1"}), "fxRate out_of_range"),
        (json!({"discount": {"type": "amount", "value": "5"}}), "discount.value invalid_amount"),
        (json!({"discount": {"type": "amount", "value": "5.00"}}), "discount.value out_of_range"),
        (json!({"discount": {"type": "percent", "value": "101"}}), "discount.value out_of_range"),
        (json!({"docType": "rectifying"}), "rectifies required"),
        (json!({"pricesIncludeTax": null}), "pricesIncludeTax required"),
        (json!({"iban": "ES91****1332"}), "iban masked_value_rejected"),
        (json!({"lines": vec![line(&json!({})); 501]}), "lines too_many"),
    ] {
        assert_eq!(create(&body(&members)).expect_err("wrong"), [expected], "{members}");
    }
    let twice = json!({"lines": [
        line(&json!({"taxCode": "es_exempt", "exemptionCode": "E1"})),
        line(&json!({"taxCode": "es_exempt", "exemptionCode": "E6"})),
    ]});
    assert_eq!(create(&body(&twice)).expect_err("wrong"), ["lines[1].exemptionCode exemption_mixed"]);
    let issued = update(&draft(DocType::Invoice, &[ONE]), &json!({"issue": true}));
    assert_eq!(issued.expect_err("it has an action"), ["issue not_allowed"]);
    create(&body(&json!({"issue": true}))).expect("a new one may be issued at once");
}

#[test]
fn a_line_without_a_tax_has_that_of_its_customer() {
    let taxed = |defaults: LineDefaults| {
        let mut validator = Validator::new();
        let setting = Setting { defaults, ..setting(true) };
        let blank = SalesDocument::blank(sample::id(1), Currency::EUR, &ids());
        let input = input(&body(&json!({"lines": [line(&json!({}))]})));
        let created = apply(&mut validator, &blank, &input, &setting).expect("a draft");
        judged(validator, created).map(|created| created.content.lines()[0].tax.code)
    };
    let of = |code: &str, surcharge| LineDefaults {
        tax_code: Some(code.to_owned()),
        surcharge,
        ..LineDefaults::default()
    };
    assert_eq!(taxed(of("es_vat_10", false)), Ok("es_vat_10"));
    assert_eq!(taxed(of("es_vat_10", true)), Ok("es_vat_10_re"));
    assert_eq!(taxed(of("es_export", true)), Ok("es_export"));
    let none = LineDefaults::default();
    assert_eq!(taxed(none), Err(vec!["lines[0].taxCode required".to_owned()]));
    let only = create(&body(&json!({"lines": [line(&json!({"taxCode": "es_intra_supply"}))]})));
    let exemption = only.expect("valid").content.lines()[0].exemption;
    assert_eq!(exemption.map(ExemptionCode::name), Some("E5"));
}

#[test]
fn lines_keep_their_ids_and_nothing_else() {
    let base = draft(DocType::Invoice, &[("2", "10.00", "5", "es_vat_4", "15"), ONE]);
    let [first, second] = base.content.lines() else { panic!("two lines") };
    let body =
        json!({"lines": [line(&json!({"id": second.id})), line(&json!({})), line(&json!({"id": first.id}))]});
    let after = update(&base, &body).expect("valid");
    let lines = after.content.lines();
    assert_eq!((lines[0].id, lines[2].id), (second.id, first.id));
    assert!(lines[1].id != first.id && lines[1].id != second.id);
    assert_eq!((lines[2].quantity.to_string(), lines[2].tax.code), ("1".to_owned(), "es_vat_21"));
    let body = json!({"lines": [line(&json!({"id": first.id})), line(&json!({"id": first.id}))]});
    assert_eq!(update(&base, &body).expect_err("twice"), ["lines[1].id duplicate"]);
    assert!(update(&base, &json!({"lines": null})).expect("cleared").content.lines().is_empty());
}

#[test]
fn a_change_of_currency_type_or_day_is_judged_with_what_is_there() {
    let base = create(&body(&json!({
        "lines": [line(&json!({"taxCode": "ic_igic_7"}))], "discount": {"type": "amount", "value": "5.00"},
    })))
    .expect("valid");
    let yen = update(&base, &json!({"currency": "JPY", "fxRate": "0.0061"}));
    assert_eq!(yen.expect_err("the discount is in euros"), ["discount.value invalid_currency"]);
    let yen = json!({"currency": "JPY", "fxRate": "0.0061", "discount": null});
    let yen = update(&base, &yen).expect("valid");
    assert_eq!(yen.fx_rate(), Some(rate("0.0061")));
    assert_eq!(yen.content.currency().code(), "JPY");
    let back = update(&yen, &json!({"currency": null})).expect("the company's");
    assert_eq!(back.content.currency(), Currency::EUR);
    let then = update(&base, &json!({"operationDate": "2019-06-30"}));
    assert_eq!(then.expect_err("it was 6.5 then"), ["lines[0].taxCode invalid_tax_code"]);
    let then = update(&base, &json!({"operationDate": "2018-06-30"})).expect("valid");
    assert!(then.content.lines()[0].tax.holds(date!(2018 - 06 - 30)));

    let quote = update(&base, &json!({"docType": "quote"})).expect("valid");
    assert_eq!(quote.kind, Kind::Quote { acceptance: Acceptance::Pending });
    let anonymous = json!({"docType": "simplified_invoice", "contactId": null});
    assert_eq!(update(&base, &anonymous).expect("valid").contact, None);
    assert_eq!(update(&base, &json!({"contactId": null})).expect_err("who?"), ["contactId required"]);
    let rectifies = json!({"docType": "rectifying", "rectifies": {
        "documentIds": [unknown()], "method": "differences", "reasonCode": "R1", "reason": "Returned",
    }});
    let rectifying = update(&base, &rectifies).expect("valid");
    assert_eq!(rectifying.kind.rectification().map(|one| one.originals.clone()), Some(vec![unknown()]));
    assert_eq!(update(&rectifying, &json!({"notes": "x"})).expect("kept").kind, rectifying.kind);
    assert_eq!(
        update(&rectifying, &json!({"rectifies": null})).expect_err("it needs them"),
        ["rectifies required"]
    );
    let twice = json!({"rectifies": {
        "documentIds": [unknown(), unknown()], "method": "differences", "reasonCode": "R1", "reason": " ",
    }});
    let expected = ["rectifies.documentIds[1] duplicate", "rectifies.reason required"];
    assert_eq!(update(&rectifying, &twice).expect_err("wrong"), expected);
}

#[test]
fn little_may_change_of_an_issued_document() {
    let document = invoice(&[ONE]);
    let amended = |body: &Value| {
        let mut validator = Validator::new();
        amend(&mut validator, &document, &input(body)).map(|after| judged(validator, after))
    };
    let allowed = json!({
        "internalNotes": "late", "reference": "PO-2", "dueDate": "2025-05-01", "tags": ["b"],
        "metadata": {"region": "north"},
    });
    let after = amended(&allowed).expect("allowed").expect("valid");
    assert_eq!((after.due_date(), after.reference.as_deref()), (Some(date!(2025 - 05 - 01)), Some("PO-2")));
    assert_eq!(after.content, document.content);
    assert_eq!(amended(&json!({})), Ok(Ok(document.clone())));
    for field in [
        json!({"lines": []}),
        json!({"docType": "quote"}),
        json!({"seriesId": null}),
        json!({"issueDate": "2025-03-14"}),
        json!({"operationDate": null}),
        json!({"contactId": null}),
        json!({"currency": "EUR"}),
        json!({"fxRate": "1"}),
        json!({"pricesIncludeTax": false}),
        json!({"discount": null}),
        json!({"notes": "x"}),
        json!({"paymentMethod": "cash"}),
        json!({"iban": null}),
        json!({"rectifies": null}),
        json!({"externalId": "x"}),
        json!({"issue": true}),
    ] {
        let name = field.as_object().and_then(|members| members.keys().next().cloned()).expect("one member");
        let Err(AmendRefused::Fixed { field }) = amended(&field) else { panic!("{name} was taken") };
        assert_eq!(field, name);
    }
    for (body, expected) in [("2025-03-13", "dueDate out_of_range"), ("soon", "dueDate invalid_date")] {
        let found = amended(&json!({"dueDate": body})).expect("allowed").expect_err("wrong");
        assert_eq!(found, [expected]);
    }
    let found = amended(&json!({"dueDate": null})).expect("allowed").expect_err("wrong");
    assert_eq!(found, ["dueDate required"]);
    let state = WrongState { action: Action::Update, state: State::Issued };
    let refused = apply(&mut Validator::new(), &document, &input(&json!({})), &setting(false));
    assert_eq!(refused, Err(state));
    let draft = draft(DocType::Invoice, &[ONE]);
    let refused = amend(&mut Validator::new(), &draft, &input(&json!({})));
    assert!(matches!(refused, Err(AmendRefused::State(_))));
}

fn series(base: Option<&Series>, body: &Value) -> Result<Series, Vec<String>> {
    let input: SeriesInput = serde_json::from_value(body.clone()).expect("a patch");
    let mut validator = Validator::new();
    let after = apply_series(&mut validator, base, &input, sample::id(1), DAY, &ids());
    judged(validator, after).map(|after| after.expect("nothing was found"))
}

#[test]
fn a_series_is_made_of_what_a_client_writes() {
    let made = series(None, &json!({"code": "F", "docTypes": ["invoice"], "firstSequence": 42}));
    let made = made.expect("valid");
    assert_eq!(
        (made.next_sequence(2025), made.pattern.to_string().as_str()),
        (Some(42), "{series}{yyyy}-{seq:5}")
    );
    assert_eq!(series(None, &json!({"code": "f"})), Err(vec!["code invalid_code".to_owned()]));
    assert_eq!(series(None, &json!({})), Err(vec!["code required".to_owned()]));
    let wrong =
        json!({"code": "F", "docTypes": ["invoice", "rectifying"], "pattern": "{seq}", "firstSequence": 0});
    let expected = ["pattern invalid_pattern", "docTypes mixed_series", "firstSequence out_of_range"];
    assert_eq!(series(None, &wrong).expect_err("wrong"), expected);
    let used = Series { last: Some(LastIssued { date: DAY, sequence: 42 }), ..made };
    let found = series(Some(&used), &json!({"pattern": "{series}{yy}{seq:1}", "firstSequence": 43}));
    assert_eq!(found.expect_err("it counts"), ["firstSequence series_in_use", "pattern series_in_use"]);
    let off = series(Some(&used), &json!({"active": false, "externalId": "x"})).expect("valid");
    assert!(!off.active && off.id == used.id);
}

#[test]
fn schemas_say_what_may_be_written() {
    let mut parts = Parts::default();
    let schema = patch_schema::<SalesDocumentInput>(Verb::Create, &mut parts);
    assert_eq!(schema["required"], json!(["docType"]));
    assert_eq!(schema["properties"]["lines"]["maxItems"], json!(500));
    let read_only = Verb::Update.read_only::<SalesDocumentInput>();
    for member in ["number", "totals", "payments", "companyId"] {
        assert!(read_only.contains(&member.to_owned()), "{member}");
    }
    assert_eq!(SeriesInput::NAME, "Series");
    let unknown =
        serde_json::from_value::<SalesDocumentInput>(json!({"lines": [line(&json!({"net": "1"}))]}));
    assert!(unknown.is_err());
}
