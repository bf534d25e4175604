use super::texts;

texts! {
    /// A new password by a link in a mail.
    Forgotten {
        title: "Forgotten password", "Contraseña olvidada";
        lead: "Type the address that you sign in with. If a person has it, a mail with a link goes there.", "Escriba el correo con el que inicia sesión. Si alguien lo usa aquí, recibirá un correo con un enlace.";
        send: "Send the link", "Enviar el enlace";
        sent: "If a person signs in with this address, a mail is on its way. Its link holds for an hour. Nothing came? Look at the address, or ask the operator of this service.", "Si alguien inicia sesión con este correo, el mensaje está en camino. Su enlace vale una hora. ¿No llega? Revise la dirección o pregunte al operador del servicio.";
        wait: "Too many links were asked for. Try again in {} seconds.", "Se han pedido demasiados enlaces. Vuelva a intentarlo en {} segundos.";
        choose: "Choose a new password", "Elija una contraseña nueva";
        choose_lead: "For {}. 12 to 128 characters. All your sessions end; a second factor stays on.", "Para {}. De 12 a 128 caracteres. Todas sus sesiones terminan; el segundo factor sigue activo.";
        dead: "This link is used or too old", "Este enlace ya se usó o es demasiado antiguo";
        dead_text: "A link holds for an hour, once, and only the newest one works.", "Un enlace vale una hora y una sola vez, y solo sirve el último.";
        again: "Ask for another one", "Pedir otro";
    }
}
