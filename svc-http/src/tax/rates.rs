//! GET /tax/rates

use http::StatusCode;
use svc_business::trade::{ExemptionCode, Side, TaxCategory, TaxCode};
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;
use crate::query::{Kind, Param};

pub(super) const PARAMS: [Param; 2] = [
    Param::new("on", Kind::Date, "Only those that hold on this date; every one when left out."),
    Param::new("side", Kind::OneOf(Side::NAMES), "Only those of the documents of this side."),
];

wire_view! {
    /// The taxes that lines of documents name.
    #[derive(Debug)]
    pub(super) struct TaxRates as "TaxRates" {
        items: Vec<TaxRate>,
    }
}

wire_view! {
    /// A tax as it holds from one date to another.
    #[derive(Debug)]
    struct TaxRate as "TaxRate" {
        /// What lines name.
        code: &'static str => Form::pattern("^[a-z0-9_]{1,40}$").example("es_vat_21"),
        /// The category of EN 16931, BT-151; L and M are the taxes of the Canary Islands, Ceuta and Melilla.
        category: TaxCategory => Form::ANY.example("S"),
        /// In percent.
        rate: String => Form::ANY.example("21"),
        /// Percent on top for customers under the equivalence surcharge.
        surcharge: String => Form::ANY.example("5.2"),
        /// Which documents name it.
        side: Side => Form::ANY.example("sales"),
        /// Whether the customer owes the tax, so that documents do not charge it.
        self_assessed: bool,
        /// Whether it is of investment goods alone.
        investment: bool,
        /// The reasons of which a line names one; empty where it names none.
        exemption_codes: Vec<ExemptionCode> => Form::ANY.json("[]"),
        /// The first day.
        valid_from: String => Form::DATE.example("2012-09-01"),
        /// The last day; null while no end is known.
        valid_to: Option<String> => Form::DATE.json("null"),
        /// The law that says it.
        source: &'static str => Form::ANY.example("Ley 37/1992 art. 90"),
    }
}

pub(super) async fn list(req: ApiRequest) -> Result<Answer, Problem> {
    let (on, side) = (req.query.date("on")?, req.query.parse::<Side>("side")?);
    let fits = |row: &&TaxCode| {
        on.is_none_or(|on| row.holds(on))
            && side.is_none_or(|side| row.side == side || row.side == Side::Both)
    };
    let items = TaxCode::all().iter().filter(fits).map(TaxRate::of).collect();
    Ok(Answer::plain(StatusCode::OK, &TaxRates { items }))
}

impl TaxRate {
    fn of(row: &TaxCode) -> Self {
        Self {
            code: row.code,
            category: row.category,
            rate: row.rate.to_string(),
            surcharge: row.surcharge.to_string(),
            side: row.side,
            self_assessed: row.self_assessed,
            investment: row.investment,
            exemption_codes: row.exemptions.to_vec(),
            valid_from: row.from.to_string(),
            valid_to: row.until.map(|day| day.to_string()),
            source: row.source,
        }
    }
}
