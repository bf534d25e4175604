//! What members look like that several resources have.

use svc_core::wire::Form;

/// A tax id: checked by the rules of its kind, separators are dropped.
pub(crate) const TAX_ID: Form = Form::text(1, 40).example("B12345674");
/// A phone number: spaces, dots, hyphens and parentheses are dropped.
pub(crate) const PHONE: Form = Form::pattern("^[-+0-9 .()]+$").length(9, 40).example("+34910000000");
/// A bank account: spaces and hyphens are dropped.
pub(crate) const IBAN: Form = Form::pattern("^[-A-Za-z0-9 ]+$").length(15, 50);
/// A bank identifier code.
pub(crate) const BIC: Form =
    Form::pattern("^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$").length(8, 11);
/// A language.
pub(crate) const LANGUAGE: Form = Form::text(2, 35).example("es");
/// A currency.
pub(crate) const CURRENCY: Form = Form::pattern("^[A-Z]{3}$").length(3, 3);
/// A country.
pub(crate) const COUNTRY: Form = Form::pattern("^[A-Z]{2}$").length(2, 2).example("ES");
/// A percentage from 0 to 100 with at most 4 decimals.
pub(crate) const PERCENT: Form = Form::pattern(r"^(100(\.0{1,4})?|[0-9]{1,2}(\.[0-9]{1,4})?)$").length(1, 8);
/// An integrator's own id.
/// An amount of either sign.
pub(crate) const SIGNED_AMOUNT: Form = Form::pattern(r"^-?[0-9]{1,13}(\.[0-9]{1,4})?$").length(1, 20);
pub(crate) const EXTERNAL_ID: Form = Form::text(1, 100).example("crm-4711");
/// An integrator's own pairs.
pub(crate) const METADATA: Form = Form::each(&Form::text(0, 500)).keys(40).json(r#"{"region":"north"}"#);
/// Free labels.
pub(crate) const TAGS: Form = Form::list(0, 50, &Form::text(1, 50));
