//! Suppliers and their contacts.

use serde_json::{Value, json};
use svc_business::contact::{Contact, ContactRole, ContactStatus, PaymentMethod};
use svc_business::purchases::rules::LineDefaults;
use svc_business::purchases::supplier::{
    ContactRefused, GivenContact, Supplier, SupplierInput, SupplierSetting, SupplierStatus, SupplierType,
    VatRegime, WithholdingKey, apply_supplier, given_contact,
};
use svc_business::trade::{Rate, TaxCode};
use svc_core::error::Validator;
use svc_core::id::ContactId;
use svc_core::wire::{MergePatch as _, Parts, Verb, patch_schema};
use svc_testkit::business::sample;

use super::documents::{DAY, contact, findings, ids, percent, supplier};

fn input(body: &Value) -> SupplierInput {
    serde_json::from_value(body.clone()).expect("a patch")
}

fn apply(base: &Supplier, body: &Value, creating: bool) -> Result<Supplier, Vec<String>> {
    let mut validator = Validator::new();
    let setting = SupplierSetting { today: DAY, creating };
    let after = apply_supplier(&mut validator, base, &input(body), &setting);
    validator.finish().map(|()| after).map_err(|invalid| findings(&invalid))
}

fn given(body: &Value, creating: bool) -> Result<Option<ContactId>, Vec<String>> {
    let mut validator = Validator::new();
    let input = input(body);
    let given = given_contact(&mut validator, &input, creating).map(|given| match given {
        GivenContact::Named(id) => Some(id),
        GivenContact::Described(_) => None,
    });
    validator.finish().map(|()| given.flatten()).map_err(|invalid| findings(&invalid))
}

#[test]
fn a_supplier_is_made_of_what_a_client_writes() {
    let body = json!({
        "code": "S-1", "supplierType": "creditor", "paymentTermDays": 60, "paymentMethod": "direct_debit",
        "defaultExpenseAccountCode": "6230000", "defaultTaxCode": "es_in_10", "defaultWithholdingRate": "15",
        "withholdingKey": "rent", "vatRegime": "exempt", "externalId": "x", "metadata": {"a": "b"},
    });
    let made = apply(&supplier(), &body, true).expect("nothing is wrong with it");
    assert_eq!((made.code.as_deref(), made.supplier_type), (Some("S-1"), SupplierType::Creditor));
    assert_eq!((made.payment_term_days, made.payment_method), (Some(60), Some(PaymentMethod::DirectDebit)));
    assert_eq!((made.withholding_rate, made.withholding_key), (percent("15"), WithholdingKey::Rent));
    assert_eq!((made.vat_regime, made.status), (VatRegime::Exempt, SupplierStatus::Active));
    assert_eq!(made.default_tax_code(), "es_in_10", "what it says goes before its regime");
    assert_eq!(apply(&made, &json!({}), false), Ok(made.clone()), "a patch of nothing");
    let cleared = json!({
        "code": null, "supplierType": null, "paymentTermDays": null, "paymentMethod": null,
        "defaultExpenseAccountCode": null, "defaultTaxCode": null, "defaultWithholdingRate": null,
        "withholdingKey": null, "vatRegime": null, "externalId": null, "metadata": {"a": null},
    });
    let blank = apply(&made, &cleared, false).expect("all of it may be missing");
    assert_eq!(blank, Supplier { extension: blank.extension.clone(), ..supplier_like(&made) });
}

fn supplier_like(made: &Supplier) -> Supplier {
    Supplier { id: made.id, created_at: made.created_at, updated_at: made.updated_at, ..supplier() }
}

#[test]
fn every_broken_rule_is_named_at_once() {
    let body = json!({
        "code": " ", "paymentTermDays": 366, "defaultExpenseAccountCode": "7000000", "defaultTaxCode": "es_vat_21",
        "defaultWithholdingRate": "47.1", "status": "archived",
    });
    let expected = [
        "code required",
        "paymentTermDays out_of_range",
        "defaultExpenseAccountCode invalid_account_code",
        "defaultTaxCode invalid_tax_code",
        "defaultWithholdingRate out_of_range",
        "status not_allowed",
    ];
    assert_eq!(apply(&supplier(), &body, true), Err(expected.map(str::to_owned).to_vec()));
    let body = json!({"defaultTaxCode": "none", "defaultWithholdingRate": "-1", "status": null, "paymentTermDays": -1});
    let expected = [
        "paymentTermDays out_of_range",
        "defaultTaxCode invalid_tax_code",
        "defaultWithholdingRate out_of_range",
        "status required",
    ];
    assert_eq!(apply(&supplier(), &body, false), Err(expected.map(str::to_owned).to_vec()));
}

#[test]
fn a_new_supplier_names_a_contact_or_describes_one() {
    let id = sample::contact_id(1);
    let described = json!({"kind": "organization", "legalName": "Papelera Norte SL"});
    let named = json!({"contactId": id});
    let both = json!({"contactId": id, "contact": described});
    assert_eq!(given(&named, true), Ok(Some(id)));
    assert_eq!(given(&json!({"contact": described}), true), Ok(None));
    assert_eq!(given(&both, true), Err(vec!["contactId not_allowed".to_owned()]));
    assert_eq!(given(&json!({}), true), Err(vec!["contactId required".to_owned()]));
    assert_eq!(given(&json!({"contact": null}), true), Err(vec!["contact required".to_owned()]));
    assert_eq!(given(&json!({}), false), Ok(None));
    assert_eq!(given(&named, false), Err(vec!["contactId not_allowed".to_owned()]));
    assert_eq!(given(&json!({"contact": described}), false), Ok(None));
}

#[test]
fn a_contact_has_the_role_while_its_supplier_is_active() {
    let active = supplier();
    let marked = active.mark(contact()).expect("its own contact");
    assert!(marked.roles.contains(&ContactRole::Supplier));
    assert_eq!(active.mark(marked.clone()), Ok(marked.clone()), "it has the role already");
    let archived = Supplier { status: SupplierStatus::Archived, ..supplier() };
    assert_eq!(archived.mark(marked.clone()), Ok(contact()));
    let away = Contact { status: ContactStatus::Archived, ..marked };
    assert_eq!(active.mark(away.clone()), Err(ContactRefused::Archived));
    assert!(archived.mark(away).is_ok());
    let into = sample::contact_id(9);
    let merged = Contact { status: ContactStatus::Merged { into }, ..contact() };
    assert_eq!(active.mark(merged), Err(ContactRefused::Merged { into }));
    let other = Contact { id: into, ..contact() };
    assert_eq!(active.mark(other).map_err(ContactRefused::code), Err("unknown_reference"));
}

#[test]
fn the_regime_decides_the_usual_tax() {
    for regime in VatRegime::ALL {
        let one = Supplier { vat_regime: regime, ..supplier() };
        let tax = TaxCode::find(one.default_tax_code(), DAY).expect("it is in the table");
        let own = matches!(regime, VatRegime::IntraCommunity | VatRegime::ReverseChargeDomestic);
        assert_eq!(tax.self_assessed, own, "{regime}");
        assert_eq!(tax.charged_rate() > Rate::ZERO, regime == VatRegime::Domestic, "{regime}");
    }
    let defaults = LineDefaults::of(Some(&supplier()));
    assert_eq!(defaults.tax_code.as_deref(), Some("es_in_21"));
    assert_eq!(LineDefaults::of(None), LineDefaults::default());
}

#[test]
fn the_schema_is_that_of_the_input() {
    let schema = patch_schema::<SupplierInput>(Verb::Create, &mut Parts::default());
    let members = schema.get("properties").and_then(Value::as_object).expect("members");
    assert!(members.contains_key("contactId") && members.contains_key("contact"));
    assert!(!members.contains_key("status"), "a new supplier is active");
    assert!(SupplierInput::COMPUTED.contains(&"payableAccountCode"));
    assert!(ids().now <= sample::at(0));
}
