use super::texts;

texts! {
    /// The second factor.
    SecondFactor {
        title: "Second factor", "Segundo factor";
        lead: "With it, a sign-in asks for a code of your device after the password. You need an authenticator app, such as Aegis, Google Authenticator, 1Password or Bitwarden.", "Con él, iniciar sesión pide un código de su dispositivo después de la contraseña. Necesita una aplicación de autenticación, como Aegis, Google Authenticator, 1Password o Bitwarden.";
        turn_on: "Turn on", "Activar";
        turn_on_text: "Your other sessions end.", "Sus otras sesiones terminan.";
        scan: "Scan this with the app.", "Escanee esto con la aplicación.";
        picture: "QR code for an authenticator app", "Código QR para una aplicación de autenticación";
        typed: "Or type this key into the app:", "O escriba esta clave en la aplicación:";
        same_device: "Open the app on this device", "Abrir la aplicación en este dispositivo";
        first_code: "The six digits that the app shows now", "Los seis dígitos que la aplicación muestra ahora";
        once_more: "Give the next code of the app.", "Indique el siguiente código de la aplicación.";
        anew: "Begin anew", "Empezar de nuevo";
        on: "On", "Activado";
        since: "since", "desde";
        left: "{} of 10 recovery codes are left.", "Quedan {} de 10 códigos de recuperación.";
        renew: "New recovery codes", "Códigos de recuperación nuevos";
        renew_text: "New recovery codes make the present ones worthless.", "Los códigos nuevos dejan sin valor los actuales.";
        turn_off: "Turn off", "Desactivar";
        turn_off_text: "Turned off, the password alone signs you in.", "Desactivado, basta la contraseña para iniciar sesión.";
        ended: "The second factor is off.", "El segundo factor está desactivado.";
        is_on: "The second factor is on.", "El segundo factor está activado.";
        renewed: "The old recovery codes are worthless now.", "Los códigos de recuperación anteriores ya no valen.";
        codes: "Recovery codes", "Códigos de recuperación";
        codes_lead: "Keep them where you find them without the device. Each signs you in once. They are shown only now.", "Guárdelos donde los encuentre sin el dispositivo. Cada uno sirve una vez para iniciar sesión. Solo se muestran ahora.";
        done: "I have kept them", "Los he guardado";
    }
}
