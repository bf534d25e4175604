use svc_business::document::room::NotShown;

use super::texts;

texts! {
    /// What a guest of a data room reads.
    Guest {
        title: "Documents", "Documentos";
        code_title: "Confirm that it is you", "Confirme que es usted";
        code_lead: "{} shows you documents in its data room.", "{} le muestra documentos en su sala de datos.";
        code_hint: "A code of six digits is sent to {}. It holds for ten minutes.", "Se envía un código de seis dígitos a {}. Vale diez minutos.";
        send_code: "Send me a code", "Enviarme un código";
        send_another: "Send another code", "Enviar otro código";
        code_sent: "A code is on its way to your mail. Type it here.", "Un código va camino de su correo. Escríbalo aquí.";
        code: "Code of six digits", "Código de seis dígitos";
        enter: "Enter", "Entrar";
        code_wrong: "The code is another one. Tries that are left: {}.", "El código es otro. Intentos que quedan: {}.";
        code_over: "The code holds no longer, or was tried too often. Ask for another one.", "El código ya no vale, o se probó demasiadas veces. Pida otro.";
        code_too_soon: "A code was sent a moment ago. Wait {} seconds before you ask for another one.", "Se envió un código hace un momento. Espere {} segundos antes de pedir otro.";
        code_too_many: "Too many codes were sent. Ask for another one tomorrow.", "Se enviaron demasiados códigos. Pida otro mañana.";
        too_many_mails: "No mail can be sent now. Try again later.", "Ahora no se puede enviar correo. Inténtelo más tarde.";
        list_lead: "They are for {} alone. What you open is written down, and may carry your address on each page.", "Son solo para {}. Lo que abra queda registrado y puede llevar su dirección en cada página.";
        until: "You have access until", "Tiene acceso hasta el";
        sections: "Sections", "Secciones";
        index: "No.", "N.º";
        document: "Document", "Documento";
        size: "Size", "Tamaño";
        given_until: "Given until", "Se entrega hasta";
        open: "Open", "Abrir";
        in_new_tab: "(opens in a new tab)", "(se abre en otra pestaña)";
        none: "There are no documents in this section by now.", "Por ahora no hay documentos en esta sección.";
        leave: "Leave", "Salir";
        leave_hint: "This browser asks for a code again then.", "Este navegador pedirá entonces otro código.";
        held_personal: "contains personal data", "contiene datos personales";
        held_listed: "listed only", "solo se enumera";
        held_expired: "time has passed", "plazo vencido";
        not_personal: "That document contains personal data, and is not given to you.", "Ese documento contiene datos personales y no se le entrega.";
        not_listed: "That document is listed, and not given.", "Ese documento se enumera, pero no se entrega.";
        not_expired: "The time has passed until when that document is given.", "Ha pasado el plazo en que se entrega ese documento.";
        not_stampable: "That document cannot be given now. Tell the company.", "Ese documento no se puede entregar ahora. Avise a la empresa.";
        gone: "That document is not in the data room any more.", "Ese documento ya no está en la sala de datos.";
        expired_title: "Your access has ended", "Su acceso ha terminado";
        expired_text: "The time has passed until when {} gave you access. Ask there for another date.", "Ha pasado el plazo de acceso que le dio {}. Pida allí otra fecha.";
        revoked_title: "The access was ended", "El acceso se terminó";
        revoked_text: "{} has ended your access to its data room. Ask there if you need it.", "{} ha terminado su acceso a la sala de datos. Pregunte allí si lo necesita.";
        closed_title: "The data room is closed", "La sala de datos está cerrada";
        closed_text: "{} has closed its account here. Ask there for the documents.", "{} ha cerrado su cuenta aquí. Pida allí los documentos.";
        unknown_title: "This link leads nowhere", "Este enlace no lleva a ningún sitio";
        unknown_text: "Check that the link of the mail was copied whole, or ask who sent it for another one.", "Compruebe que copió entero el enlace del correo, o pida otro a quien se lo envió.";
    }
}

impl Guest {
    /// Why a document is not given, in the list.
    pub(crate) const fn held(&self, reason: NotShown) -> &'static str {
        match reason {
            NotShown::Withheld => self.held_personal,
            NotShown::NotDownloadable => self.held_listed,
            NotShown::Expired => self.held_expired,
        }
    }

    /// The same to who asked for it.
    pub(crate) const fn not_shown(&self, reason: NotShown) -> &'static str {
        match reason {
            NotShown::Withheld => self.not_personal,
            NotShown::NotDownloadable => self.not_listed,
            NotShown::Expired => self.not_expired,
        }
    }
}
