//! The job that seals what everyone signed.

use serde_json::json;
use svc_business::document::file::{self, File, FileHold, FileInput, FileLink, FileRefused};
use svc_business::job::JobKind;
use svc_business::record;
use svc_business::signature::{EnvelopeStatus, SealedFiles};
use svc_core::content::ContentStore as _;
use svc_core::error::StoreError;
use svc_core::id::{CaseId, FileId};
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_seal::{StepKind, original, verify};
use svc_testkit::business::envelopes::pdf;
use svc_testkit::business::sample::{at, bare_case, everything, organization};
use svc_testkit::content::read;

use crate::world::{World, seal_key};

async fn bytes(world: &World, file: &File) -> Vec<u8> {
    read(&world.contents, world.company, file.versions[0].content.digest, None).await.unwrap()
}

fn sealed(status: &EnvelopeStatus) -> SealedFiles {
    let EnvelopeStatus::Completed { sealed: Some(sealed), .. } = status else { panic!("{status:?}") };
    sealed.clone()
}

/// A case of the company.
async fn case(world: &World) -> CaseId {
    let contact = organization(world.company, 10, "Cliente SL");
    let case = bare_case(world.company, 20, contact.id);
    world
        .within(at(0), async |unit, _| {
            unit.contacts().insert(&everything(), &contact).await?;
            unit.cases().insert(&everything(), &case).await
        })
        .await
        .unwrap();
    case.id
}

#[tokio::test]
async fn what_everyone_signed_is_sealed_and_kept() {
    let world = World::new().await;
    let case = case(&world).await;
    let documents = [pdf("one"), pdf("two")];
    let one = world.file("Contrato.pdf", "application/pdf", &documents[0]).await;
    let two = world.file("Anexo", "application/pdf", &documents[1]).await;
    let links = json!([{"type": "case", "id": case}]);
    let sent = world.sent(&[one.id, two.id], links).await.unwrap();
    assert!(world.claim(15).await.is_empty(), "not everyone signed");
    let completed = world.sign(&sent).await;
    let jobs = world.claim(40).await;
    let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
    world.run(job, 40).await.unwrap();
    let after = world.envelope(sent.id).await;
    let SealedFiles { files, certificate } = sealed(&after.status);
    assert_eq!(files.len(), 2);
    for ((id, document), name) in
        files.iter().zip(&documents).zip(["Contrato (firmado).pdf", "Anexo (firmado).pdf"])
    {
        let file = world.record(*id).await;
        assert_eq!((file.name.as_str(), file.versions[0].mime_type.as_str()), (name, "application/pdf"));
        assert_eq!(file.links, [FileLink::Envelope(sent.id), FileLink::Case(case)]);
        let pdf = bytes(&world, &file).await;
        let verified = verify(&pdf, &seal_key()).unwrap();
        assert_eq!(original(&pdf).unwrap(), document);
        // Milliseconds are what JSON keeps of an instant.
        let sealed_at = verified.sealed_at.to_string();
        assert_eq!((verified.envelope, sealed_at), (sent.id.to_string(), at(40).to_string()));
        let evidence = verified.evidence;
        assert_eq!(evidence.entries.head(), completed.trail.hash, "the whole trail is in it");
        let steps: Vec<_> = evidence.signers[0].steps.iter().map(|step| &step.kind).collect();
        assert!(
            matches!(
                steps.as_slice(),
                [StepKind::Notified { .. }, StepKind::Viewed, StepKind::Consented { .. }, StepKind::Signed]
            ),
            "{steps:?}"
        );
    }
    let certificate = world.record(certificate).await;
    assert_eq!(certificate.name, "Certificado de firma - Arrendamiento.pdf");
    assert!(bytes(&world, &certificate).await.starts_with(b"%PDF-"));
    let told = world.events().await;
    let tail: Vec<_> = told.iter().rev().take(4).rev().map(String::as_str).collect();
    assert_eq!(tail, ["envelope.completed", "file.create", "file.create", "file.create"]);
    let mails = world.storage.jobs().waiting(world.company, JobKind::EnvelopeMail, 9).await.unwrap();
    assert_eq!(mails, 3, "the invitation, and one for each who took part");
}

/// A worker may die at any point: the job is due again, and what is kept is kept once.
#[tokio::test]
async fn a_seal_is_made_once_whatever_is_run_twice() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    world.sign(&sent).await;
    // The first worker dies before its commit: another one claims the job, and the first one comes back after it.
    let first = world.claim(40).await.remove(0);
    let second = world.claim(200).await.remove(0);
    world.run(&second, 200).await.unwrap();
    let kept = world.envelope(sent.id).await;
    let count = world.events().await.len();
    assert!(matches!(world.run(&first, 210).await, Err(StoreError::Conflict)));
    assert!(world.claim(9_000).await.is_empty(), "the job has ended");
    assert_eq!(world.envelope(sent.id).await, kept);
    assert_eq!(world.events().await.len(), count);
}

/// A content store that has lost a document leaves the envelope as it is, and the job is tried again.
#[tokio::test]
async fn a_seal_that_fails_changes_nothing() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    let completed = world.sign(&sent).await;
    let job = world.claim(40).await.remove(0);
    world.contents.delete(world.company, file.versions[0].content.digest).await.unwrap();
    assert!(world.run(&job, 40).await.is_err());
    assert_eq!(world.envelope(sent.id).await, completed);
    let again = svc_testkit::content::upload(&world.contents, world.company, &pdf("one")).await.unwrap();
    assert_eq!(again.digest, file.versions[0].content.digest);
    world.run(&job, 50).await.unwrap();
    sealed(&world.envelope(sent.id).await.status);
}

#[tokio::test]
async fn what_signing_came_to_stays_linked_and_is_not_deleted() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    world.sign(&sent).await;
    let job = world.claim(40).await.remove(0);
    world.run(&job, 40).await.unwrap();
    let SealedFiles { files, certificate } = sealed(&world.envelope(sent.id).await.status);
    for id in files.into_iter().chain([certificate, file.id]) {
        let deleted = delete(&world, id).await;
        assert!(matches!(deleted, Err(Refused::Own(FileRefused::InUse(FileHold::Signed)))), "{deleted:?}");
    }
    let input: FileInput = serde_json::from_value(json!({"links": []})).unwrap();
    let unlinked = world.within(at(50), async |unit, call| {
        let opened = record::open::<File>(unit, call, certificate, &Expected::Any).await;
        file::update(opened.map_err(Refused::widen)?, input).await
    });
    let unlinked = unlinked.await;
    assert!(
        matches!(&unlinked, Err(Refused::Invalid(errors)) if errors.0.iter().all(|one| one.field == "links")),
        "{unlinked:?}"
    );
}

async fn delete(world: &World, id: FileId) -> Result<File, Refused<FileRefused>> {
    world
        .within(at(60), async |unit, call| {
            let opened = record::alone::<File>(unit, call, id, &[], &Expected::Any).await;
            file::delete(opened.map_err(Refused::widen)?).await
        })
        .await
}
