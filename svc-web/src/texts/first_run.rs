use super::texts;

texts! {
    /// Founding the first company.
    FirstRun {
        title: "Begin", "Comenzar";
        lead: "This service has no company yet. Found the first one, and become its holder: you can then make tokens and webhooks, and invite others.", "Este servicio todavía no tiene ninguna empresa. Cree la primera y sea su titular: después podrá crear tokens y webhooks e invitar a otras personas.";
        legal_name: "Registered name of the company", "Razón social de la empresa";
        name: "Your full name", "Su nombre completo";
        password_hint: "12 to 128 characters, and neither your name nor your address.", "De 12 a 128 caracteres, y ni su nombre ni su correo.";
        submit: "Found the company", "Crear la empresa";
    }
}
