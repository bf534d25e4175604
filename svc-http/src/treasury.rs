//! `/treasury`.

mod bank_account_view;
mod bank_accounts;

use http::StatusCode;
use svc_business::bank::BankAccountInput;
use svc_business::catalogue::permission;

use self::bank_account_view::View;
use crate::api::{self, Route, patch, post};
use crate::gate::ByToken;
use crate::json::{Create, Update};
use crate::list::Listed;

const ACCOUNTS_READ: ByToken = ByToken::With(permission("treasury:bank_accounts.read"));
const ACCOUNTS_CREATE: ByToken = ByToken::With(permission("treasury:bank_accounts.create"));
const ACCOUNTS_UPDATE: ByToken = ByToken::With(permission("treasury:bank_accounts.update"));

const ACCOUNTS: &str = "/treasury/bank-accounts";
const ACCOUNT: &str = "/treasury/bank-accounts/{id}";

pub(crate) fn routes() -> Vec<Route> {
    bank_accounts().into()
}

fn bank_accounts() -> [Route; 4] {
    [
        api::get(ACCOUNTS, ACCOUNTS_READ, "List bank accounts")
            .about("In the order in which they were added.")
            .params(&bank_accounts::PARAMS)
            .answers::<Listed<View>>(StatusCode::OK)
            .personal()
            .to(bank_accounts::list),
        post(ACCOUNTS, ACCOUNTS_CREATE, "Add a bank account, a cash box or a card")
            .about(
                "The ledger gets an account for it under 572, or 570 for a cash box, unless `accountCode` names one. The \
                 first account of a company is its default. An IBAN that another active account of the company has is \
                 409 `already_exists`; a token that sees personal data masked is not told, and both stand beside each \
                 other.",
            )
            .body::<Create<BankAccountInput>>()
            .creates::<View>()
            .personal()
            .refuses(&[StatusCode::NOT_FOUND])
            .to(bank_accounts::create),
        api::get(ACCOUNT, ACCOUNTS_READ, "Get a bank account")
            .answers::<View>(StatusCode::OK)
            .personal()
            .versioned()
            .unconditional()
            .to(bank_accounts::get),
        patch(ACCOUNT, ACCOUNTS_UPDATE, "Change a bank account")
            .about(
                "`status` archives it and brings it back. With `isDefault` it takes being the default from another \
                 account, which emits `bank_account.update` too.",
            )
            .body::<Update<BankAccountInput>>()
            .answers::<View>(StatusCode::OK)
            .personal()
            .versioned()
            .to(bank_accounts::update),
    ]
}
