use super::texts;

texts! {
    /// What programs begin with.
    Api {
        title: "API", "API";
        lead: "Programs reach this company with a token, as Authorization: Bearer.", "Los programas acceden a esta empresa con un token, como Authorization: Bearer.";
        base: "Base URL", "URL base";
        reference: "Reference", "Referencia";
        reference_text: "Every route with its permission, its fields and its errors.", "Cada ruta con su permiso, sus campos y sus errores.";
        document: "OpenAPI document", "Documento OpenAPI";
        document_text: "For generators of clients and for Postman.", "Para generadores de clientes y para Postman.";
        limits: "Limits", "Límites";
        limits_text: "Requests of every token whose primary company is this one count together. Over a limit the answer is 429, with Retry-After.", "Cuentan juntas las peticiones de todos los tokens cuya empresa principal es esta. Por encima del límite la respuesta es 429, con Retry-After.";
        minute: "This minute", "Este minuto";
        month: "This month", "Este mes";
        used: "{} of {} requests", "{} de {} peticiones";
        resets: "Begins anew", "Empieza de nuevo";
    }
}
