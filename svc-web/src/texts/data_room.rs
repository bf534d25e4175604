use super::texts;

texts! {
    /// Guests of the data room of a company.
    DataRoom {
        title: "Data room: guests", "Sala de datos: invitados";
        nav: "Data room", "Sala de datos";
        lead: "Guests see the files of the sections that you name, by a link and a code that come to their mail. What they open is written down.", "Los invitados ven los archivos de las secciones que usted indique, con un enlace y un código que llegan a su correo. Lo que abren queda registrado.";
        none: "No guests yet.", "Aún no hay invitados.";
        invite: "Let a guest in", "Dar acceso a un invitado";
        guest: "Guest", "Invitado";
        sections: "Sections", "Secciones";
        state: "State", "Estado";
        until: "Until", "Hasta";
        visited: "Last visit", "Última visita";
        never: "never", "nunca";
        views: "Files opened", "Archivos abiertos";
        live: "Has access", "Con acceso";
        expired: "Expired", "Caducado";
        revoked: "Ended", "Terminado";
        email: "E-mail address of the guest", "Correo del invitado";
        email_hint: "The link and the codes are sent there.", "Allí se envían el enlace y los códigos.";
        sections_hint: "One a line, as the files have them: 1 Corporate/1.2 Statutes. A section has those below it too.", "Una por línea, como las tienen los archivos: 1 Corporate/1.2 Statutes. Una sección incluye las que están debajo.";
        last_day: "Last day", "Último día";
        last_day_hint: "Within a year. The day ends at midnight UTC.", "Antes de un año. El día acaba a medianoche UTC.";
        personal_data: "Also files that contain personal data", "También archivos con datos personales";
        personal_data_hint: "Without this they are listed, and not given.", "Sin esto se enumeran, pero no se entregan.";
        with_personal_data: "Files with personal data", "Archivos con datos personales";
        given: "given", "se entregan";
        withheld: "not given", "no se entregan";
        language: "Language of mails and pages", "Idioma de correos y páginas";
        send: "Let in and send the link", "Dar acceso y enviar el enlace";
        files: "{} files by now", "{} archivos por ahora";
        made: "Made", "Creado";
        ended_at: "Ended", "Terminado";
        extend: "Another last day", "Otro último día";
        extend_hint: "The link stays the same, and is sent again.", "El enlace no cambia y se envía de nuevo.";
        save: "Save and send the link", "Guardar y enviar el enlace";
        revoke: "End the access", "Terminar el acceso";
        revoke_text: "The link is dead at once. What the guest opened stays written down. Another grant has another link.", "El enlace deja de valer al instante. Lo que abrió el invitado queda registrado. Otro acceso tendrá otro enlace.";
    }
}
