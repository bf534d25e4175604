//! GET /treasury/balances

use http::StatusCode;
use svc_business::account::Account;
use svc_business::bank::import::LastStatement;
use svc_business::bank::{self, BankAccount, BankAccountStatus};
use svc_core::id::{AccountId, BankAccountId};
use svc_core::money::Amount;
use svc_core::pii::{PiiAccess, Shown};
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

use super::bank_accounts::held;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::books::out_of_range;
use crate::problem::Problem;
use crate::query::{Kind, Param};

/// Days of a series at most: a leap year.
const MOST_DAYS: i64 = 366;

pub(super) const PARAMS: [Param; 4] = [
    Param::new("companyId", Kind::id::<AccountId>(), "The company; the primary account when left out."),
    Param::new("asOf", Kind::Date, "The day at whose end it is; today when left out."),
    Param::new("from", Kind::Date, "The first day of a series, of 366 days at most; none without it."),
    Param::new("to", Kind::Date, "The last day of the series; today when left out."),
];

wire_view! {
    /// What a company has, as its books and its banks say.
    #[derive(Debug)]
    pub(crate) struct View as "TreasuryBalances" {
        /// The day at whose end it is.
        as_of: String => Form::DATE,
        /// The base currency, in which the books are kept.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What the accounts hold together, as the books say.
        total: String => Form::ANY.example("1210.00"),
        /// In the order in which they were added; archived ones that hold nothing are left out.
        accounts: Vec<AccountView>,
        /// What they held together at the end of each day that was asked for.
        series: Option<Vec<DayView>>,
    }
}

wire_view! {
    /// What a bank account has.
    #[derive(Debug)]
    struct AccountView as "TreasuryBalance" {
        bank_account_id: BankAccountId,
        name: String => Form::ANY.example("Main account"),
        /// Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        /// The currency in which it is held.
        currency: &'static str => Form::pattern("^[A-Z]{3}$").example("EUR"),
        /// What its account of the ledger holds, in the base currency.
        book_balance: Option<String> => Form::ANY.example("1210.00"),
        /// What the last statement that ended by then ended with.
        statement_balance: Option<String> => Form::ANY.example("1000.00"),
        /// The last day of that statement.
        statement_date: Option<String> => Form::DATE,
        /// How much more the books say than the bank; null where they speak of different currencies.
        difference: Option<String> => Form::ANY.example("210.00"),
    }
}

wire_view! {
    /// What there was at the end of a day.
    #[derive(Debug)]
    struct DayView as "TreasuryBalanceOfDay" {
        date: String => Form::DATE,
        balance: String => Form::ANY.example("1210.00"),
    }
}

/// What a query asks for.
struct Asked {
    as_of: Date,
    /// The first day of a series that ends on `as_of`.
    from: Option<Date>,
}

impl Asked {
    fn read(req: &ApiRequest, company: &Account) -> Result<Self, Problem> {
        let (query, today) = (&req.query, company.local_date(req.context.now));
        let (from, to) = query.dates()?;
        let as_of = query.date("asOf")?;
        if as_of.is_some() && (from.is_some() || to.is_some()) {
            return Err(Problem::parameter(
                "asOf",
                "is for one day: leave it out where `from` or `to` is named",
            ));
        }
        let as_of = as_of.or(to).unwrap_or(today);
        let days = from.map_or(0, |from| (as_of - from).whole_days());
        if !(0..MOST_DAYS).contains(&days) {
            let message =
                format!("must be at most {} days before the last one, and not after it", MOST_DAYS - 1);
            return Err(Problem::parameter("from", message));
        }
        Ok(Self { as_of, from })
    }
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let scope = &req.caller.principal.scope;
    let id = req.named_company()?;
    let company = req.company_of(scope, id).await?;
    let (storage, currency) = (&req.app.business, company.base_currency);
    let Asked { as_of, from } = Asked::read(&req, &company)?;
    let accounts = storage.bank_accounts().of_company(id).await?;
    let ids: Vec<BankAccountId> = accounts.iter().map(|account| account.id).collect();
    let statements = storage.bank_imports().last_statements(scope, &ids, Some(as_of)).await?;
    let held = held(&req, &accounts, Some(as_of)).await?;
    let total = Amount::sum(held.values().copied(), currency).map_err(out_of_range)?;
    let series = match from {
        None => None,
        Some(from) => {
            let codes: Vec<_> = accounts.iter().filter_map(|account| account.account).collect();
            let moved = storage.ledger().daily(id, currency, &codes, (from, as_of)).await?;
            Some(bank::daily_balances((from, as_of), total, &moved).map_err(out_of_range)?)
        }
    };
    let shown = accounts.into_iter().map(|account| Shows {
        held: held.get(&account.id).copied(),
        statement: statements.get(&account.id).copied(),
        account,
    });
    let shown: Vec<Shows> = shown.filter(Shows::counts).collect();
    Ok(Answer::personal(StatusCode::OK, move |access| View {
        as_of: as_of.to_string(),
        currency: currency.code(),
        total: total.to_string(),
        accounts: shown.iter().map(|shown| shown.view(access)).collect(),
        series: series.as_ref().map(|days| days.iter().map(DayView::of).collect()),
    })
    .of(id))
}

/// An account, and what books and bank say of it.
struct Shows {
    account: BankAccount,
    held: Option<Amount>,
    statement: Option<LastStatement>,
}

impl Shows {
    /// Whether it is in use, or holds something.
    fn counts(&self) -> bool {
        self.account.status == BankAccountStatus::Active || self.held.is_some_and(|held| held.minor() != 0)
    }

    fn view(&self, access: PiiAccess) -> AccountView {
        let statement = self.statement.map(|statement| statement.balance);
        let difference = self.held.zip(statement).and_then(|(held, statement)| held.minus(statement).ok());
        let text = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        AccountView {
            bank_account_id: self.account.id,
            name: self.account.name.clone(),
            iban: self.account.iban.as_ref().map(|iban| iban.show(access)),
            currency: self.account.currency.code(),
            book_balance: text(self.held),
            statement_balance: text(statement),
            statement_date: self.statement.map(|statement| statement.date.to_string()),
            difference: text(difference),
        }
    }
}

impl DayView {
    fn of((date, balance): &(Date, Amount)) -> Self {
        Self { date: date.to_string(), balance: balance.to_string() }
    }
}
