//! An envelope, and files to seal.

use std::fmt::Write as _;

use svc_core::clock::Timestamp;
use svc_seal::{
    Chain, Digest, Entry, Evidence, Identification, Ink, Language, Role, Seal, SealKey, SealKind, Signature,
    SignedDocument, Signer, Step, StepKind,
};

/// 31 January 2026, 09:15 UTC, and so many seconds.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix_seconds(1_769_850_900 + seconds)
}

pub(crate) fn key() -> SealKey {
    SealKey::new(7, [42; 32])
}

pub(crate) fn seal_of<'a>(evidence: &'a Evidence, signatures: &'a [Signature], key: &'a SealKey) -> Seal<'a> {
    Seal { evidence, signatures, sealed_at: at(900), key, kind: SealKind::Keyed }
}

/// A file with one page, written by hand, with a table of cross-references.
pub(crate) fn small() -> Vec<u8> {
    by_hand(&[
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /Rotate 90 /MediaBox [0 0 300 200] >>",
        "<< /Type /Page /Parent 2 0 R >>",
    ])
}

/// A file of these objects, the first of which is the catalog.
pub(crate) fn by_hand(objects: &[&str]) -> Vec<u8> {
    let (mut file, mut offsets) = (String::from("%PDF-1.7\n"), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        let _ = write!(file, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let start = file.len();
    let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(file, "{offset:010} 00000 n ");
    }
    let size = objects.len() + 1;
    let _ = write!(file, "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF");
    file.into_bytes()
}

/// A file of several pages with object streams and a cross-reference stream, as most programs write them now.
pub(crate) fn modern() -> Vec<u8> {
    let pages = svc_seal::certificate(&evidence(b"-", Language::En)).expect("pages");
    let mut document = lopdf::Document::load_mem(&pages).expect("a PDF");
    let mut file = Vec::new();
    document.save_modern(&mut file).expect("written");
    file
}

/// What is known about the signing of a document.
pub(crate) fn evidence(document: &[u8], language: Language) -> Evidence {
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    let step = |seconds, kind| Step {
        at: at(seconds),
        kind,
        ip: Some("2001:db8::7".to_owned()),
        user_agent: Some(agent.to_owned()),
    };
    let steps = |to: &str, start: i64| {
        vec![
            Step { ip: None, user_agent: None, ..step(start, StepKind::Notified { to: to.to_owned() }) },
            step(start + 60, StepKind::Viewed),
            step(
                start + 90,
                StepKind::Consented {
                    text: "Acepto firmar electrónicamente este documento y conozco su contenido.".to_owned(),
                },
            ),
            step(start + 120, StepKind::OtpProved { to: to.to_owned(), proof: "msg_81".to_owned() }),
            step(start + 150, StepKind::Signed),
        ]
    };
    let signer = |id: &str, name: &str, email: &str, role, start| Signer {
        id: id.to_owned(),
        name: name.to_owned(),
        email: email.to_owned(),
        role,
        identified: Identification::EmailOtp,
        steps: steps(email, start),
    };
    let mut copy = signer("sig_4", "Archivo", "archivo@acme.example", Role::Copy, 500);
    copy.steps.truncate(1);
    let mut entries = Chain::new();
    for (number, action) in ["envelope.sent", "signer.viewed", "signer.signed"].into_iter().enumerate() {
        entries.push(Entry {
            at: at(i64::try_from(number).expect("few") * 60),
            actor: "sig_1".to_owned(),
            action: action.to_owned(),
            ip: Some("192.0.2.7".to_owned()),
            user_agent: Some(agent.to_owned()),
            details: (number == 2).then(|| "consent \"v3\"\n\u{1}ñ".to_owned()),
        });
    }
    Evidence {
        envelope: "env_01kg9s5wm2".to_owned(),
        subject: "Contrato de arrendamiento · Λάρισα · Договор".to_owned(),
        sender: "Acme Iberia SL".to_owned(),
        language,
        sent_at: at(0),
        completed_at: at(800),
        documents: vec![SignedDocument {
            name: "contrato.pdf".to_owned(),
            pages: 1,
            before: Digest::of(document),
            after: None,
        }],
        signers: vec![
            signer("sig_1", "Administración de Acme Iberia SL", "a***@acme.example", Role::Signer, 10),
            signer("sig_2", "Gerencia de Talleres Ñandú SA", "gerencia@nandu.example", Role::Signer, 200),
            signer("sig_3", "Asesoría Ωmega", "omega@asesoria.example", Role::Approver, 400),
            copy,
        ],
        entries,
    }
}

/// Signatures of each kind.
pub(crate) fn signatures() -> Vec<Signature> {
    let wave = (0..160_u8).map(|step| {
        let turn = f32::from(step) / 10.0;
        (turn * 24.0 + 20.0 * turn.sin(), 60.0 + 40.0 * (turn * 1.7).cos())
    });
    let strokes = vec![wave.collect(), vec![(40.0, 120.0), (380.0, 112.0)], vec![(400.0, 30.0)]];
    let of = |signer: &str, ink| Signature { signer: signer.to_owned(), ink };
    vec![
        of("sig_1", Ink::Strokes(strokes)),
        of("sig_2", Ink::Png(picture(120, 40))),
        of("sig_3", Ink::Typed("Asesoría Ωmega".to_owned())),
    ]
}

/// A PNG with a band across it, and nothing behind the band.
pub(crate) fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a header");
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let band = |(x, y): (u32, u32)| (y * width).abs_diff(x * height) < 3 * width;
    let pixels = pixels.flat_map(|place| if band(place) { [20, 40, 120, 255] } else { [0; 4] });
    writer.write_image_data(&pixels.collect::<Vec<u8>>()).expect("pixels");
    writer.finish().expect("an end");
    file
}
