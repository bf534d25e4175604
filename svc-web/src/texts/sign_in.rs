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
        signed_out: "You are signed out.", "Ha cerrado la sesión.";
        forgotten: "Forgot the password? Ask the operator of this service for a new one.", "¿Ha olvidado la contraseña? Pida una nueva al operador de este servicio.";
    }
}
