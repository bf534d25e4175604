use super::texts;

texts! {
    /// Answering an invitation by its link.
    Joining {
        title: "Invitation to {}", "Invitación a {}";
        company: "Company", "Empresa";
        inviter: "Invited by", "Le invita";
        person: "For", "Para";
        until: "Holds until", "Vale hasta";
        other: "You are signed in as another person. Sign out, and open the link again.", "Ha iniciado sesión como otra persona. Cierre la sesión y abra el enlace de nuevo.";
        sign_in_lead: "Sign in with this address to accept or decline: you come back here.", "Inicie sesión con este correo para aceptar o rechazar: después volverá aquí.";
        sign_in: "Sign in and answer", "Iniciar sesión y responder";
        found_lead: "To accept, say what you are called and choose the password that you will sign in with.", "Para aceptar, diga cómo se llama y elija la contraseña con la que iniciará sesión.";
        found: "Accept and sign in", "Aceptar e iniciar sesión";
        unknown: "This link leads nowhere", "Este enlace no lleva a ninguna parte";
        unknown_text: "It is not complete, or it is older than the invitation. Open it from the last mail that you were sent, or ask for another one.", "No está completo o es anterior a la invitación. Ábralo desde el último correo que recibió o pida otro.";
        used: "This invitation was accepted", "Esta invitación ya se ha aceptado";
        used_text: "The link has done its work. Sign in as usual.", "El enlace ya no hace falta. Inicie sesión como siempre.";
        ended: "This invitation is over", "Esta invitación ha terminado";
        ended_text: "It was declined or withdrawn. The company can invite you again.", "Se ha rechazado o retirado. La empresa puede invitarle de nuevo.";
        expired: "This invitation has expired", "Esta invitación ha caducado";
        expired_text: "Ask the company to invite you again.", "Pida a la empresa que le invite de nuevo.";
        onward: "To the client area", "Ir al área de cliente";
    }
}
