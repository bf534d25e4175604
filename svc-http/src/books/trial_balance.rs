//! GET /books/{companyId}/reports/trial-balance

use http::StatusCode;
use svc_business::books::account::AccountCode;
use svc_business::books::report::{Closing, Figures, Level, TrialBalance, TrialBalanceQuery, movements};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::scope::out_of_range;
use super::statements::{CSV, FROM, TO, period};
use crate::accept;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 5] = [
    FROM,
    TO,
    Param::new(
        "level",
        Kind::OneOf(&["1", "2", "3", "4", "full"]),
        "How many digits tell accounts apart; full when left out.",
    ),
    Param::new(
        "nonZero",
        Kind::OneOf(&["true", "false"]),
        "Whether to leave out accounts in which every figure is zero.",
    ),
    Param::new(
        "excludeClosing",
        Kind::OneOf(&["true", "false"]),
        "Whether to leave out what closed the year of `to`, so that it still shows its result; true when left out.",
    ),
];

wire_view! {
    /// A trial balance, in the base currency. Balances are debit minus credit.
    #[derive(Debug)]
    pub(crate) struct View as "TrialBalance" {
        from: String => Form::DATE,
        to: String => Form::DATE,
        /// ISO 4217
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// In the order of the codes.
        rows: Vec<Row>,
        /// What all accounts add up to, those without a row among them.
        totals: FiguresView,
    }
}

wire_view! {
    /// An account, or all below a heading.
    #[derive(Debug)]
    struct Row as "TrialBalanceRow" {
        code: AccountCode => Form::ANY.example("6210000"),
        name: String => Form::ANY.example("Clientes (euros)"),
        #[serde(flatten)]
        [flat] figures: FiguresView,
    }
}

wire_view! {
    /// What was held before, what was moved, and what is held then.
    #[derive(Debug)]
    struct FiguresView as "TrialBalanceFigures" {
        opening_balance: String => Form::ANY.example("0.00"),
        debit: String => Form::ANY.example("1210.00"),
        credit: String => Form::ANY.example("0.00"),
        closing_balance: String => Form::ANY.example("1210.00"),
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let (id, scope) = req.books()?;
    let query = &req.query;
    let asked = TrialBalanceQuery {
        level: query.parse::<Level>("level")?.unwrap_or_default(),
        non_zero: query.parse("nonZero")?.unwrap_or(false),
        closing: Closing::excluded(query.parse("excludeClosing")?.unwrap_or(true)),
    };
    let company = req.company_of(&scope, id).await?;
    let days = period(&req, &company).await?;
    let (moved, names) = movements(req.app.business.as_ref(), &company, days).await?;
    let balance = TrialBalance::of(days, company.base_currency, &moved, &names, asked);
    let balance = balance.map_err(out_of_range)?;
    if accept::prefers(&req.headers, CSV) {
        return Ok(Answer::csv(balance.csv()));
    }
    Ok(Answer::plain(StatusCode::OK, &View::of(&balance)))
}

impl View {
    fn of(balance: &TrialBalance) -> Self {
        let row = |row: &svc_business::books::report::TrialBalanceRow| Row {
            code: row.code,
            name: row.name.clone(),
            figures: FiguresView::of(&row.figures),
        };
        Self {
            from: balance.from.to_string(),
            to: balance.to.to_string(),
            currency: balance.currency.code(),
            rows: balance.rows.iter().map(row).collect(),
            totals: FiguresView::of(&balance.totals),
        }
    }
}

impl FiguresView {
    fn of(figures: &Figures) -> Self {
        Self {
            opening_balance: figures.opening_balance.to_string(),
            debit: figures.debit.to_string(),
            credit: figures.credit.to_string(),
            closing_balance: figures.closing_balance.to_string(),
        }
    }
}
