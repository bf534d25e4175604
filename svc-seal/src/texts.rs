//! What the pages say, in each language. The signature is an electronic one with evidence (Regulation (EU) 910/2014,
//! article 3(10)), and is called nothing else.

use svc_core::clock::Timestamp;

use crate::evidence::{Identification, Language, Role, StepKind};

/// The words of one language.
pub(crate) struct Texts {
    pub(crate) code: &'static str,
    pub(crate) signatures: &'static str,
    pub(crate) certificate: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) envelope: &'static str,
    pub(crate) sender: &'static str,
    pub(crate) document: &'static str,
    pub(crate) documents: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) completed: &'static str,
    pub(crate) sealed: &'static str,
    pub(crate) signers: &'static str,
    pub(crate) email: &'static str,
    pub(crate) identified: &'static str,
    pub(crate) signed: &'static str,
    pub(crate) signature: &'static str,
    pub(crate) not_signed: &'static str,
    pub(crate) address: &'static str,
    pub(crate) program: &'static str,
    pub(crate) entries: &'static str,
    pub(crate) details: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) hash: &'static str,
    /// What kind of signature it is, and where its evidence is.
    pub(crate) note: &'static str,
    /// How the chain is computed.
    pub(crate) chain: &'static str,
    roles: [&'static str; 3],
    identifications: [&'static str; 3],
    steps: [&'static str; 7],
}

impl Texts {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::Es => &ES,
            Language::En => &EN,
        }
    }

    pub(crate) fn role(&self, role: Role) -> &'static str {
        let [signer, approver, copy] = self.roles;
        match role {
            Role::Signer => signer,
            Role::Approver => approver,
            Role::Copy => copy,
        }
    }

    pub(crate) fn identification(&self, identified: Identification) -> &'static str {
        let [email, email_otp, sms_otp] = self.identifications;
        match identified {
            Identification::Email => email,
            Identification::EmailOtp => email_otp,
            Identification::SmsOtp => sms_otp,
        }
    }

    /// What a step is, with what belongs to it.
    pub(crate) fn step(&self, kind: &StepKind) -> String {
        let [notified, viewed, consented, proved, signed, declined, replaced] = self.steps;
        match kind {
            StepKind::Notified { to } => format!("{notified}: {to}"),
            StepKind::Viewed => viewed.to_owned(),
            StepKind::Consented { text } => format!("{consented}: {text}"),
            StepKind::OtpProved { to, proof } => format!("{proved}: {to} ({proof})"),
            StepKind::Signed => signed.to_owned(),
            StepKind::Declined { reason } => format!("{declined}: {reason}"),
            StepKind::Replaced { by } => format!("{replaced}: {by}"),
        }
    }
}

/// An instant as people read it: `31/01/2026 09:15:00 UTC` in Spanish, `2026-01-31 09:15:00 UTC` in English.
pub(crate) fn instant(at: Timestamp, language: Language) -> String {
    let text = at.to_string();
    let date = at.date();
    let time = text.get(11..19).unwrap_or_default();
    match language {
        Language::Es => {
            format!("{:02}/{:02}/{:04} {time} UTC", date.day(), u8::from(date.month()), date.year())
        }
        Language::En => format!("{} {time} UTC", text.get(..10).unwrap_or_default()),
    }
}

const ES: Texts = Texts {
    code: "es",
    signatures: "Firmas",
    certificate: "Certificado de evidencias",
    subject: "Asunto",
    envelope: "Sobre",
    sender: "Remitente",
    document: "Documento",
    documents: "Documentos",
    pages: "Páginas",
    before: "SHA-256 original",
    after: "SHA-256 sellado",
    sent: "Enviado",
    completed: "Completado",
    sealed: "Sellado",
    signers: "Firmantes",
    email: "Correo",
    identified: "Identificación",
    signed: "Firmado",
    signature: "Firma",
    not_signed: "No ha firmado",
    address: "Dirección IP",
    program: "Programa",
    entries: "Registro de auditoría",
    details: "Detalle",
    previous: "Hash anterior",
    hash: "Hash",
    note: "Firma electrónica con evidencias (Reglamento (UE) 910/2014, artículo 3, punto 10). El documento firmado se \
           conserva íntegro en el fichero sellado, con las evidencias en su adjunto evidence.json.",
    chain: "El hash de cada entrada es SHA-256 del hash anterior seguido del JSON canónico (RFC 8785) de la entrada.",
    roles: ["Firmante", "Aprobador", "En copia"],
    identifications: [
        "enlace al correo electrónico",
        "enlace y código al correo electrónico",
        "enlace al correo electrónico y código al teléfono",
    ],
    steps: [
        "Avisado",
        "Documentos abiertos",
        "Consentimiento",
        "Código comprobado",
        "Firmado",
        "Rechazado",
        "Sustituido por",
    ],
};

const EN: Texts = Texts {
    code: "en",
    signatures: "Signatures",
    certificate: "Certificate of evidence",
    subject: "Subject",
    envelope: "Envelope",
    sender: "Sender",
    document: "Document",
    documents: "Documents",
    pages: "Pages",
    before: "SHA-256 original",
    after: "SHA-256 sealed",
    sent: "Sent",
    completed: "Completed",
    sealed: "Sealed",
    signers: "Signers",
    email: "E-mail",
    identified: "Identified by",
    signed: "Signed",
    signature: "Signature",
    not_signed: "Has not signed",
    address: "IP address",
    program: "Program",
    entries: "Audit trail",
    details: "Details",
    previous: "Previous hash",
    hash: "Hash",
    note: "Electronic signature with evidence (Regulation (EU) 910/2014, article 3(10)). The signed document is kept \
           whole in the sealed file, with the evidence in its attachment evidence.json.",
    chain: "The hash of an entry is SHA-256 of the previous hash followed by the canonical JSON (RFC 8785) of the entry.",
    roles: ["Signer", "Approver", "Copy"],
    identifications: [
        "link to the e-mail address",
        "link and code to the e-mail address",
        "link to the e-mail address, code to the phone",
    ],
    steps: ["Notified", "Documents opened", "Consent", "Code proved", "Signed", "Declined", "Replaced by"],
};
