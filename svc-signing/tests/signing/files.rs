//! Which files can be signed, and what holds them.

use serde_json::json;
use svc_business::document::file::{self, File, FileHold, FileInput, FileRefused, Uploaded};
use svc_business::record;
use svc_business::signature::machine::EnvelopeRefused;
use svc_business::signature::{Envelope, EnvelopeFiles as _, FileState, operations};
use svc_core::error::StoreError;
use svc_core::id::FileId;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_signing::CompanyFiles;
use svc_testkit::business::envelopes::pdf;
use svc_testkit::business::sample::{at, id};
use svc_testkit::content::upload;

use crate::world::World;

async fn states(world: &World, files: &[FileId]) -> Result<Vec<Option<FileState>>, StoreError> {
    let judged = world.judged(files).await;
    world
        .within(at(5), async |unit, call| {
            CompanyFiles::new(unit, call, &judged).states(world.company, files).await
        })
        .await
}

async fn delete(world: &World, id: FileId) -> Result<File, Refused<FileRefused>> {
    world
        .within(at(50), async |unit, call| {
            let opened = record::alone::<File>(unit, call, id, &[], &Expected::Any).await;
            file::delete(opened.map_err(Refused::widen)?).await
        })
        .await
}

#[tokio::test]
async fn files_tell_whether_they_can_be_signed() {
    let world = World::new().await;
    let good = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let text = world.file("Nota.txt", "text/plain", b"Hola").await;
    let broken = world.file("Roto.pdf", "application/pdf", b"%PDF-1.7 and nothing more").await;
    let gone = world.file("Viejo.pdf", "application/pdf", &pdf("two")).await;
    delete(&world, gone.id).await.unwrap();
    let asked = [good.id, text.id, broken.id, gone.id, world.unknown()];
    let states = states(&world, &asked).await.unwrap();
    let Some(Some(FileState::Signable(pin))) = states.first() else { panic!("{states:?}") };
    let version = &good.versions[0];
    assert_eq!((pin.version, pin.sha256, pin.pages), (1, version.content.digest, 1));
    assert_eq!((pin.size, pin.name.as_str()), (version.content.size, "Contrato.pdf"));
    let code = |state: &Option<FileState>| match state {
        Some(FileState::Refused { code, .. }) => *code,
        Some(FileState::Signable(_)) => "signable",
        None => "unknown",
    };
    let codes: Vec<_> = states.iter().map(code).collect();
    assert_eq!(codes, ["signable", "not_pdf", "pdf_damaged", "file_deleted", "unknown"]);
    let judged = world.judged(&[good.id]).await;
    let elsewhere = world.within(at(5), async |unit, call| {
        CompanyFiles::new(unit, call, &judged).states(id(2), &[good.id]).await
    });
    assert_eq!(elsewhere.await.unwrap(), [None], "a file of another company");
}

#[tokio::test]
async fn a_version_that_came_after_the_judging_is_a_conflict() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let judged = world.judged(&[file.id]).await;
    let content = upload(&world.contents, world.company, &pdf("two")).await.unwrap();
    let mime_type = "application/pdf".to_owned();
    let uploaded = Uploaded { name: None, content, kept_for: world.company, mime_type };
    world
        .within(at(4), async |unit, call| {
            let opened = record::open::<File>(unit, call, file.id, &Expected::Any).await;
            file::add_version(opened.map_err(Refused::widen)?, uploaded).await
        })
        .await
        .unwrap();
    let told = world.within(at(5), async |unit, call| {
        CompanyFiles::new(unit, call, &judged).states(world.company, &[file.id]).await
    });
    assert!(matches!(told.await, Err(StoreError::Conflict)));
    let states = states(&world, &[file.id]).await.unwrap();
    assert!(matches!(states.first(), Some(Some(FileState::Signable(pin))) if pin.version == 2), "{states:?}");
}

#[tokio::test]
async fn what_people_are_asked_to_sign_is_not_deleted() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let text = world.file("Nota.txt", "text/plain", b"Hola").await;
    let refused = world.sent(&[text.id], json!([])).await;
    assert!(
        matches!(&refused, Err(Refused::Invalid(errors)) if errors.0.iter().any(|one| one.code == "not_pdf")),
        "{refused:?}"
    );
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    let held = delete(&world, file.id).await;
    assert!(matches!(held, Err(Refused::Own(FileRefused::InUse(FileHold::Signed)))), "{held:?}");
    let reason = serde_json::from_value(json!({"reason": "Ya no"})).unwrap();
    world.on(40, sent.id, async |opened| operations::void(opened, &reason).await).await.unwrap();
    delete(&world, file.id).await.unwrap();
    let again = serde_json::from_value(json!({})).unwrap();
    let (judged, key) = (world.judged(&[file.id]).await, svc_testkit::business::envelopes::key());
    let reissued = world.within(at(60), async |unit, call| {
        let opened = record::alone::<Envelope>(unit, call, sent.id, &[], &Expected::Any)
            .await
            .map_err(Refused::widen)?;
        let files = CompanyFiles::new(unit, call, &judged);
        operations::reissue(opened, operations::Sending { files: &files, key: &key }, &again).await
    });
    let reissued: Result<_, Refused<EnvelopeRefused>> = reissued.await;
    assert!(
        matches!(&reissued, Err(Refused::Invalid(errors)) if errors.0.iter().all(|one| one.code == "file_deleted")),
        "{reissued:?}"
    );
}

#[tokio::test]
async fn clients_link_no_files_with_envelopes() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    let input: FileInput =
        serde_json::from_value(json!({"links": [{"type": "envelope", "id": sent.id}]})).unwrap();
    let linked = world.within(at(50), async |unit, call| {
        let opened = record::open::<File>(unit, call, file.id, &Expected::Any).await;
        file::update(opened.map_err(Refused::widen)?, input).await
    });
    let linked = linked.await;
    assert!(
        matches!(&linked, Err(Refused::Invalid(errors)) if errors.0.iter().all(|one| one.code == "not_allowed")),
        "{linked:?}"
    );
}
