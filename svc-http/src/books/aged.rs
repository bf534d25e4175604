//! GET /books/{companyId}/reports/aged-receivables and aged-payables

use http::StatusCode;
use svc_business::books::report::{self, AgedContact, AgedItems, AgedSide, Ages, Buckets};
use svc_core::id::ContactId;
use svc_core::wire::Form;
use svc_core::wire_view;

use super::statements::CSV;
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 2] = [
    Param::new("asOf", Kind::Date, "The day at whose end it is; today when left out."),
    Param::new(
        "buckets",
        Kind::Text,
        "At how many days overdue a bucket ends: 1 to 12 ascending numbers; 30,60,90 when left out.",
    ),
];

const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// What is open with contacts at the end of a day, in the base currency. What is paid beyond all that was charged
    /// is below zero.
    #[derive(Debug)]
    pub(crate) struct View as "AgedItems" {
        as_of: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// How many days what is in each bucket is overdue.
        buckets: Vec<BucketView>,
        /// By their names; what has no contact comes first.
        contacts: Vec<ContactView>,
        totals: AgesView,
    }
}

wire_view! {
    /// The days of a bucket.
    #[derive(Debug)]
    struct BucketView as "AgedBucket" {
        from: u16 => Form::ANY.number(31),
        /// Null for the last one, which has no end.
        to: Option<u16> => Form::ANY.number(60),
    }
}

wire_view! {
    /// What is open with a contact.
    #[derive(Debug)]
    struct ContactView as "AgedContact" {
        contact_id: Option<ContactId>,
        contact_name: String => Form::ANY.example("Ferretería Sol SL"),
        #[serde(flatten)]
        [flat] ages: AgesView,
    }
}

wire_view! {
    /// What is open by how long it is overdue.
    #[derive(Debug)]
    struct AgesView as "AgedAmounts" {
        /// What is not due yet, or due on the day itself.
        not_due: String => AMOUNT,
        /// Bucket by bucket.
        overdue: Vec<String> => Form::ANY.json(r#"["0.00","300.00","0.00","0.00"]"#),
        total: String => AMOUNT,
    }
}

pub(super) async fn receivables(req: ApiRequest) -> Result<Answer, Problem> {
    get(req, AgedSide::Receivables).await
}

pub(super) async fn payables(req: ApiRequest) -> Result<Answer, Problem> {
    get(req, AgedSide::Payables).await
}

async fn get(req: ApiRequest, side: AgedSide) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let (as_of, buckets) = (req.query.date("asOf")?, req.query.parse::<Buckets>("buckets")?);
    let company = req.company_of(&scope, id).await?;
    let as_of = as_of.unwrap_or_else(|| company.local_date(req.context.now));
    let buckets = buckets.unwrap_or_default();
    let business = req.app.business.as_ref();
    let items = report::aged_items(business, &scope, &company, (side, as_of), &buckets).await?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(items.csv()));
    }
    Ok(Answer::plain(StatusCode::OK, &View::of(items)))
}

impl View {
    fn of(items: AgedItems) -> Self {
        Self {
            as_of: items.as_of.to_string(),
            currency: items.currency.code(),
            buckets: items.buckets.iter().map(|days| BucketView { from: days.from, to: days.to }).collect(),
            contacts: items.contacts.into_iter().map(ContactView::of).collect(),
            totals: AgesView::of(&items.totals),
        }
    }
}

impl ContactView {
    fn of(contact: AgedContact) -> Self {
        Self {
            contact_id: contact.contact_id,
            contact_name: contact.contact_name,
            ages: AgesView::of(&contact.ages),
        }
    }
}

impl AgesView {
    fn of(ages: &Ages) -> Self {
        Self {
            not_due: ages.not_due.to_string(),
            overdue: ages.overdue.iter().map(ToString::to_string).collect(),
            total: ages.total.to_string(),
        }
    }
}
