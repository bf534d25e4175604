//! Mails of documents: a job beside the commit, which ends together with what became of the mail.

use serde_json::json;
use svc_business::job::{Job, JobKind, Outcome, Run};
use svc_business::sales::HistoryKind;
use svc_business::sales::document::{LastSend, SendStatus};
use svc_business::sales::input::SendRequest;
use svc_business::sales::operations::{self, Letter};
use svc_core::page::PageRules;
use svc_core::refused::Refused;

use super::shop::Shop;
use super::{Storage, attempt};
use crate::business::sample::{at, everything};

async fn claimed(shop: &Shop, now: i64) -> Job {
    let jobs = attempt!(shop.storage, |unit| unit.jobs().claim(JobKind::Mail, at(now), at(now + 60), 10));
    let mut jobs = jobs.expect("claim");
    let job = jobs.pop().expect("a mail");
    assert!(jobs.is_empty(), "{jobs:?}");
    job
}

async fn settled(
    shop: &Shop,
    job: &Job,
    status: SendStatus,
) -> Result<(), Refused<operations::SalesRefused>> {
    let run = Run { at: at(0), took: std::time::Duration::ZERO, outcome: Outcome::Done, note: String::new() };
    shop.within(async |unit, call| operations::sent(unit, call, job, (status, &run)).await).await
}

/// A mail is claimed with all that it needs, and what became of it is written down once, with the end of its job.
pub async fn a_mail_is_settled_with_its_job(storage: Storage) {
    let shop = Shop::new(storage).await;
    let invoice = shop.invoice("10.00", true).await;
    let request = json!({"to": ["admin@luna.example"], "message": "Hola", "attachXml": true});
    let request: SendRequest = serde_json::from_value(request).expect("a request");
    let send =
        async || shop.with(invoice.id, &[], async |opened| operations::send(opened, &request).await).await;
    assert_eq!(send().await, invoice);
    let job = claimed(&shop, 0).await;
    let letter = Letter::of(&job).expect("a letter");
    assert_eq!((job.company, letter.document), (Some(shop.company.id), invoice.id));
    assert_eq!(letter.to(), ["admin@luna.example".parse().expect("an address")]);
    assert_eq!((letter.message.as_deref(), letter.attach_pdf, letter.attach_xml), (Some("Hola"), true, true));
    // The claim ran out, and another worker has the job.
    let again = claimed(&shop, 60).await;
    let late = settled(&shop, &job, SendStatus::Failed).await;
    assert!(matches!(late, Err(Refused::Store(svc_core::error::StoreError::Conflict))), "{late:?}");
    assert_eq!(shop.find(invoice.id).await, Some(invoice.clone()), "nothing of it was kept");
    settled(&shop, &again, SendStatus::Accepted).await.unwrap_or_else(|refused| panic!("{refused}"));
    let accepted = shop.find(invoice.id).await.expect("kept");
    let last_send = accepted.issue_data().and_then(|issue| issue.last_send);
    assert_eq!(last_send, Some(LastSend { status: SendStatus::Accepted, at: at(0) }));
    assert_eq!(shop.storage.jobs().next_due(JobKind::Mail).await.expect("read"), None);
    send().await;
    let second = claimed(&shop, 120).await;
    settled(&shop, &second, SendStatus::Failed).await.unwrap_or_else(|refused| panic!("{refused}"));
    let failed = shop.find(invoice.id).await.expect("kept");
    let issue = failed.issue_data().expect("issued");
    assert_eq!(issue.last_send.map(|last| last.status), Some(SendStatus::Failed));
    assert_eq!(issue.sent_at, Some(at(0)), "it was sent once");
    let page = PageRules::USUAL.page(None, Some(10)).expect("a page");
    let history = shop.storage.sales().history(&everything(), invoice.id, page).await.expect("read");
    let kinds: Vec<_> = history.expect("a history").items.iter().map(|entry| entry.kind).collect();
    assert!(kinds.ends_with(&[HistoryKind::Sent, HistoryKind::SendFailed]), "{kinds:?}");
}
