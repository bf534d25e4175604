use super::texts;

texts! {
    /// Members of a company.
    Members {
        title: "People", "Personas";
        name: "Name", "Nombre";
        state: "State", "Estado";
        since: "Invited", "Invitación";
        active: "Member", "Miembro";
        invited: "Invited", "Invitado";
        expired: "Invitation expired", "Invitación caducada";
        suspended: "Suspended", "Suspendido";
        ended: "Left", "Baja";
        invite: "Invite a person", "Invitar a una persona";
        email: "E-mail address", "Correo electrónico";
        email_hint: "The one that they sign in with, or will. A mail brings them a link to accept or decline, and they have no role until they accept. It holds for 14 days.", "El que usa o usará para iniciar sesión. Recibirá por correo un enlace para aceptar o rechazar y no tiene ningún rol hasta que acepte. Vale 14 días.";
        no_email: "It is no e-mail address.", "No es una dirección de correo.";
        no_role: "Choose a role.", "Elija un rol.";
        role_hint: "Tokens and webhooks that this person made reach what the person reaches.", "Los tokens y webhooks que creó esta persona alcanzan lo que ella alcance.";
        save: "Save", "Guardar";
        holders_only: "Only a holder changes another holder.", "Solo un titular cambia a otro titular.";
        end: "End the membership", "Dar de baja";
        end_text: "The person sees this company no more, from the next page on. Tokens that they made for it stop working, and their webhooks wait. They can be invited again.", "La persona deja de ver esta empresa desde la siguiente página. Los tokens que creó para ella dejan de funcionar y sus webhooks esperan. Se le puede invitar de nuevo.";
        send_again: "Send the mail again", "Enviar el correo de nuevo";
        send_again_hint: "Once an hour at most.", "Como mucho una vez por hora.";
        sent: "The mail is on its way, unless one went out within the hour.", "El correo está en camino, salvo que ya saliera uno hace menos de una hora.";
        withdraw: "Withdraw the invitation", "Retirar la invitación";
        withdraw_text: "The person can no longer accept it. They can be invited again.", "La persona ya no podrá aceptarla. Se le puede invitar de nuevo.";
    }
}
