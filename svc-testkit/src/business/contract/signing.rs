//! The verbs of envelopes on a storage: events, mails and trails commit with the change, and one end wins.

use std::sync::Arc;

use futures_util::future::join;
use serde_json::{Value, json};
use svc_business::job::JobKind;
use svc_business::ports::DynSignatureUnit;
use svc_business::record;
use svc_business::signature::machine::{EnvelopeRefused, MailKind};
use svc_business::signature::operations::{self, Ceremony, Sending};
use svc_business::signature::{Envelope, EnvelopeInput, SignRequest, Signer, VoidReason};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::trail::Chain;
use svc_core::unit::CallContext;

use super::shop::Shop;
use super::{PublishedEvents, Storage, attempt};
use crate::business::envelopes::{PdfFiles, key};
use crate::business::sample::{at, everything};

type World = (Storage, Arc<dyn PublishedEvents>);
type Done<T> = Result<T, Refused<EnvelopeRefused>>;

/// A request from its JSON.
macro_rules! read {
    ($body:expr) => {
        serde_json::from_value($body).expect("a valid body")
    };
}

fn body(people: &Value) -> Value {
    json!({"subject": "Contrato", "order": "sequential", "reminderEveryDays": 3,
        "files": [{"fileId": crate::business::sample::id::<svc_core::id::FileId>(901)}], "signers": people})
}

impl Shop {
    /// A draft that was sent.
    async fn envelope(&self, people: &Value) -> Envelope {
        let input: EnvelopeInput = read!(body(people));
        let draft = self.within(async |unit, call| {
            let home = record::home::<Envelope>(unit, call, self.company.id).await.map_err(Refused::widen)?;
            operations::create(home, &PdfFiles, &input).await.map_err(Refused::widen::<EnvelopeRefused>)
        });
        let draft = draft.await.unwrap_or_else(|refused| panic!("{refused:?}"));
        let (files, key) = (PdfFiles, key());
        let with = Sending { files: &files, key: &key };
        self.on(&draft, async |opened| operations::send(opened, with).await).await.expect("sent")
    }

    /// Does this with an envelope, in a unit that has it alone.
    async fn on<T>(
        &self,
        envelope: &Envelope,
        work: impl AsyncFnOnce(record::Opened<'_, Envelope>) -> Done<T>,
    ) -> Done<T> {
        self.within(async |unit, call| {
            let unit: &DynSignatureUnit = unit;
            work(opened(unit, call, envelope).await?).await
        })
        .await
    }

    async fn sign(&self, envelope: &Envelope, at: usize) -> Done<Envelope> {
        let signer = envelope.signers.get(at).expect("a signer");
        let link = signer.access.expect("a link").hash;
        let who = Ceremony { link, user_agent: Some("Browser/1.0") };
        self.on(envelope, async |opened| operations::view(opened, &who).await).await?;
        let request: SignRequest =
            read!(json!({"consent": true, "signature": {"kind": "typed", "text": "Ana"}}));
        self.on(envelope, async |opened| operations::sign(opened, &who, &request).await).await
    }

    /// What signers are sent by jobs that are due.
    async fn letters(&self) -> Vec<(Option<MailKind>, svc_core::id::SignerId)> {
        let claimed =
            attempt!(self.storage, |unit| unit.jobs().claim(JobKind::EnvelopeMail, at(0), at(9_000_000), 50));
        let letter = |job| {
            let letter = operations::letter_of(job).expect("a letter");
            (letter.kind(), letter.signer)
        };
        claimed.expect("claim").iter().map(letter).collect()
    }
}

async fn opened<'u>(
    unit: &'u DynSignatureUnit,
    call: CallContext<'u>,
    envelope: &Envelope,
) -> Done<record::Opened<'u, Envelope>> {
    record::alone::<Envelope>(unit, call, envelope.id, &[], &Expected::Any).await.map_err(Refused::widen)
}

/// The types of the events of envelopes with what they say beside the id.
async fn told(events: &dyn PublishedEvents) -> Vec<(String, Value)> {
    let bodies = events.bodies().await;
    let bodies = bodies.iter().map(|body| serde_json::from_slice::<Value>(body).expect("JSON"));
    let told = bodies.map(|body| {
        let kind = body.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        (kind, body.get("data").cloned().unwrap_or_default())
    });
    told.filter(|(kind, _)| kind.starts_with("envelope.")).collect()
}

fn people() -> Value {
    json!([{"name": "Ana", "email": "ana@example.com"}, {"name": "Luis", "email": "luis@example.com", "order": 2}])
}

/// People are asked in their order; the last signature completes the envelope, and the trail has each step.
pub async fn an_envelope_is_signed_by_all((storage, events): World) {
    let shop = Shop::new(storage).await;
    let sent = shop.envelope(&people()).await;
    let ids: Vec<_> = sent.signers.iter().map(|signer| signer.id).collect();
    let invited = |place: usize| vec![(Some(MailKind::Invitation), *ids.get(place).expect("a signer"))];
    assert_eq!(shop.letters().await, invited(0));
    let early = shop.sign(&sent, 1).await;
    assert!(matches!(early, Err(Refused::Own(EnvelopeRefused::NotYourTurn))), "{early:?}");
    shop.sign(&sent, 0).await.expect("signed");
    assert_eq!(shop.letters().await, invited(1));
    let completed = shop.sign(&sent, 1).await.expect("signed");
    assert_eq!(completed.status.name(), "completed");
    let kinds: Vec<String> = told(&*events).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["envelope.sent", "envelope.completed"]);
    let links = shop.storage.envelopes().trail(&everything(), sent.id).await.expect("read").expect("there");
    let chain = Chain::from_links(links);
    assert_eq!((chain.verify(), chain.head()), (Ok(()), completed.trail.hash));
    let drawings = shop.storage.envelopes().inks(shop.company.id, sent.id).await.expect("read");
    assert_eq!(drawings.len(), 2);
    let again = shop.sign(&sent, 1).await;
    assert!(matches!(again, Err(Refused::Own(EnvelopeRefused::Closed("completed")))), "{again:?}");
}

/// The last signature and the sender's end come at once: one of them wins, and the other is told that it is closed.
pub async fn of_two_ends_one_wins((storage, events): World) {
    let shop = Shop::new(storage).await;
    for _ in 0..4 {
        let sent = shop.envelope(&json!([{"name": "Ana", "email": "ana@example.com"}])).await;
        let link = sent.signers.first().and_then(|signer| signer.access).expect("a link").hash;
        let who = Ceremony { link, user_agent: None };
        shop.on(&sent, async |opened| operations::view(opened, &who).await).await.expect("viewed");
        let request: SignRequest =
            read!(json!({"consent": true, "signature": {"kind": "drawn", "strokes": [[[1, 2], [3, 4]]]}}));
        let reason = read!(json!({"reason": "Ya no"}));
        let sign = shop.on(&sent, async |opened| operations::sign(opened, &who, &request).await);
        let void = shop.on(&sent, async |opened| operations::void(opened, &reason).await);
        let (signed, voided) = join(sign, void).await;
        let closed = |done: &Done<Envelope>| matches!(done, Err(Refused::Own(EnvelopeRefused::Closed(_))));
        let one = (signed.is_ok() && closed(&voided)) || (voided.is_ok() && closed(&signed));
        assert!(one, "{signed:?} {voided:?}");
        let kept = shop.storage.envelopes().find(&everything(), sent.id).await.expect("find").expect("there");
        assert_eq!(Some(kept), signed.or(voided).ok());
    }
    assert_eq!(told(&*events).await.len(), 8, "each is sent once and ends once");
}

/// A place is given to another person, and an envelope to another one, with events that name both.
pub async fn places_and_envelopes_are_given_away((storage, events): World) {
    let shop = Shop::new(storage).await;
    let sent = shop.envelope(&people()).await;
    let old = sent.signers.first().expect("a signer").id;
    let request = read!(json!({"signerId": old, "name": "Eva", "email": "eva@example.com"}));
    let reassigned =
        shop.on(&sent, async |opened| operations::reassign(opened, &request, &key()).await).await;
    let new = reassigned.expect("reassigned").signers.last().expect("a signer").id;
    let taken = read!(json!({"signerId": new, "name": "Luis", "email": "LUIS@example.com"}));
    let twice = shop.on(&sent, async |opened| operations::reassign(opened, &taken, &key()).await).await;
    assert!(
        matches!(&twice, Err(Refused::Invalid(errors)) if errors.0.iter().all(|one| one.field == "email")),
        "{twice:?}"
    );
    let (files, key) = (PdfFiles, key());
    let with = Sending { files: &files, key: &key };
    let request = read!(json!({}));
    let reissued = shop.on(&sent, async |opened| operations::reissue(opened, with, &request).await).await;
    let reissued = reissued.expect("reissued");
    let names: Vec<_> = reissued.signers.iter().map(|signer| signer.name.as_str()).collect();
    assert_eq!((reissued.supersedes, names), (Some(sent.id), vec!["Luis", "Eva"]));
    assert!(reissued.signers.iter().all(|one: &Signer| sent.signer(one.id).is_none() && one.id != new));
    let kept = shop.storage.envelopes().find(&everything(), sent.id).await.expect("find").expect("there");
    assert_eq!((kept.superseded_by, kept.void_reason()), (Some(reissued.id), Some(&VoidReason::Reissued)));
    let told = told(&*events).await;
    let kinds: Vec<&str> = told.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["envelope.sent", "envelope.reassigned", "envelope.voided", "envelope.reissued"]);
    let data: Vec<&Value> = told.iter().map(|(_, data)| data).collect();
    let [_, one, _, other] = data.as_slice() else { panic!("four: {data:?}") };
    let said = |data: &Value, name: &str| data.get(name).and_then(Value::as_str).map(str::to_owned);
    assert_eq!(said(one, "signer_id"), Some(new.to_string()));
    assert_eq!(said(one, "previous_signer_id"), Some(old.to_string()));
    assert_eq!(
        (said(other, "previous_id"), said(other, "id")),
        (Some(sent.id.to_string()), Some(reissued.id.to_string()))
    );
}
