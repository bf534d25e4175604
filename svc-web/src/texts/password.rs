use super::texts;

texts! {
    /// Changing one's password.
    Password {
        title: "Password", "Contraseña";
        lead: "12 to 128 characters. Your other sessions end; this one goes on.", "De 12 a 128 caracteres. Sus otras sesiones terminan; esta continúa.";
        current: "Present password", "Contraseña actual";
        new: "New password", "Contraseña nueva";
        again: "New password once more", "Contraseña nueva otra vez";
        differs: "The two are not the same.", "Las dos no son iguales.";
        save: "Change the password", "Cambiar la contraseña";
        changed: "The password is changed.", "La contraseña ha cambiado.";
    }
}
