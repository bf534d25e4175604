//! `audit verify`: whether every company's log is the one that was written.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use svc_core::audit::{Fault, Finding, Mark, Unreadable, Verifier};
use svc_core::id::AccountId;
use tokio::time::Instant;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::{Output, Tone};

/// From one word on the progress to the next.
const TELL: Duration = Duration::from_secs(2);

/// `audit verify`
#[derive(Args, Debug)]
#[command(
    after_help = "Walks the records of each company, seal by seal, and names the first one that was changed, removed \
                  or put in.\nA company without a log, and a log without its newest record, are faults too. With --expect \
                  it also finds that\nthe newest records were cut off together with what is remembered of them: \
                  `svc-server audit heads` prints what\nto keep for that. Works beside a running server; ends with 1 when a log is \
                  broken.\n\nExamples:\n  svc-server audit verify\n  svc-server audit verify --account acc_… --json\n  \
                  svc-server audit verify --expect acc_…=120:9f86d0…"
)]
pub(crate) struct Verify {
    /// Only this company (repeatable)
    #[arg(long = "account", value_name = "ID")]
    accounts: Vec<AccountId>,
    /// A record that must be there with this seal (repeatable)
    #[arg(long = "expect", value_name = "ACCOUNT=NUMBER:SEAL")]
    expected: Vec<Mark>,
}

/// What was found of one company.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    /// `None` where a row names no company.
    account_id: Option<AccountId>,
    ok: bool,
    /// Records that fit.
    records: u64,
    /// The last of them.
    seal: Option<String>,
    /// The first record that does not fit.
    broken_record: Option<i64>,
    reason: Option<String>,
}

impl Verify {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let found = self.work(&operator, context.output).await;
        let verdicts = operator.close(found).await?;
        let rows = verdicts.iter().map(|verdict| verdict.row(context.output)).collect();
        let ok = verdicts.iter().all(|verdict| verdict.ok);
        let report = serde_json::json!({"ok": ok, "items": verdicts});
        context.output.table(&report, &["company", "records", "newest seal", "log"], rows);
        match verdicts.iter().find(|verdict| !verdict.ok) {
            None => Ok(()),
            Some(broken) => Err(broken.failure()),
        }
    }

    async fn work(&self, operator: &Operator, output: Output) -> Result<Vec<Verdict>, Failure> {
        let audit = operator.store.database.audit();
        let keys = operator.store.keys.chain_keys();
        let verifier = Verifier { reader: &*audit, keys: &keys, expected: &self.expected };
        let (companies, mut verdicts) = self.companies(audit.companies().await?);
        for account in companies {
            let mut told = Instant::now();
            let tell = |number| {
                if told.elapsed() >= TELL {
                    output.note(format!("{account}: {number}"));
                    told = Instant::now();
                }
            };
            verdicts.push(Verdict::of(account, verifier.verify(account, tell).await?));
        }
        Ok(verdicts)
    }

    /// Every company that has a log, or ought to, and what is wrong with rows that name none.
    fn companies(&self, known: Vec<Result<AccountId, Unreadable>>) -> (BTreeSet<AccountId>, Vec<Verdict>) {
        if !self.accounts.is_empty() {
            return (self.accounts.iter().copied().collect(), Vec::new());
        }
        let mut companies: BTreeSet<_> = self.expected.iter().map(|mark| mark.account).collect();
        let mut strangers = Vec::new();
        for row in known {
            match row {
                Ok(account) => {
                    companies.insert(account);
                }
                Err(unreadable) => strangers.push(Verdict::of_stranger(unreadable)),
            }
        }
        (companies, strangers)
    }
}

impl Verdict {
    fn of(account: AccountId, finding: Finding) -> Self {
        Self {
            account_id: Some(account),
            ok: finding.fault.is_none(),
            records: finding.last.map_or(0, |head| head.number),
            seal: finding.last.map(|head| head.seal.to_string()),
            broken_record: finding.fault.as_ref().and_then(Fault::record),
            reason: finding.fault.map(|fault| fault.to_string()),
        }
    }

    /// A row that names no company.
    fn of_stranger(unreadable: Unreadable) -> Self {
        Self {
            account_id: None,
            ok: false,
            records: 0,
            seal: None,
            broken_record: unreadable.number,
            reason: Some(unreadable.to_string()),
        }
    }

    fn company(&self) -> String {
        self.account_id.map_or_else(|| "an unreadable company".to_owned(), |account| account.to_string())
    }

    fn row(&self, output: Output) -> Vec<String> {
        let log = match &self.reason {
            None => output.tone(Tone::Good, "whole"),
            Some(reason) => output.tone(Tone::Bad, reason),
        };
        let seal = self.seal.clone().unwrap_or_else(|| "-".to_owned());
        vec![self.company(), self.records.to_string(), seal, log]
    }

    fn failure(&self) -> Failure {
        let reason = self.reason.as_deref().unwrap_or("it does not fit");
        Failure::new("audit_broken", format!("the audit log of {} is broken: {reason}", self.company()))
            .hint("keep a copy of the database as it is, and compare with a backup from before")
    }
}
