//! GET /books/{companyId}/reports/vat-register

use http::StatusCode;
use svc_business::books::report::{self, RateTotals, VatFigures, VatRegister, VatRow, VatSide};
use svc_core::id::ContactId;
use svc_core::pii::{PiiAccess, Shown};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::scope::out_of_range;
use super::statements::{CSV, FROM, TO, period};
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 3] = [
    FROM,
    TO,
    Param::new(
        "side",
        Kind::OneOf(VatSide::NAMES),
        "Documents that the company issued, or those that it received; output when left out.",
    ),
];

const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// A VAT register: a row for each tax of a document, in the base currency.
    #[derive(Debug)]
    pub(crate) struct View as "VatRegister" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        side: VatSide,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// By the dates on which taxes fell due.
        rows: Vec<RowView>,
        /// What the rows of each rate add up to, the highest rate last.
        rates: Vec<RateView>,
        /// What all rows add up to.
        totals: FiguresView,
    }
}

wire_view! {
    /// A tax of a document.
    #[derive(Debug)]
    struct RowView as "VatRegisterRow" {
        /// The number of the document in the register, from 1: of a received one that which it was given. Null for what no
        /// document made.
        register_number: Option<u64> => Form::ANY.number(1),
        /// The reference of its entry, or else the number of the entry.
        document_number: String => Form::ANY.example("F2025-0001"),
        issue_date: String => Form::DATE,
        /// When the tax fell due.
        tax_date: String => Form::DATE,
        contact_id: Option<ContactId>,
        contact_name: String => Form::ANY.example("Ferretería Sol SL"),
        /// Masked but for the first and the last two characters.
        tax_id: Option<Shown<String>> => Form::ANY.example("B******74"),
        tax_code: String => Form::ANY.example("es_vat_21"),
        /// Percent; null for a tax code that the service does not know.
        rate: Option<String> => Form::ANY.example("21"),
        #[serde(flatten)]
        [flat] figures: FiguresView,
    }
}

wire_view! {
    /// What the rows of a rate add up to.
    #[derive(Debug)]
    struct RateView as "VatRegisterRate" {
        /// Percent; null for tax codes that the service does not know.
        rate: Option<String> => Form::ANY.example("21"),
        #[serde(flatten)]
        [flat] figures: FiguresView,
    }
}

wire_view! {
    /// The amounts of a tax.
    #[derive(Debug)]
    struct FiguresView as "VatRegisterFigures" {
        base: String => AMOUNT.example("1000.00"),
        quota: String => AMOUNT.example("210.00"),
        /// The equivalence surcharge of documents that the company issued.
        surcharge: String => AMOUNT.example("0.00"),
        /// How much of the tax of received documents can be deducted.
        deductible_quota: String => AMOUNT.example("0.00"),
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let side = req.query.parse::<VatSide>("side")?.unwrap_or(VatSide::Output);
    let company = req.company_of(&scope, id).await?;
    let days = period(&req, &company).await?;
    let documents = report::vat_documents(req.app.business.as_ref(), &scope, &company, days).await?;
    let shown =
        |access| VatRegister::of(days, company.base_currency, side, &documents, access).map_err(out_of_range);
    let (masked, own) = (shown(PiiAccess::Masked)?, shown(req.access())?);
    let sees_all = req.access().is_full();
    let pick =
        move |access: PiiAccess| if sees_all && access.is_full() { own.clone() } else { masked.clone() };
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::personal_csv(move |access| pick(access).csv()));
    }
    Ok(Answer::personal(StatusCode::OK, move |access| View::of(pick(access))))
}

impl View {
    fn of(register: VatRegister) -> Self {
        let rate = |totals: &RateTotals| RateView {
            rate: totals.rate.map(|rate| rate.to_string()),
            figures: FiguresView::of(&totals.figures),
        };
        Self {
            from: register.from.to_string(),
            to: register.to.to_string(),
            side: register.side,
            currency: register.currency.code(),
            rates: register.rates.iter().map(rate).collect(),
            totals: FiguresView::of(&register.totals),
            rows: register.rows.into_iter().map(RowView::of).collect(),
        }
    }
}

impl RowView {
    fn of(row: VatRow) -> Self {
        Self {
            register_number: row.register_number,
            document_number: row.document_number,
            issue_date: row.issue_date.to_string(),
            tax_date: row.tax_date.to_string(),
            contact_id: row.contact_id,
            contact_name: row.contact_name,
            tax_id: row.tax_id,
            tax_code: row.tax_code.to_string(),
            rate: row.rate.map(|rate| rate.to_string()),
            figures: FiguresView::of(&row.figures),
        }
    }
}

impl FiguresView {
    fn of(figures: &VatFigures) -> Self {
        Self {
            base: figures.base.to_string(),
            quota: figures.quota.to_string(),
            surcharge: figures.surcharge.to_string(),
            deductible_quota: figures.deductible_quota.to_string(),
        }
    }
}
