//! What the bank accounts of a company cannot have together.

use svc_core::refused::Refused;
use svc_core::resource::Lock;

use super::{BankAccount, BankAccountStatus, ledger};
use crate::books::account::AccountCode;
use crate::books::book::{self, Book};
use crate::catalogue::event;
use crate::party::value;
use crate::ports::{DynBankUnit, DynBooksUnit};
use crate::record::{Home, replace};

/// The bank accounts of a company, which no other unit of work changes meanwhile.
pub(super) struct Peers<'h, 'u> {
    home: &'h Home<'u, DynBankUnit>,
    book: Book,
    /// Every one, also one that is being changed.
    pub(super) all: Vec<BankAccount>,
}

impl<'h, 'u> Peers<'h, 'u> {
    /// Those of this company; one unit of work at a time has its books, and with them the codes of its ledger.
    pub(super) async fn locked(home: &'h Home<'u, DynBankUnit>) -> Result<Self, Refused> {
        let books = home.within(home.unit as &DynBooksUnit);
        let book = book::locked(&books, Lock::Exclusive, &[]).await?;
        let all = home.unit.bank_accounts().of_company(home.company.id).await?;
        Ok(Self { home, book, all })
    }

    /// The account with its account of the ledger, `asked` for or a new one, and its number alone; being the default is
    /// taken from the one that was it.
    pub(super) async fn settle(
        &self,
        account: BankAccount,
        asked: Option<AccountCode>,
    ) -> Result<BankAccount, Refused> {
        self.judge_iban(&account)?;
        let home = self.home;
        let code = match ledger::asked(home, &account, asked, &self.all).await? {
            Some(code) => code,
            None => ledger::open(home, &self.book, account.kind, &account.name).await?,
        };
        self.take_default(&account).await?;
        Ok(BankAccount { account: Some(code), ..account })
    }

    /// Judges that no other active account has the number, unless one that its writer could not see.
    fn judge_iban(&self, account: &BankAccount) -> Result<(), Refused> {
        let Some(iban) = &account.iban else { return Ok(()) };
        let compared = |one: &BankAccount| one.status == BankAccountStatus::Active && !one.shares_iban;
        let same = |other: &&BankAccount| {
            other.id != account.id && other.iban.as_ref().is_some_and(|known| value(known) == value(iban))
        };
        if compared(account) && self.all.iter().filter(same).any(compared) {
            return Err(Refused::Taken { field: "iban" });
        }
        Ok(())
    }

    /// Takes being the default from the account that was it, where this one is to be.
    async fn take_default(&self, account: &BankAccount) -> Result<(), Refused> {
        let home = self.home;
        let former = self.all.iter().find(|other| other.is_default && other.id != account.id);
        let Some(former) = former.filter(|_| account.is_default) else { return Ok(()) };
        let after = BankAccount { is_default: false, ..former.clone() };
        let after = replace(home.unit, home.call, former, after).await?;
        Ok(home.publish(const { event("bank_account.update") }, &after, None).await?)
    }
}
