use super::texts;

texts! {
    /// Signing in.
    SignIn {
        title: "Sign in", "Iniciar sesión";
        email: "E-mail address", "Correo electrónico";
        password: "Password", "Contraseña";
        submit: "Sign in", "Iniciar sesión";
        refused: "E-mail address and password do not belong together.", "El correo y la contraseña no corresponden.";
        wait: "Too many attempts failed. Try again in {} seconds.", "Demasiados intentos fallidos. Vuelva a intentarlo en {} segundos.";
        busy: "Too many people are signing in at the moment. Try again.", "Demasiadas personas están iniciando sesión ahora. Vuelva a intentarlo.";
        code_title: "Enter a code", "Introduzca un código";
        code_lead: "The six digits that your authenticator app shows, or one of your recovery codes.", "Los seis dígitos que muestra su aplicación de autenticación, o uno de sus códigos de recuperación.";
        code: "Code", "Código";
        wrong_code: "This is not the code, or it was used before. Wait for the next one.", "No es el código, o ya se ha usado. Espere al siguiente.";
        begin_again: "Too much time has passed. Begin again with the password.", "Ha pasado demasiado tiempo. Empiece de nuevo con la contraseña.";
        another: "Sign in as another person", "Iniciar sesión como otra persona";
        signed_out: "You are signed out.", "Ha cerrado la sesión.";
        forgotten: "Forgot the password?", "¿Ha olvidado la contraseña?";
        was_reset: "The password is changed. Sign in with the new one.", "La contraseña ha cambiado. Inicie sesión con la nueva.";
    }
}
