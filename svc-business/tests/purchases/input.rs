//! What clients write: documents and the bodies of verbs.

use serde_json::{Value, json};
use svc_business::books::asset::class::AssetClass;
use svc_business::contact::PaymentMethod;
use svc_business::purchases::document::{
    Action, DocType, Origin, State, SupplierDocument, SupplierNumber, WrongState,
};
use svc_business::purchases::input::{ApproveRequest, PaymentRequest, SupplierDocumentInput};
use svc_business::purchases::rules::{
    AmendRefused, LineDefaults, Setting, SomePayment, amend, draft as apply, read_approve, read_payment,
};
use svc_business::trade::ItemType;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::{SupplierDocumentId, SupplierLineId};
use svc_core::money::Currency;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::wire::{Parts, Verb, patch_schema};
use svc_testkit::business::sample;
use time::macros::date;

use super::documents::{DAY, ONE, OPEN, euros, findings, foreign, ids, invoice, percent, received, supplier};

#[expect(clippy::disallowed_methods, reason = "tests stand in for the authority")]
fn setting(creating: bool) -> Setting<'static> {
    let access = PiiAccess::Full(Reveal::granted());
    let defaults = LineDefaults::of(Some(&supplier()));
    Setting { today: DAY, ids: ids(), access, defaults, creating }
}

fn blank() -> SupplierDocument {
    SupplierDocument::blank(sample::id(1), Currency::EUR, Origin::Manual, DAY, &ids())
}

fn applied(
    base: &SupplierDocument,
    body: &Value,
    setting: &Setting<'_>,
) -> Result<SupplierDocument, Vec<String>> {
    let mut validator = Validator::new();
    let input: SupplierDocumentInput = serde_json::from_value(body.clone()).expect("a patch");
    let document = apply(&mut validator, base, &input, setting).expect("received");
    validator.finish().map(|()| document).map_err(|invalid| findings(&invalid))
}

fn create(body: &Value) -> Result<SupplierDocument, Vec<String>> {
    applied(&blank(), body, &setting(true))
}

fn update(base: &SupplierDocument, body: &Value) -> Result<SupplierDocument, Vec<String>> {
    applied(base, body, &setting(false))
}

fn refused(outcome: Result<SupplierDocument, Vec<String>>) -> Vec<String> {
    outcome.expect_err("a rule is broken")
}

/// The body of a document with these members over the least that there must be.
fn body(members: &Value) -> Value {
    let mut body = json!({"docType": "invoice", "issueDate": "2025-03-01"});
    body.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    body
}

fn line(members: &Value) -> Value {
    let mut line = json!({"description": "Paper", "unitPrice": "100"});
    line.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    line
}

fn of_lines(lines: &[Value]) -> Value {
    body(&json!({"lines": lines}))
}

#[test]
fn a_document_is_made_of_what_a_client_writes() {
    let made = create(&body(&json!({
        "supplierId": supplier().id, "number": " 2025/1 ", "receivedDate": "2025-03-10",
        "operationDate": "2025-02-28", "accountingDate": "2025-03-12", "dueDate": "2025-04-01",
        "discount": {"type": "percent", "value": "5"}, "paymentMethod": "direct_debit",
        "iban": "ES9121000418450200051332", "notes": "By post", "tags": ["a"],
        "lines": [
            {"description": "Consulting", "quantity": "10", "unitPrice": "85.50", "discountPercent": "10",
             "withholdingRate": "15", "unit": "HUR", "accountCode": "6230000", "deductiblePercent": "50"},
            {"description": "Paper", "quantity": "3", "unitPrice": "19.999", "itemType": "good"},
            {"description": "Laptop", "unitPrice": "12.345", "taxCode": "es_in_4", "assetClass": "it_equipment",
             "accountCode": "2170001", "tags": {"project": "roof"}},
        ],
    })))
    .expect("nothing is wrong with it");
    assert_eq!(made.payable(), euros("856.07"));
    assert_eq!((made.state(), made.origin), (State::Received, Origin::Manual));
    assert_eq!(made.number.as_ref().map(SupplierNumber::as_str), Some("2025/1"));
    assert_eq!((made.issue_date, made.received_date), (date!(2025 - 03 - 01), date!(2025 - 03 - 10)));
    assert_eq!((made.tax_date(), made.accounting_date()), (date!(2025 - 02 - 28), date!(2025 - 03 - 12)));
    assert_eq!(
        (made.due_date(), made.payment_method),
        (Some(date!(2025 - 04 - 01)), Some(PaymentMethod::DirectDebit))
    );
    let lines = made.content.lines();
    assert_eq!((lines[0].deductible_percent, lines[1].deductible_percent), (Some(percent("50")), None));
    assert_eq!((lines[1].item_type, lines[2].asset_class), (ItemType::Good, Some(AssetClass::ItEquipment)));
    assert_eq!(lines[1].tax.code, "es_in_21", "that of the supplier");
    assert_eq!(update(&made, &json!({})), Ok(made.clone()), "a patch of nothing");

    let cleared = json!({
        "supplierId": null, "number": null, "receivedDate": null, "operationDate": null, "accountingDate": null,
        "dueDate": null, "currency": null, "fxRate": null, "lines": null, "discount": null, "taxAdjustments": null,
        "paymentMethod": null, "iban": null, "notes": null, "tags": null, "externalId": null,
    });
    let bare = update(&made, &cleared).expect("all of it may be missing");
    assert_eq!((bare.supplier, bare.received_date, bare.accounting_date()), (None, DAY, DAY));
    assert_eq!((bare.content.lines().len(), bare.due_date()), (0, None));
}

#[test]
fn every_broken_rule_is_named_at_once() {
    assert_eq!(refused(create(&json!({}))), ["docType required", "issueDate required"]);
    let wrong = body(&json!({
        "number": "x".repeat(61), "receivedDate": "2025-03-15", "operationDate": "1 March", "dueDate": "2025-02-28",
        "accountingDate": "2025-02-28", "fxRate": "2", "pricesIncludeTax": null,
        "discount": {"type": "percent", "value": "101"}, "taxAdjustments": [{"taxCode": "es_in_21", "quota": "1"}],
        "iban": "ES00", "tags": ["a", "a"],
        "lines": [{
            "description": "", "quantity": "0", "unit": "piece", "unitPrice": "1,5", "discountPercent": "-1",
            "deductiblePercent": "100.1", "withholdingRate": "x", "accountCode": "7000000", "taxCode": "es_vat_21",
        }],
    }));
    let expected = [
        "number too_long",
        "operationDate invalid_date",
        "receivedDate out_of_range",
        "dueDate out_of_range",
        "accountingDate out_of_range",
        "fxRate out_of_range",
        "lines[0].description required",
        "lines[0].quantity out_of_range",
        "lines[0].unit invalid_unit",
        "lines[0].unitPrice invalid_price",
        "lines[0].discountPercent out_of_range",
        "lines[0].withholdingRate out_of_range",
        "lines[0].deductiblePercent out_of_range",
        "lines[0].accountCode invalid_account_code",
        "lines[0].taxCode invalid_tax_code",
        "pricesIncludeTax required",
        "discount.value out_of_range",
        "taxAdjustments[0].quota invalid_amount",
        "iban invalid_iban",
        "tags[1] duplicate",
    ];
    assert_eq!(refused(create(&wrong)), expected);
    let early = body(&json!({"receivedDate": "2025-02-28"}));
    assert_eq!(refused(create(&early)), ["receivedDate out_of_range"]);
}

#[test]
fn lines_keep_their_ids_when_they_are_written_anew() {
    let made = create(&of_lines(&[line(&json!({})), line(&json!({"quantity": "2"}))])).expect("fine");
    let first = made.content.lines()[0].id;
    let lines = json!([line(&json!({"id": first, "quantity": "5"})), line(&json!({}))]);
    let after = update(&made, &json!({"lines": lines})).expect("fine");
    assert_eq!(after.content.lines()[0].id, first);
    assert_ne!(after.content.lines()[1].id, made.content.lines()[1].id);
    let unknown: SupplierLineId = sample::id(77);
    let wrong =
        json!([line(&json!({"id": first})), line(&json!({"id": first})), line(&json!({"id": unknown}))]);
    let expected = ["lines[1].id duplicate", "lines[2].id unknown_reference"];
    assert_eq!(refused(update(&made, &json!({"lines": wrong}))), expected);
}

#[test]
fn a_type_has_taxes_of_its_own() {
    let of_type = |doc_type: &str, line: Value| create(&body(&json!({"docType": doc_type, "lines": [line]})));
    let import = of_type("import_vat", line(&json!({}))).expect("fine");
    assert_eq!(import.content.lines()[0].tax.code, "es_in_import_21");
    let tax = |code: &str| line(&json!({"taxCode": code}));
    let wrong = ["lines[0].taxCode invalid_tax_code"];
    assert_eq!(refused(of_type("import_vat", tax("es_in_21"))), wrong);
    assert_eq!(refused(of_type("invoice", tax("es_in_import_21"))), wrong);
    assert_eq!(refused(of_type("expense", tax("es_in_intra_21"))), wrong);
    let deducts = line(&json!({"deductiblePercent": "100"}));
    assert_eq!(refused(of_type("expense", deducts)), ["lines[0].deductiblePercent not_allowed"]);
    let wrong = line(&json!({"withholdingRate": "15", "assetClass": "vehicles"}));
    let expected = ["lines[0].withholdingRate not_allowed", "lines[0].assetClass not_allowed"];
    assert_eq!(refused(of_type("import_vat", wrong)), expected);
    assert_eq!(
        refused(update(&import, &json!({"docType": "invoice"}))),
        ["lines[0].taxCode invalid_tax_code"]
    );
}

#[test]
fn defaults_are_those_of_the_supplier() {
    let mut supplier = supplier();
    supplier.expense_account = "6230000".parse().ok();
    supplier.withholding_rate = percent("15");
    let mut setting = setting(true);
    setting.defaults = LineDefaults::of(Some(&supplier));
    let lines = [line(&json!({})), line(&json!({"assetClass": "vehicles", "withholdingRate": "0"}))];
    let made = applied(&blank(), &of_lines(&lines), &setting).expect("fine");
    let lines = made.content.lines();
    assert_eq!(lines[0].account.map(|account| account.to_string()).as_deref(), Some("6230000"));
    assert_eq!((lines[0].withholding_rate, lines[1].withholding_rate), (percent("15"), percent("0")));
    assert_eq!(lines[1].account, None, "that of its class");
    setting.defaults = LineDefaults::default();
    let outcome = applied(&blank(), &of_lines(&[line(&json!({}))]), &setting);
    assert_eq!(refused(outcome), ["lines[0].taxCode required"]);
    let expense = line(&json!({"assetClass": "vehicles", "accountCode": "6000000", "taxCode": "es_in_21"}));
    assert_eq!(refused(create(&of_lines(&[expense]))), ["lines[0].accountCode invalid_account_code"]);
}

#[test]
fn a_supplier_may_have_rounded_otherwise() {
    let with = |quota: &str| {
        let adjustments = json!([{"taxCode": "es_in_21", "quota": quota}]);
        create(&body(&json!({"lines": [line(&json!({}))], "taxAdjustments": adjustments})))
    };
    let near = with("21.05").expect("near");
    assert_eq!((near.payable(), near.content.adjustments().len()), (euros("121.05"), 1));
    assert_eq!(refused(with("21.06")), ["taxAdjustments[0].quota out_of_range"]);
    let unknown = json!([{"taxCode": "es_in_10", "quota": "1.00"}]);
    let outcome = create(&body(&json!({"lines": [line(&json!({}))], "taxAdjustments": unknown})));
    assert_eq!(refused(outcome), ["taxAdjustments[0].taxCode unknown_reference"]);
    let far = update(&near, &json!({"lines": [line(&json!({"quantity": "2"}))]}));
    assert_eq!(refused(far), ["taxAdjustments[0].quota out_of_range"], "it is judged with the lines");
}

#[test]
fn taxes_follow_the_day_on_which_they_fall_due() {
    let lines = json!([line(&json!({"taxCode": "ic_igic_7"}))]);
    let made = create(&body(&json!({"lines": lines}))).expect("fine");
    let before = update(&made, &json!({"operationDate": "2018-06-30"})).expect("a row of its own");
    assert!(before.content.lines()[0].tax.holds(date!(2018 - 06 - 30)));
    let between = update(&made, &json!({"operationDate": "2019-06-30"}));
    assert_eq!(refused(between), ["lines[0].taxCode invalid_tax_code"]);
}

#[test]
fn a_duplicate_is_allowed_once() {
    let number = body(&json!({"number": "1", "supplierId": supplier().id, "allowDuplicate": true}));
    let allowed = create(&number).expect("fine");
    assert_eq!(allowed.duplicate_key(), None);
    let noted = update(&allowed, &json!({"notes": "Second copy"})).expect("fine");
    assert!(noted.shares_number, "what has nothing to do with its number leaves it");
    let renamed = update(&noted, &json!({"number": "2"})).expect("fine");
    assert!(renamed.duplicate_key().is_some());
}

#[test]
fn masked_values_are_not_written_back() {
    let made = create(&body(&json!({"iban": "ES9121000418450200051332"}))).expect("fine");
    let masked = Setting { access: PiiAccess::Masked, ..setting(false) };
    let expected = ["iban masked_value_rejected"];
    assert_eq!(refused(applied(&made, &json!({"iban": null}), &masked)), expected);
    let text = json!({"iban": "ES91****************1332"});
    assert_eq!(refused(applied(&made, &text, &masked)), expected);
    let new = Setting { access: PiiAccess::Masked, ..setting(true) };
    assert!(applied(&blank(), &body(&json!({"iban": null})), &new).is_ok());
}

#[test]
fn an_approved_document_changes_in_little() {
    let document = invoice(&[ONE]);
    let amended = |body: &Value| {
        let mut validator = Validator::new();
        let input = serde_json::from_value(body.clone()).expect("a patch");
        let after = amend(&mut validator, &document, &input);
        (after, validator.finish().map_err(|invalid| findings(&invalid)))
    };
    let body = json!({"dueDate": "2025-06-01", "notes": "Late", "tags": ["b"], "metadata": {"a": "b"}});
    let (after, found) = amended(&body);
    let after = after.expect("all of it may change");
    assert_eq!(
        (after.due_date(), after.notes.as_deref(), found),
        (Some(date!(2025 - 06 - 01)), Some("Late"), Ok(()))
    );
    let (_, found) = amended(&json!({"dueDate": "2025-03-13"}));
    assert_eq!(found, Err(vec!["dueDate out_of_range".to_owned()]));
    let (_, found) = amended(&json!({"dueDate": null}));
    assert_eq!(found, Err(vec!["dueDate required".to_owned()]));
    for field in ["docType", "number", "issueDate", "lines", "taxAdjustments", "iban", "externalId"] {
        let value = match field {
            "docType" => json!("expense"),
            "lines" | "taxAdjustments" => json!([]),
            _ => json!("x"),
        };
        assert_eq!(amended(&json!({field: value})).0, Err(AmendRefused::Fixed { field }));
    }
    let mut validator = Validator::new();
    let wrong = WrongState { action: Action::Update, state: State::Approved };
    let outcome = apply(&mut validator, &document, &SupplierDocumentInput::default(), &setting(false));
    assert_eq!((outcome, wrong.code()), (Err(wrong), "document_approved"));
    let open = amend(&mut validator, &received(DocType::Invoice, &[ONE]), &SupplierDocumentInput::default());
    assert!(matches!(open, Err(AmendRefused::State(_))));
    let voided = document.void("No", sample::at(1), &OPEN).expect("nothing stands against it");
    assert!(amend(&mut validator, &voided, &SupplierDocumentInput::default()).is_err());
}

fn payment(document: &SupplierDocument, members: &Value) -> Result<SomePayment, ValidationErrors> {
    let mut body = json!({"amount": "1.00", "date": "2025-03-14", "method": "transfer"});
    body.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
    let request: PaymentRequest = serde_json::from_value(body).expect("a request");
    read_payment(document, &request)
}

#[test]
fn a_payment_is_read_by_its_method() {
    let document = invoice(&[ONE]);
    let read = payment(&document, &json!({"method": "card", "reference": "R"})).expect("fine");
    assert!(matches!(&read, SomePayment::Money(new) if new.method == PaymentMethod::Card));
    let other: SupplierDocumentId = sample::id(5);
    let read = payment(&document, &json!({"method": "offset", "offsetDocumentId": other})).expect("fine");
    assert!(matches!(&read, SomePayment::Offset(new) if new.document == other));
    for (members, expected) in [
        (json!({"amount": "1", "date": "today"}), vec!["amount invalid_amount", "date invalid_date"]),
        (json!({"method": "offset"}), vec!["offsetDocumentId required"]),
        (json!({"offsetDocumentId": other}), vec!["offsetDocumentId not_allowed"]),
        (json!({"fxRate": "2"}), vec!["fxRate out_of_range"]),
        (json!({"method": "offset", "offsetDocumentId": other, "fxRate": "1"}), vec!["fxRate not_allowed"]),
    ] {
        let found = payment(&document, &members).expect_err("a rule is broken");
        assert_eq!(findings(&found), expected);
    }
    let dollars = foreign(DocType::Invoice, &[ONE], "0.9");
    assert!(payment(&dollars, &json!({"fxRate": "0.95"})).is_ok());
}

#[test]
fn an_approval_may_name_its_day() {
    let request: ApproveRequest =
        serde_json::from_value(json!({"accountingDate": "2025-03-20", "acceptLateTax": true}))
            .expect("a request");
    let terms = read_approve(&request).expect("a date");
    assert_eq!((terms.accounting_date, terms.accept_late_tax), (Some(date!(2025 - 03 - 20)), true));
    let wrong = ApproveRequest { accounting_date: Some("soon".to_owned()), ..request };
    assert_eq!(findings(&read_approve(&wrong).expect_err("no date")), ["accountingDate invalid_date"]);
}

#[test]
fn the_schema_is_that_of_the_input() {
    let schema = patch_schema::<SupplierDocumentInput>(Verb::Create, &mut Parts::default());
    assert_eq!(schema.get("required"), Some(&json!(["docType", "issueDate"])));
    let read_only = Verb::Create.read_only::<SupplierDocumentInput>();
    for computed in ["registerNumber", "totals", "journalEntryId", "supplier"] {
        assert!(read_only.contains(&computed.to_owned()), "{computed}");
    }
}
