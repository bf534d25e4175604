use svc_business::signature::{SignerRole, SignerStatus};

use super::texts;

texts! {
    /// Signing, by the link that a person was sent.
    Ceremony {
        asks_to_sign: "{} asks {} to sign.", "{} pide a {} que firme.";
        asks_to_approve: "{} asks {} to approve.", "{} pide a {} que apruebe.";
        message: "Message of the sender", "Mensaje del remitente";
        until: "You can sign until", "Puede firmar hasta el";
        read: "Read the documents", "Lea los documentos";
        read_hint: "Each opens in a new tab. Open them before you sign or decline.", "Cada uno se abre en otra pestaña. Ábralos antes de firmar o rechazar.";
        open: "Open", "Abrir";
        in_new_tab: "(opens in a new tab)", "(se abre en otra pestaña)";
        opened: "You opened the documents:", "Abrió los documentos:";
        one_page: "1 page", "1 página";
        pages: "{} pages", "{} páginas";
        confirm: "Confirm that it is you", "Confirme que es usted";
        confirm_hint: "A code of six digits is sent to {}. It holds for ten minutes.", "Se envía un código de seis dígitos a {}. Vale diez minutos.";
        send_code: "Send me a code", "Enviarme un código";
        send_another: "Send another code", "Enviar otro código";
        code_sent: "A code is on its way to your mail. Type it here.", "Un código va camino de su correo. Escríbalo aquí.";
        code: "Code of six digits", "Código de seis dígitos";
        confirm_code: "Confirm", "Confirmar";
        confirmed: "The code is right. Sign within half an hour.", "El código es correcto. Firme antes de media hora.";
        code_wrong: "The code is another one. Tries that are left: {}.", "El código es otro. Intentos que quedan: {}.";
        code_over: "The code holds no longer, or was tried too often. Ask for another one.", "El código ya no vale, o se probó demasiadas veces. Pida otro.";
        code_too_soon: "A code was sent a moment ago. Wait {} seconds before you ask for another one.", "Se envió un código hace un momento. Espere {} segundos antes de pedir otro.";
        code_too_many: "No more codes are sent for this signature. Ask the sender to give the signature to you anew.", "No se envían más códigos para esta firma. Pida al remitente que se la asigne de nuevo.";
        code_needed: "Confirm with a code first.", "Confirme antes con un código.";
        code_not_needed: "You sign without a code.", "Usted firma sin código.";
        sign: "Sign", "Firme";
        approve: "Approve", "Apruebe";
        sign_later: "The form is here once the code is confirmed.", "El formulario aparece aquí cuando confirme el código.";
        your_name: "Type your full name", "Escriba su nombre completo";
        how: "How you sign", "Cómo firma";
        by_typing: "With my name, typed", "Con mi nombre, escrito";
        by_drawing: "Drawn by hand", "Dibujada a mano";
        pad: "Draw your signature here with a finger or the mouse", "Dibuje aquí su firma con el dedo o el ratón";
        clear: "Clear", "Borrar";
        draw_first: "Draw your signature first.", "Dibuje antes su firma.";
        submit_sign: "Sign", "Firmar";
        submit_approve: "Approve", "Aprobar";
        consent_missing: "Nothing is signed without your consent.", "Sin su consentimiento no se firma nada.";
        signature_wrong: "Type your name, of 200 characters at most, or draw your signature.", "Escriba su nombre, de 200 caracteres como máximo, o dibuje su firma.";
        open_first: "Open one of the documents first.", "Abra antes alguno de los documentos.";
        people: "Who takes part", "Quiénes participan";
        person: "Name", "Nombre";
        part: "Part", "Papel";
        state: "State", "Estado";
        you: "(you)", "(usted)";
        signer: "signs", "firma";
        approver: "approves", "aprueba";
        copy: "gets a copy", "recibe copia";
        waits: "later", "más tarde";
        asked: "not yet", "todavía no";
        has_signed: "done", "hecho";
        has_declined: "declined", "rechazado";
        decline: "I do not want to sign", "No quiero firmar";
        decline_approval: "I do not approve", "No apruebo";
        decline_title: "Decline", "Rechazar";
        decline_lead: "This ends it for everyone, and cannot be undone. {} is told your reason.", "Esto lo termina para todos y no se puede deshacer. {} recibe su motivo.";
        reason: "Why", "Motivo";
        reason_wrong: "Say why, in 1000 characters at most.", "Diga por qué, en 1000 caracteres como máximo.";
        submit_decline: "Decline for good", "Rechazar definitivamente";
        back: "Back to the documents", "Volver a los documentos";
        signed_title: "You have signed", "Ha firmado";
        approved_title: "You have approved", "Ha aprobado";
        signed_text: "Thank you. Others have yet to sign. Once all of them have, the sealed documents come to you by mail.", "Gracias. Todavía faltan otras personas. Cuando todas hayan firmado, recibirá por correo los documentos sellados.";
        completed_title: "Signed by all", "Firmado por todos";
        completed_text: "Thank you. The documents are sealed, and come to you by mail. This link is no longer needed.", "Gracias. Los documentos se sellan y los recibirá por correo. Este enlace ya no hace falta.";
        you_declined_title: "You have declined", "Ha rechazado firmar";
        you_declined_text: "{} is told, and nothing is signed.", "{} recibe el aviso, y no se firma nada.";
        declined_title: "It was declined", "Se ha rechazado";
        declined_text: "Another person declined, so nothing is signed. {} can tell you more.", "Otra persona lo ha rechazado, así que no se firma nada. {} puede decirle más.";
        voided_title: "Your signature is no longer needed", "Su firma ya no hace falta";
        voided_text: "{} has ended it before everyone signed. The reason:", "{} lo ha terminado antes de que firmaran todos. El motivo:";
        expired_title: "The term has passed", "El plazo ha pasado";
        expired_text: "It can no longer be signed. Ask {} to send it anew.", "Ya no se puede firmar. Pida a {} que lo envíe de nuevo.";
        reissued_title: "Another one was sent in its place", "Se envió otro en su lugar";
        reissued_text: "{} has sent the documents anew. Use the link of the latest mail.", "{} ha enviado los documentos de nuevo. Use el enlace del último correo.";
        replaced_title: "Another person signs in your place", "Otra persona firma en su lugar";
        replaced_text: "{} has given this signature to another person. There is nothing left for you to do.", "{} ha dado esta firma a otra persona. Usted no tiene que hacer nada más.";
        waiting_title: "It is not your turn yet", "Todavía no es su turno";
        waiting_text: "Others sign first. You get a mail when it is your turn.", "Antes firman otras personas. Recibirá un correo cuando le toque.";
        closed_title: "Nothing can be signed at the moment", "Ahora no se puede firmar nada";
        closed_text: "{} does not take signatures at present. Ask the sender.", "{} no recibe firmas por ahora. Pregunte al remitente.";
        unknown_title: "This link leads nowhere", "Este enlace no lleva a ningún sitio";
        unknown_text: "Perhaps a part of it is missing. Open it from the mail, or copy all of it. If that does not help, ask the sender of the mail to send it again.", "Quizá falta una parte. Ábralo desde el correo o cópielo entero. Si no sirve, pida a quien se lo envió que lo mande de nuevo.";
        trail_full: "The history of this signature is full: no more codes are sent. Ask the sender to send it anew.", "El historial de esta firma está lleno: no se envían más códigos. Pida al remitente que lo envíe de nuevo.";
    }
}

impl Ceremony {
    /// What a person of this role does.
    pub(crate) const fn role(&self, role: SignerRole) -> &'static str {
        match role {
            SignerRole::Signer => self.signer,
            SignerRole::Approver => self.approver,
            SignerRole::Copy => self.copy,
        }
    }

    /// How far a person is, as others see it.
    pub(crate) const fn state_of(&self, status: &SignerStatus) -> &'static str {
        match status {
            SignerStatus::Waiting | SignerStatus::Replaced { .. } => self.waits,
            SignerStatus::Notified { .. } | SignerStatus::Viewed { .. } => self.asked,
            SignerStatus::Signed { .. } => self.has_signed,
            SignerStatus::Declined { .. } => self.has_declined,
        }
    }
}
