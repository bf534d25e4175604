//! Envelopes: kept whole in every state with trail and signatures, found by every filter and by their links.

use svc_business::contact::Contact;
use svc_business::party::Extension;
use svc_business::signature::key::LinkHash;
use svc_business::signature::machine::{Consent, Step};
use svc_business::signature::{
    Envelope, EnvelopeFile, EnvelopeFilter, EnvelopeLink, EnvelopeSort, EnvelopeStatus, EnvelopeStatusFilter,
    Ink, SealedFiles, Signer, SignerStatus, SigningOrder, VoidReason,
};
use svc_core::id::{AccountId, EnvelopeId};
use svc_core::page::{Direction, Sort};
use svc_core::resource::Version;
use svc_core::trail::{Chain, Link};

use super::shop::Shop;
use super::{Storage, assert_conflict, assert_taken, attempt, ids, put_accounts, put_contacts, whole};
use crate::business::envelopes::{access, act, act_of, draft, full_signer, link, pin, signer};
use crate::business::sample::{self, at, bare_account, bare_case, everything, id, organization, scope};

async fn put(storage: &Storage, envelopes: &[Envelope]) {
    let unit = storage.begin().await.expect("begin");
    for envelope in envelopes {
        unit.envelopes().insert(&everything(), envelope).await.expect("insert an envelope");
    }
    unit.commit().await.expect("commit");
}

async fn find(storage: &Storage, envelope: EnvelopeId) -> Option<Envelope> {
    storage.envelopes().find(&everything(), envelope).await.expect("find")
}

/// Keeps what a step came to.
async fn keep(storage: &Storage, before: &Envelope, step: Step) -> (Envelope, Vec<Link>) {
    let after = Envelope { version: before.version.next(), ..step.envelope };
    let unit = storage.begin().await.expect("begin");
    unit.envelopes().replace(&everything(), before, &after).await.expect("replace");
    unit.envelopes().append(&after, &step.entries).await.expect("append");
    unit.commit().await.expect("commit");
    (after, step.entries)
}

fn sent(draft: &Envelope, now: i64) -> Step {
    let pins = (0..).zip(&draft.files).map(|(number, _)| pin(number)).collect();
    draft.clone().send(pins, access, &act(at(now))).expect("a whole draft")
}

/// An envelope with every member filled that a draft has.
fn full(company: AccountId, links: Vec<EnvelopeLink>) -> Envelope {
    let external_id = Some("crm-1".to_owned());
    let metadata = std::iter::once(("región".to_owned(), "norte".to_owned())).collect();
    let replaced = Signer {
        status: SignerStatus::Replaced { notified_at: Some(at(1)), viewed_at: None, by: id(51) },
        contact: Some(id(10)),
        ..signer(50)
    };
    let declined = SignerStatus::Declined {
        notified_at: at(1),
        viewed_at: at(2),
        at: at(3),
        reason: "El precio es otro".to_owned(),
    };
    let signed = SignerStatus::Signed { notified_at: at(1), viewed_at: at(2), at: at(3) };
    let signers = vec![
        replaced,
        full_signer(51),
        Signer { status: declined, ..signer(52) },
        Signer { status: signed, ..signer(53) },
        Signer { status: SignerStatus::Notified { at: at(4) }, ..signer(54) },
    ];
    Envelope {
        message: Some("Hola,\nfirme «aquí».".to_owned()),
        order: SigningOrder::Sequential,
        expires_at: Some(at(900_000)),
        reminder_every_days: 30,
        files: vec![
            EnvelopeFile { file: id(901), pin: Some(pin(1)) },
            EnvelopeFile { file: id(900), pin: None },
        ],
        links,
        superseded_by: Some(id(99)),
        extension: Extension { external_id, metadata },
        ..draft(company, 30, signers)
    }
}

/// Every member comes back, in each status, within the scope and at its version.
pub async fn an_envelope_comes_back_whole(storage: Storage) {
    let shop = Shop::new(storage).await;
    let (storage, company) = (&shop.storage, shop.company.id);
    let case = bare_case(company, 20, shop.customer);
    attempt!(storage, |unit| unit.cases().insert(&everything(), &case)).expect("a case");
    let invoice = shop.invoice("10.00", true).await;
    let links = vec![
        EnvelopeLink::Invoice(invoice.id),
        EnvelopeLink::Case(case.id),
        EnvelopeLink::Contact(shop.customer),
    ];
    let whole = full(company, links);
    let bare = draft(company, 31, vec![signer(60)]);
    put(storage, &[whole.clone(), bare.clone()]).await;
    assert_eq!(find(storage, whole.id).await.as_ref(), Some(&whole));
    let elsewhere = scope(&[id(777)]);
    assert_eq!(storage.envelopes().find(&elsewhere, whole.id).await.expect("find"), None);
    let (sent_at, ended_at) = (at(40), at(50));
    let sealed = Some(SealedFiles { files: vec![id(950), id(951)], certificate: id(952) });
    let mut before = bare;
    for status in [
        EnvelopeStatus::Sent { at: sent_at, remind_at: Some(at(45)) },
        EnvelopeStatus::Sent { at: sent_at, remind_at: None },
        EnvelopeStatus::Completed { sent_at, at: ended_at, sealed: None },
        EnvelopeStatus::Completed { sent_at, at: ended_at, sealed },
        EnvelopeStatus::Declined { sent_at, at: ended_at },
        EnvelopeStatus::Voided { sent_at, at: ended_at, reason: VoidReason::Expired },
        EnvelopeStatus::Voided { sent_at, at: ended_at, reason: VoidReason::Sender("Otro".to_owned()) },
        EnvelopeStatus::Draft,
    ] {
        let after = Envelope { status, version: before.version.next(), ..before.clone() };
        attempt!(storage, |unit| unit.envelopes().replace(&everything(), &before, &after)).expect("replace");
        assert_eq!(find(storage, after.id).await.as_ref(), Some(&after));
        assert_conflict(&attempt!(storage, |unit| unit.envelopes().replace(&everything(), &before, &after)));
        before = after;
    }
}

/// A company has one envelope with an external id, and a draft is erased with all that it has.
pub async fn a_draft_of_an_envelope_is_erased(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    put_contacts(&storage, &[organization(company, 10, "Cliente SL")]).await;
    let first = full(company, vec![EnvelopeLink::Contact(id(10))]);
    put(&storage, std::slice::from_ref(&first)).await;
    let clash = Envelope { extension: first.extension.clone(), ..draft(company, 31, vec![signer(60)]) };
    assert_taken(&attempt!(storage, |unit| unit.envelopes().insert(&everything(), &clash)), "externalId");
    attempt!(storage, |unit| unit.envelopes().erase(&everything(), &first)).expect("erased");
    assert_eq!(find(&storage, first.id).await, None);
    put(&storage, &[clash]).await;
}

/// A trail comes back as it was chained, a place in it is given once, and a link leads to its envelope.
pub async fn a_trail_is_chained_and_a_link_leads_to_its_envelope(storage: Storage) {
    let [company, survivor] = put_accounts(&storage).await;
    let before = draft(company, 30, vec![signer(60), signer(61)]);
    put(&storage, std::slice::from_ref(&before)).await;
    assert_eq!(storage.envelopes().trail(&everything(), before.id).await.expect("read"), Some(Vec::new()));
    let (before, mut links) = keep(&storage, &before, sent(&before, 100)).await;
    let by = act_of(id(60), at(101));
    let viewed = before.clone().view(&link(id(60)), &by).expect("asked").expect("new");
    let (before, more) = keep(&storage, &before, viewed).await;
    links.extend(more);
    let made = Ink::Drawn(vec![vec![(0, 1), (100_000, 7)], vec![(3, 3)]]);
    let step = before.clone().sign(&link(id(60)), &Consent("Acepto"), &made, &by).expect("viewed");
    let (after, more) = keep(&storage, &before, step.clone()).await;
    links.extend(more);
    attempt!(storage, |unit| unit.envelopes().keep_ink(&after, id(60), &made)).expect("kept");
    let kept = async || storage.envelopes().trail(&everything(), after.id).await.expect("read");
    assert_eq!(kept().await.as_ref(), Some(&links));
    let chain = Chain::from_links(links.clone());
    assert_eq!((chain.verify(), chain.head()), (Ok(()), after.trail.hash));
    assert_eq!(storage.envelopes().trail(&scope(&[survivor]), after.id).await.expect("read"), None);
    let twice = attempt!(storage, |unit| unit.envelopes().append(&after, &step.entries));
    assert!(twice.is_err(), "a place is given once");
    let drawings = async |company| storage.envelopes().inks(company, after.id).await.expect("read");
    assert_eq!(drawings(company).await, [(id(60), made.clone())]);
    let led = async |hash| storage.envelopes().of_link(&hash).await.expect("read");
    assert_eq!(led(link(id(61))).await, Some((company, after.id)));
    assert_eq!(led(LinkHash([1; 32])).await, None);
    attempt!(storage, |unit| unit.accounts().move_records(company, survivor, at(180))).expect("moved");
    let moved = find(&storage, after.id).await.expect("there");
    assert_eq!((moved.company, moved.trail), (survivor, after.trail));
    assert_eq!(kept().await.as_ref(), Some(&links), "a trail moves as it is");
    assert_eq!(drawings(survivor).await, [(id(60), made)]);
    assert_eq!(led(link(id(61))).await, Some((survivor, after.id)));
}

/// Each filter narrows the list to what it names; each order is the one asked for.
pub async fn every_filter_and_order_of_envelopes_holds(storage: Storage) {
    let shop = Shop::new(storage).await;
    let (storage, company) = (&shop.storage, shop.company.id);
    let other = bare_account(5);
    super::insert_accounts(storage, std::slice::from_ref(&other)).await;
    let elsewhere = other.id;
    let invoice = EnvelopeLink::Invoice(shop.invoice("10.00", true).await.id);
    let case = bare_case(company, 20, shop.customer);
    attempt!(storage, |unit| unit.cases().insert(&everything(), &case)).expect("a case");
    let linked = Envelope { links: vec![EnvelopeLink::Case(case.id), invoice], ..full(company, Vec::new()) };
    let contact = EnvelopeLink::Contact(shop.customer);
    let late = sent(&draft(company, 31, vec![signer(61)]), 200_000).envelope;
    let late = Envelope { links: vec![contact], expires_at: Some(at(300_000)), updated_at: at(500), ..late };
    let early = sent(&draft(company, 32, vec![signer(62)]), 100).envelope;
    let early = Envelope { subject: "Préstamo de Málaga".to_owned(), ..early };
    let foreign = draft(elsewhere, 33, vec![Signer { name: "Íñigo Ñandú".to_owned(), ..signer(63) }]);
    put(storage, &[linked.clone(), late.clone(), early.clone(), foreign.clone()]).await;
    let any = EnvelopeFilter::default;
    let matching = async |filter: EnvelopeFilter, sort: Option<(EnvelopeSort, Direction)>| {
        let page =
            storage.envelopes().page(&everything(), &filter, &Sort(sort), whole()).await.expect("page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"));
        ids(&page.items)
    };
    let text = |text: &str| EnvelopeFilter { text: Some(text.to_owned()), ..any() };
    let both = || EnvelopeFilter { companies: vec![company, elsewhere], ..any() };
    let of = |link| EnvelopeFilter { link: Some(link), ..both() };
    let signed_by = |number: u32| EnvelopeFilter {
        signer_email: Some(sample::email(&format!("S{number}@Example.com"))),
        ..both()
    };
    let day = at(200_000).date();
    for (name, filter, expected) in [
        ("all", any(), vec![&linked, &late, &early, &foreign]),
        ("company", EnvelopeFilter { companies: vec![elsewhere], ..any() }, vec![&foreign]),
        ("status", EnvelopeFilter { status: Some(EnvelopeStatusFilter::Sent), ..any() }, vec![&late, &early]),
        ("signer", signed_by(61), vec![&late]),
        ("replaced signer", signed_by(50), vec![&linked]),
        ("nobody", signed_by(99), vec![]),
        ("case", of(EnvelopeLink::Case(case.id)), vec![&linked]),
        ("invoice", of(invoice), vec![&linked]),
        ("contact", of(contact), vec![&late]),
        ("external id", EnvelopeFilter { external_id: Some("crm-1".to_owned()), ..any() }, vec![&linked]),
        ("subject", text("malaga"), vec![&early]),
        ("name", text("inigo"), vec![&foreign]),
        ("address", text("s62@exam"), vec![&early]),
        ("updated since", EnvelopeFilter { updated_since: Some(at(500)), ..any() }, vec![&late]),
        ("from", EnvelopeFilter { from: Some(day), ..any() }, vec![&late]),
        ("to", EnvelopeFilter { to: Some(day), ..any() }, vec![&late, &early]),
        ("before", EnvelopeFilter { to: day.previous_day(), ..any() }, vec![&early]),
    ] {
        assert_eq!(matching(filter, None).await, ids(expected), "{name}");
    }
    // A filter that names companies and a signer does not widen a scope.
    let page =
        storage.envelopes().page(&scope(&[elsewhere]), &signed_by(61), &Sort::default(), whole()).await;
    assert_eq!(page.expect("page").total, 0);
    let ours = || EnvelopeFilter { companies: vec![company], ..any() };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    let by = async |key, direction| matching(ours(), Some((key, direction))).await;
    assert_eq!(by(EnvelopeSort::SentAt, up).await, ids([&early, &late, &linked]));
    assert_eq!(by(EnvelopeSort::ExpiresAt, up).await, ids([&late, &linked, &early]));
    assert_eq!(by(EnvelopeSort::UpdatedAt, down).await, ids([&late, &early, &linked]));
}

/// What has expired and what is to be reminded of come in their order.
pub async fn what_is_due_of_envelopes_comes_in_order(storage: Storage) {
    let [company, other, third] = put_accounts(&storage).await;
    let status = |remind: Option<i64>| EnvelopeStatus::Sent { at: at(0), remind_at: remind.map(at) };
    let until = |company, number: u32, end: i64, remind: Option<i64>| Envelope {
        expires_at: Some(at(end)),
        status: status(remind),
        ..draft(company, number, vec![signer(u128::from(number) + 30)])
    };
    let ended = EnvelopeStatus::Declined { sent_at: at(0), at: at(1) };
    let (late, early) = (until(company, 30, 90, Some(70)), until(company, 31, 20, Some(80)));
    let all = [
        late.clone(),
        early.clone(),
        until(company, 32, 101, Some(101)),
        Envelope { status: ended.clone(), ..until(company, 33, 5, None) },
        Envelope { status: EnvelopeStatus::Draft, ..until(company, 34, 5, None) },
        until(other, 35, 5, Some(5)),
        Envelope { status: ended, ..until(third, 36, 5, None) },
    ];
    put(&storage, &all).await;
    let expiring = async |limit| storage.envelopes().expiring(company, at(100), limit).await.expect("read");
    assert_eq!((expiring(9).await, expiring(1).await), (vec![early.id, late.id], vec![early.id]));
    let reminding = async |limit| storage.envelopes().reminding(company, at(100), limit).await.expect("read");
    assert_eq!((reminding(9).await, reminding(1).await), (vec![late.id, early.id], vec![late.id]));
    let awaits = async |company| storage.accounts().awaits_signers(company).await.expect("read");
    assert_eq!((awaits(company).await, awaits(other).await, awaits(third).await), (true, true, false));
}

/// A file is signed while an envelope that has it is open, and for good once everyone signed.
pub async fn a_file_is_signed_in_open_and_completed_envelopes(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let (sent_at, ended) = (at(40), at(50));
    let file = |company, number| sample::file(company, number);
    let is_signed = async |file| attempt!(storage, |unit| unit.files().is_signed(&file)).expect("read");
    let mut before = draft(company, 30, vec![signer(60)]);
    put(&storage, &[before.clone(), draft(company, 31, vec![signer(61)])]).await;
    for (status, signed) in [
        (EnvelopeStatus::Sent { at: sent_at, remind_at: None }, true),
        (EnvelopeStatus::Completed { sent_at, at: ended, sealed: None }, true),
        (EnvelopeStatus::Declined { sent_at, at: ended }, false),
        (EnvelopeStatus::Voided { sent_at, at: ended, reason: VoidReason::Expired }, false),
        (EnvelopeStatus::Draft, false),
    ] {
        let after = Envelope { status, version: before.version.next(), ..before.clone() };
        attempt!(storage, |unit| unit.envelopes().replace(&everything(), &before, &after)).expect("replace");
        assert_eq!(is_signed(file(company, 900)).await, signed, "{:?}", after.status);
        assert!(!is_signed(file(company, 901)).await, "another file");
        assert!(!is_signed(file(other, 900)).await, "another company");
        before = after;
    }
}

/// Links and signers follow a contact that is merged into another one.
pub async fn envelopes_follow_their_contacts(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    let contacts: [Contact; 2] = [10, 11].map(|number| organization(company, number, "Cliente SL"));
    put_contacts(&storage, &contacts).await;
    let envelope = full(company, vec![EnvelopeLink::Contact(id(10))]);
    put(&storage, std::slice::from_ref(&envelope)).await;
    let [from, to] = &contacts;
    assert!(attempt!(storage, |unit| unit.contacts().is_referenced(from)).expect("read"));
    attempt!(storage, |unit| unit.contacts().repoint(from, to, at(80))).expect("pointed anew");
    let after = find(&storage, envelope.id).await.expect("there");
    assert_eq!(after.links, [EnvelopeLink::Contact(to.id)]);
    assert_eq!(after.signers.first().and_then(|signer| signer.contact), Some(to.id));
    assert!(after.version > Version::FIRST && after.updated_at == at(80), "{after:?}");
}
