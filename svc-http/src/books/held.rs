//! What accounts of the ledger hold.

use svc_business::books::account::AccountCode;
use svc_business::books::ledger::{self, Sums};
use svc_core::id::AccountId;
use svc_core::money::Amount;
use svc_core::tenant::Scope;
use time::Date;

use super::scope::out_of_range;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// What accounts hold at the end of a day.
pub(crate) struct Held {
    pub(super) as_of: Date,
    pub(super) zero: Amount,
    balances: Vec<(AccountCode, Amount)>,
}

impl Held {
    /// What the accounts of a company hold that begin with `prefix`, at the end of a day; today when none is named.
    pub(crate) async fn at(
        req: &ApiRequest,
        scope: &Scope,
        id: AccountId,
        as_of: Option<Date>,
        prefix: Option<AccountCode>,
    ) -> Result<Self, Problem> {
        let company = req.company_of(scope, id).await?;
        let as_of = as_of.unwrap_or_else(|| company.local_date(req.context.now));
        let years = req.app.business.fiscal_years().of_company(id).await?;
        let closings_before =
            years.iter().find(|year| year.contains(as_of)).map_or(as_of, |year| year.span.start());
        let (currency, asked) = (company.base_currency, Sums { through: as_of, closings_before, prefix });
        let sums = req.app.business.ledger().sums(id, currency, &asked).await?;
        let balance = |sum: &ledger::Sum| {
            Ok::<_, Problem>((sum.account, sum.debit.minus(sum.credit).map_err(out_of_range)?))
        };
        let balances = sums.iter().map(balance).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { as_of, zero: Amount::zero(currency), balances })
    }

    /// Accounts that hold something, and the headings above them.
    pub(super) fn codes(&self) -> Vec<AccountCode> {
        let holding = self.balances.iter().filter(|(_, amount)| amount.minor() != 0);
        let with_headings = holding.flat_map(|(code, _)| {
            let digits = code.as_str();
            (1..=digits.len()).filter_map(move |length| digits.get(..length)?.parse().ok())
        });
        let codes: std::collections::BTreeSet<AccountCode> = with_headings.collect();
        codes.into_iter().collect()
    }

    /// What an account or a heading holds: debits less credits, in the base currency.
    pub(crate) fn balance(&self, account: AccountCode) -> Result<Amount, Problem> {
        let below = self.balances.iter().filter(|(code, _)| code.is_under(account));
        Amount::sum(below.map(|(_, amount)| *amount), self.zero.currency()).map_err(out_of_range)
    }
}
