//! The balance sheet, and the profit and loss account.

use http::StatusCode;
use svc_business::account::Account;
use svc_business::books::report::{
    BalanceSheet, Closing, Column, Language, Period, ProfitAndLoss, Results, Section, flows, movements,
};
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

use super::scope::out_of_range;
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

/// The media type of a table.
pub(super) const CSV: &str = "text/csv";

const LANG: Param =
    Param::new("lang", Kind::OneOf(Language::NAMES), "The language of the labels; es when left out.");
const EXCLUDE_CLOSING: Param = Param::new(
    "excludeClosing",
    Kind::OneOf(&["true", "false"]),
    "Whether to leave out what closed the last year, so that it still shows its result; true when left out.",
);

pub(super) const FROM: Param =
    Param::new("from", Kind::Date, "The first day; that of the fiscal year of `to` when left out.");
pub(super) const TO: Param = Param::new("to", Kind::Date, "The last day; today when left out.");

pub(super) const AS_OF: [Param; 4] = [
    Param::new("asOf", Kind::Date, "The day at whose end it is; today when left out."),
    Param::new("comparative", Kind::Date, "An earlier day to compare it with."),
    EXCLUDE_CLOSING,
    LANG,
];

pub(super) const DAYS: [Param; 5] = [
    FROM,
    TO,
    Param::new(
        "comparative",
        Kind::OneOf(&["previousYear"]),
        "Compare it with the same days of the year before.",
    ),
    EXCLUDE_CLOSING,
    LANG,
];

/// A decimal string.
const AMOUNT: Form = Form::ANY.example("1210.00");

wire_view! {
    /// A balance sheet, in the base currency.
    #[derive(Debug)]
    pub(crate) struct SheetView as "BalanceSheet" {
        as_of: String => Form::DATE,
        /// The day that it is compared with.
        comparative: Option<String> => Form::DATE.json("null"),
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What the company has, and what it owes and is left with.
        sections: Vec<SectionView>,
        total_assets: String => AMOUNT,
        total_equity_and_liabilities: String => AMOUNT,
    }
}

wire_view! {
    /// A profit and loss account, in the base currency: income above zero and expense below.
    #[derive(Debug)]
    pub(crate) struct AccountView as "ProfitAndLoss" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What operating, financing and taxes left.
        sections: Vec<SectionView>,
        #[serde(flatten)]
        [flat] results: ResultsView,
        /// The results of the days that they are compared with.
        comparative: Option<ComparedView> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// Other days, and their results.
    #[derive(Debug)]
    struct ComparedView as "ComparedResults" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        #[serde(flatten)]
        [flat] results: ResultsView,
    }
}

wire_view! {
    /// The results of some days.
    #[derive(Debug)]
    struct ResultsView as "Results" {
        operating_result: String => AMOUNT,
        financial_result: String => AMOUNT.example("0.00"),
        result_before_tax: String => AMOUNT,
        result: String => AMOUNT,
    }
}

wire_view! {
    /// A line of a statement with those that it adds up.
    #[derive(Debug)]
    struct SectionView as "StatementSection" {
        /// What programs call it by.
        key: &'static str => Form::ANY.example("trade_receivables"),
        /// What people call it.
        label: &'static str => Form::ANY.example("Clientes"),
        amount: String => AMOUNT,
        comparative: Option<String> => Form::ANY.json("null"),
        children: Vec<Self> => Form::ANY.json("[]"),
    }
}

pub(super) async fn balance_sheet(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let company = req.company_of(&scope, id).await?;
    let as_of = req.query.date("asOf")?.unwrap_or_else(|| company.local_date(req.context.now));
    let earlier = req.query.date("comparative")?;
    if earlier.is_some_and(|earlier| earlier >= as_of) {
        return Err(Problem::parameter("comparative", "must be before `asOf`"));
    }
    let (closing, language) = choices(&req)?;
    let current = Days::of(&req, &company, as_of, as_of).await?;
    let compared = match earlier {
        Some(day) => Some(Days::of(&req, &company, day, day).await?),
        None => None,
    };
    let currency = company.base_currency;
    let compared = compared.as_ref().map(Days::column);
    let sheet = BalanceSheet::of(currency, &current.column(), compared.as_ref(), closing, language);
    let sheet = sheet.map_err(out_of_range)?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(sheet.csv()));
    }
    let view = SheetView {
        as_of: sheet.as_of.to_string(),
        comparative: sheet.comparative.map(|day| day.to_string()),
        currency: sheet.currency.code(),
        sections: sheet.sections.iter().map(SectionView::of).collect(),
        total_assets: sheet.total_assets.to_string(),
        total_equity_and_liabilities: sheet.total_equity_and_liabilities.to_string(),
    };
    Ok(Answer::plain(StatusCode::OK, &view))
}

pub(super) async fn profit_and_loss(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let company = req.company_of(&scope, id).await?;
    let (from, to) = span(&req, &company).await?;
    let (closing, language) = choices(&req)?;
    let current = Days::of_flows(&req, &company, from, to).await?;
    let compared = match req.query.text("comparative")? {
        Some(_) => Some(Days::of_flows(&req, &company, year_before(from)?, year_before(to)?).await?),
        None => None,
    };
    let compared = compared.as_ref().map(Days::column);
    let account =
        ProfitAndLoss::of(company.base_currency, &current.column(), compared.as_ref(), closing, language);
    let account = account.map_err(out_of_range)?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(account.csv()));
    }
    let view = AccountView {
        from: account.from.to_string(),
        to: account.to.to_string(),
        currency: account.currency.code(),
        sections: account.sections.iter().map(SectionView::of).collect(),
        results: ResultsView::of(&account.results),
        comparative: account.comparative.map(|compared| ComparedView {
            from: compared.from.to_string(),
            to: compared.to.to_string(),
            results: ResultsView::of(&compared.results),
        }),
    };
    Ok(Answer::plain(StatusCode::OK, &view))
}

/// The days of a report: the fiscal year of `to` up to today unless the query says otherwise.
pub(super) async fn span(req: &ApiRequest, company: &Account) -> Result<(Date, Date), Problem> {
    let (from, to) = req.query.dates()?;
    let to = to.unwrap_or_else(|| company.local_date(req.context.now));
    if let Some(from) = from {
        return if from <= to {
            Ok((from, to))
        } else {
            Err(Problem::parameter("from", "must not be later than `to`"))
        };
    }
    let years = req.app.business.fiscal_years().of_company(company.id).await?;
    let of_to = years.iter().find(|year| year.contains(to)).map(|year| year.span.start());
    Ok((of_to.unwrap_or_else(|| years.first().map_or(to, |year| year.span.start()).min(to)), to))
}

/// The same, for the reports that are read by them.
pub(super) async fn period(req: &ApiRequest, company: &Account) -> Result<Period, Problem> {
    let (from, to) = span(req, company).await?;
    span_of(from, to)
}

fn span_of(from: Date, to: Date) -> Result<Period, Problem> {
    Period::new(from, to).map_err(|error| Problem::parameter("to", error.to_string()))
}

fn choices(req: &ApiRequest) -> Result<(Closing, Language), Problem> {
    let exclude = req.query.parse("excludeClosing")?.unwrap_or(true);
    Ok((Closing::excluded(exclude), req.query.parse("lang")?.unwrap_or_default()))
}

/// The same day of the year before; the last of February for the 29th.
fn year_before(day: Date) -> Result<Date, Problem> {
    let year = day.year() - 1;
    let same = day.replace_year(year).or_else(|_| day.replace_day(28).and_then(|day| day.replace_year(year)));
    same.map_err(|_| Problem::parameter("from", "has no year before"))
}

/// What accounts moved in some days.
struct Days {
    period: Period,
    movements: Vec<svc_business::books::report::Movement>,
}

impl Days {
    async fn of(req: &ApiRequest, company: &Account, from: Date, to: Date) -> Result<Self, Problem> {
        let period = span_of(from, to)?;
        let (movements, _) = movements(req.app.business.as_ref(), company, period).await?;
        Ok(Self { period, movements })
    }

    async fn of_flows(req: &ApiRequest, company: &Account, from: Date, to: Date) -> Result<Self, Problem> {
        let period = span_of(from, to)?;
        let (movements, _) = flows(req.app.business.as_ref(), company, period).await?;
        Ok(Self { period, movements })
    }

    fn column(&self) -> Column<'_> {
        Column { period: self.period, movements: &self.movements }
    }
}

impl SectionView {
    fn of(section: &Section) -> Self {
        Self {
            key: section.key,
            label: section.label,
            amount: section.amount.to_string(),
            comparative: section.comparative.map(|amount| amount.to_string()),
            children: section.children.iter().map(Self::of).collect(),
        }
    }
}

impl ResultsView {
    fn of(results: &Results) -> Self {
        Self {
            operating_result: results.operating_result.to_string(),
            financial_result: results.financial_result.to_string(),
            result_before_tax: results.result_before_tax.to_string(),
            result: results.result.to_string(),
        }
    }
}
