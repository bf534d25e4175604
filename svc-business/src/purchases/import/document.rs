//! The document that an electronic invoice becomes.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::Amount;
use svc_core::pii::Pii;
use time::Date;

use super::{ImportedInvoice, ImportedKind, lines, taxes};
use crate::party::Iban;
use crate::purchases::document::{
    Content, DocType, Line, Origin, Plan, Status, SupplierDocument, SupplierNumber,
};
use crate::purchases::rules::{LineDefaults, Setting};
use crate::trade::calculation::TaxAdjustment;

/// Most characters of the notes of a document.
const MOST_NOTES: usize = 10_000;

/// A document that was made of an electronic invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The document, received.
    pub document: SupplierDocument,
    /// What people should look at.
    pub warnings: Vec<Warning>,
}

/// What the document says otherwise than the invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A tax comes to another quota than rounding explains.
    Tax {
        /// Its code.
        tax_code: String,
        /// What the invoice states.
        stated: Amount,
        /// What the document comes to.
        computed: Amount,
    },
    /// The total with tax is another one.
    Total {
        /// What the invoice states.
        stated: Amount,
        /// What the document comes to.
        computed: Amount,
    },
    /// What is payable is another amount, as after a rounding of the whole.
    Payable {
        /// What the invoice states.
        stated: Amount,
        /// What the document comes to.
        computed: Amount,
    },
    /// Its amounts take the place of those of other invoices, which are to be voided or rejected before it is approved.
    Replaces {
        /// The numbers of the others, as far as the invoice names them.
        numbers: Vec<String>,
    },
    /// The bank account is none and was left out.
    Iban,
    /// The document has no supplier.
    NoSupplier(NoSupplier),
}

/// Why a document was received without a supplier. People set it, or make one of the seller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSupplier {
    /// The invoice names no tax id, and names alone do not tell sellers apart.
    NoTaxId,
    /// The caller sees tax ids masked, so that none is looked for.
    Masked,
    /// No supplier has the tax id, and the caller may not add one.
    Unknown,
    /// What the invoice says of the seller makes no contact.
    Unusable(ValidationErrors),
}

impl ImportedInvoice {
    /// The document that this invoice becomes: `base` is a blank one of the origin `xml` or `email`, and the supplier is
    /// set by its tax id where there is one. It is received, so that people judge it.
    ///
    /// # Errors
    /// Everything that cannot be taken over, named by where it stands in the invoice: `number` and `issueDate`
    /// (`required`), `receivedDate` (`out_of_range`: it was issued after today), `lines[0].tax` (`invalid_tax_code`), and
    /// others of its lines.
    pub fn document(
        &self,
        base: SupplierDocument,
        setting: &Setting<'_>,
    ) -> Result<Imported, ValidationErrors> {
        let mut validator = Validator::new();
        let number = SupplierNumber::read(&mut validator, "number", &self.number);
        let issued = self.issue_date;
        validator.require(issued.is_some(), "issueDate", "required", "the invoice has no day of issue");
        let issue_date = issued.unwrap_or(setting.today);
        let message = format!("it was received on {}, before it was issued", setting.today);
        validator.require(issue_date <= setting.today, "receivedDate", "out_of_range", message);
        let operation_date = self.operation_date.filter(|date| *date != issue_date);
        let on = operation_date.unwrap_or(issue_date);
        let defaults = LineDefaults { tax_code: None, ..setting.defaults.clone() };
        let lines = lines::read(&mut validator, self, &defaults, on, &setting.ids);
        validator.finish()?;
        let mut warnings = Vec::new();
        if let ImportedKind::Replacing { numbers } = &self.kind {
            warnings.push(Warning::Replaces { numbers: numbers.clone() });
        }
        let content = self.content(&lines.unwrap_or_default(), on, &mut warnings)?;
        let due_date = self.due_date.filter(|due| *due >= issue_date);
        let document = SupplierDocument {
            doc_type: self.doc_type(),
            number,
            status: Status::Received { plan: Plan { due_date, ..Plan::default() } },
            content,
            issue_date,
            received_date: setting.today,
            operation_date,
            notes: self.notes(),
            payment_method: self.payment_method,
            iban: self.iban(&mut warnings),
            origin: match base.origin {
                Origin::Manual => Origin::Xml,
                origin @ (Origin::Upload | Origin::Xml | Origin::Email) => origin,
            },
            ..base
        };
        self.compare(&document, &mut warnings);
        Ok(Imported { document, warnings })
    }

    fn doc_type(&self) -> DocType {
        match self.kind {
            _ if self.total.minor() < 0 => DocType::CreditNote,
            ImportedKind::Invoice | ImportedKind::Replacing { .. } => DocType::Invoice,
            ImportedKind::Simplified => DocType::SimplifiedInvoice,
        }
    }

    /// The lines with the stated quotas as far as rounding explains them.
    fn content(
        &self,
        lines: &[Line],
        on: Date,
        warnings: &mut Vec<Warning>,
    ) -> Result<Content, ValidationErrors> {
        let from_member_state = self.seller.is_of_another_member_state();
        let new = |lines, adjustments| {
            Content::new(self.currency, self.prices_include_tax, lines, None, adjustments)
        };
        let mut content = new(lines.to_vec(), Vec::new())?;
        let mut adjustments = Vec::new();
        for figures in content.figures().taxes.clone() {
            let code = figures.tax.code;
            let of_tax =
                |named| taxes::find(named, from_member_state, on).is_some_and(|tax| tax.code == code);
            let stated = self.taxes.iter().filter(|stated| of_tax(stated.tax)).map(|stated| stated.quota);
            let stated: Vec<_> = stated.collect();
            let Ok(quota) = Amount::sum(stated.iter().copied(), self.currency) else { continue };
            if stated.is_empty() || quota == figures.quota {
                continue;
            }
            let adjustment = TaxAdjustment { tax_code: code.to_owned(), quota };
            let mut wider = adjustments.clone();
            wider.push(adjustment);
            if let Ok(adjusted) = new(lines.to_vec(), wider.clone()) {
                (content, adjustments) = (adjusted, wider);
            } else {
                let (tax_code, computed) = (code.to_owned(), figures.quota);
                warnings.push(Warning::Tax { tax_code, stated: quota, computed });
            }
        }
        Ok(content)
    }

    fn notes(&self) -> Option<String> {
        let notes = self.notes.join("\n\n");
        let plain = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
        let notes: String = notes.chars().filter(plain).take(MOST_NOTES).collect();
        Some(notes).filter(|notes| !notes.trim().is_empty())
    }

    fn iban(&self, warnings: &mut Vec<Warning>) -> Option<Pii<Iban>> {
        let read = self.iban.as_deref()?.parse().ok();
        if read.is_none() {
            warnings.push(Warning::Iban);
        }
        read.map(Pii::<Iban>::new)
    }

    fn compare(&self, document: &SupplierDocument, warnings: &mut Vec<Warning>) {
        let totals = document.content.totals();
        if totals.total != self.total {
            warnings.push(Warning::Total { stated: self.total, computed: totals.total });
        }
        if totals.payable != self.payable {
            warnings.push(Warning::Payable { stated: self.payable, computed: totals.payable });
        }
    }
}
