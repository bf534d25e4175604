//! What became of an electronic invoice, as a response carries it.

use svc_business::purchases::import::{Imported, NoSupplier, Warning};
use svc_core::pii::PiiAccess;
use svc_core::wire::Form;
use svc_core::{wire_names, wire_view};
use time::Date;

use super::view::View;

wire_view! {
    /// A document that was made of an electronic invoice.
    #[derive(Debug)]
    pub(crate) struct ImportedView as "ImportedSupplierDocument" {
        document: View,
        /// What people should look at before they approve it.
        warnings: Vec<WarningView>,
    }
}

wire_view! {
    /// What a document says otherwise than the invoice that it was made of.
    #[derive(Debug)]
    pub(crate) struct WarningView as "SupplierDocumentImportWarning" {
        /// What it is about.
        code: WarningCode => Form::ANY.example("total_differs"),
        /// In words.
        message: String => Form::ANY.example("the invoice states 121.00, its lines come to 121.01"),
        /// The tax that `tax_differs` is about.
        tax_code: Option<String> => Form::ANY.json("null"),
        /// What the invoice states.
        stated: Option<String> => Form::ANY.example("121.00"),
        /// What the document comes to.
        computed: Option<String> => Form::ANY.example("121.01"),
    }
}

/// What a warning is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WarningCode {
    /// A tax comes to another quota.
    TaxDiffers,
    /// The total with tax is another one.
    TotalDiffers,
    /// What is to be paid is another amount.
    PayableDiffers,
    /// Its amounts take the place of those of other invoices.
    Replaces,
    /// The bank account is none.
    IbanInvalid,
    /// The invoice names no tax id of its seller.
    SellerWithoutTaxId,
    /// The token sees tax ids masked.
    SellerMasked,
    /// No supplier has the tax id.
    SellerUnknown,
    /// The seller makes no contact.
    SellerUnusable,
}

wire_names!(WarningCode {
    TaxDiffers = "tax_differs",
    TotalDiffers = "total_differs",
    PayableDiffers = "payable_differs",
    Replaces = "replaces",
    IbanInvalid = "iban_invalid",
    SellerWithoutTaxId = "seller_without_tax_id",
    SellerMasked = "seller_masked",
    SellerUnknown = "seller_unknown",
    SellerUnusable = "seller_unusable",
});

impl ImportedView {
    pub(super) fn of(imported: &Imported, today: Date, access: PiiAccess) -> Self {
        Self {
            document: View::of(&imported.document, today, access),
            warnings: imported.warnings.iter().map(WarningView::of).collect(),
        }
    }
}

impl WarningView {
    fn of(warning: &Warning) -> Self {
        let plain =
            |code, message: String| Self { code, message, tax_code: None, stated: None, computed: None };
        let (code, what, tax_code, stated, computed) = match warning {
            Warning::Tax { tax_code, stated, computed } => {
                (WarningCode::TaxDiffers, format!(" of {tax_code}"), Some(tax_code.clone()), stated, computed)
            }
            Warning::Total { stated, computed } => {
                (WarningCode::TotalDiffers, String::new(), None, stated, computed)
            }
            Warning::Payable { stated, computed } => {
                (WarningCode::PayableDiffers, " to be paid".to_owned(), None, stated, computed)
            }
            Warning::Replaces { numbers } => {
                let others =
                    if numbers.is_empty() { "other invoices".to_owned() } else { numbers.join(", ") };
                let message = format!(
                    "its amounts take the place of those of {others}: void or reject what was received of that \
                     before this one is approved"
                );
                return plain(WarningCode::Replaces, message);
            }
            Warning::Iban => {
                return plain(
                    WarningCode::IbanInvalid,
                    "the account is no IBAN, and was left out".to_owned(),
                );
            }
            Warning::NoSupplier(why) => return plain(code(why), no_supplier(why)),
        };
        Self {
            code,
            message: format!("the invoice states {stated}{what}, its lines come to {computed}"),
            tax_code,
            stated: Some(stated.to_string()),
            computed: Some(computed.to_string()),
        }
    }
}

const fn code(why: &NoSupplier) -> WarningCode {
    match why {
        NoSupplier::NoTaxId => WarningCode::SellerWithoutTaxId,
        NoSupplier::Masked => WarningCode::SellerMasked,
        NoSupplier::Unknown => WarningCode::SellerUnknown,
        NoSupplier::Unusable(_) => WarningCode::SellerUnusable,
    }
}

fn no_supplier(why: &NoSupplier) -> String {
    let reason = match why {
        NoSupplier::NoTaxId => "the invoice names no tax id of its seller".to_owned(),
        NoSupplier::Masked => "the token sees tax ids masked, so none is looked for".to_owned(),
        NoSupplier::Unknown => {
            "no supplier has the seller's tax id, and the token may not add one".to_owned()
        }
        NoSupplier::Unusable(invalid) => format!("the seller makes no contact: {invalid}"),
    };
    format!("{reason}; set `supplierId` before it is approved")
}
