use svc_http::Code;

use super::texts;

texts! {
    /// Why something was not done.
    Refusal {
        session_ended: "Your session has ended", "Su sesión ha terminado";
        session_ended_text: "Nothing was changed. Sign in again; then go back and send the form once more.", "No se ha cambiado nada. Inicie sesión de nuevo; después vuelva y envíe el formulario otra vez.";
        sign_in: "Sign in", "Iniciar sesión";
        not_allowed: "This is not open to you", "Esto no está a su alcance";
        role_required: "It is for holders and administrators of the company.", "Es para titulares y administradores de la empresa.";
        api_access_off: "The operator of this service has switched API access off for this company. Tokens that exist go on working.", "El operador del servicio ha desactivado el acceso a la API de esta empresa. Los tokens existentes siguen funcionando.";
        form_stale: "This form can no longer be sent", "Este formulario ya no se puede enviar";
        form_stale_text: "It belongs to another session or another browser, or the browser keeps no cookies. Nothing was changed. Open its page again.", "Pertenece a otra sesión o a otro navegador, o el navegador no guarda cookies. No se ha cambiado nada. Abra su página de nuevo.";
        not_found: "There is nothing here", "Aquí no hay nada";
        not_found_text: "The address is wrong, what was here is gone, or it is out of your reach.", "La dirección no es correcta, lo que había aquí ya no está, o queda fuera de su alcance.";
        changed: "It was changed meanwhile", "Ha cambiado entretanto";
        changed_text: "Another change came first, so nothing was done. Look at it as it is now, and try again.", "Otro cambio llegó antes, así que no se ha hecho nada. Mire cómo está ahora y vuelva a intentarlo.";
        too_many: "Too much at a time", "Demasiado a la vez";
        too_many_text: "Wait a moment, and try again.", "Espere un momento y vuelva a intentarlo.";
        failed: "The service failed", "El servicio ha fallado";
        failed_text: "It was not your doing. Try again; if it fails again, tell the operator the number below.", "No ha sido culpa suya. Vuelva a intentarlo; si falla otra vez, indique al operador el número de abajo.";
        refused: "That cannot be done", "Eso no se puede hacer";
        go_on: "Go on", "Continuar";
        busy: "The service is busy at the moment. Try again.", "El servicio está ocupado en este momento. Vuelva a intentarlo.";
        closed: "The company is closed: nothing of it changes any more.", "La empresa está cerrada: ya no se cambia nada en ella.";
        many_webhooks: "The company has as many webhooks as it may have. Delete one that is no longer needed.", "La empresa tiene tantos webhooks como puede tener. Borre uno que ya no haga falta.";
        webhook_off: "The webhook is switched off. Switch it on first.", "El webhook está desactivado. Actívelo primero.";
        not_ended: "The delivery is still under way.", "La entrega sigue en curso.";
        many_replays: "Three replays of the webhook are open. Wait for one to end, or cancel one.", "El webhook tiene tres reenvíos abiertos. Espere a que termine uno o cancélelo.";
        replay_ended: "The replay has ended already.", "El reenvío ya ha terminado.";
        member_already: "The person is a member, or is invited already.", "La persona ya es miembro o ya está invitada.";
        not_invited: "It was answered or withdrawn already, or it has expired.", "Ya se respondió o se retiró, o ha caducado.";
        offer_lapsed: "Who invited you may no longer offer that role. Ask for a new invitation.", "Quien le invitó ya no puede ofrecer ese rol. Pida una invitación nueva.";
        many_invitations: "Twenty invitations are open, or sixty were sent today. Wait for answers, withdraw some, or go on tomorrow.", "Hay veinte invitaciones abiertas, o hoy ya se enviaron sesenta. Espere respuestas, retire alguna o siga mañana.";
        last_holder: "A company keeps at least one holder. Make another person a holder first.", "Una empresa conserva al menos un titular. Haga titular a otra persona antes.";
        token_connection: "A connection of an assistant is not edited: switch it off, or revoke it and connect anew.", "La conexión de un asistente no se edita: desactívela, o revóquela y conecte de nuevo.";
        active_subsidiary: "A subsidiary of the company is active. Deactivate that one first.", "Una filial de la empresa está activa. Desactive antes esa.";
        open_envelope: "An envelope of the company is with its signers. Wait for it, or void it first.", "Un sobre de la empresa está pendiente de firma. Espere o anúlelo antes.";
        is_active: "The company is active already.", "La empresa ya está activa.";
        second_factor: "The second factor is no longer in a state that allows it. Look at its page.", "El segundo factor ya no está en un estado que lo permita. Mire su página.";
        sent_already: "The first sending of this form is still under way. Look at what comes of it before you send it again.", "El primer envío de este formulario sigue en curso. Mire qué resulta antes de enviarlo otra vez.";
        token_state: "The token is no longer in a state that allows it.", "El token ya no está en un estado que lo permita.";
    }
}

impl Refusal {
    /// What is told of a code of its own; others are told by their status.
    pub(crate) const fn of_codes(&self) -> [(Code, &'static str); 23] {
        [
            (Code::RoleRequired, self.role_required),
            (Code::ApiAccessOff, self.api_access_off),
            (Code::Busy, self.busy),
            (Code::AccountDeactivated, self.closed),
            (Code::AccountMerged, self.closed),
            (Code::SubscriptionLimitReached, self.many_webhooks),
            (Code::SubscriptionInactive, self.webhook_off),
            (Code::DeliveryNotEnded, self.not_ended),
            (Code::TooManyReplays, self.many_replays),
            (Code::ReplayEnded, self.replay_ended),
            (Code::AlreadyExists, self.member_already),
            (Code::NotInvited, self.not_invited),
            (Code::OfferLapsed, self.offer_lapsed),
            (Code::TooManyInvitations, self.many_invitations),
            (Code::LastHolder, self.last_holder),
            (Code::TokenActive, self.token_state),
            (Code::TokenNotActive, self.token_state),
            (Code::TokenIsConnection, self.token_connection),
            (Code::ActiveSubsidiary, self.active_subsidiary),
            (Code::OpenEnvelope, self.open_envelope),
            (Code::AccountActive, self.is_active),
            (Code::SecondFactorState, self.second_factor),
            (Code::IdempotencyInProgress, self.sent_already),
        ]
    }
}
