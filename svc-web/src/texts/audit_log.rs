use super::texts;

texts! {
    /// The audit log.
    AuditLog {
        title: "Audit log", "Registro de auditoría";
        lead: "Who changed tokens, webhooks, people, passwords and second factors. Each entry is sealed onto the one before it: the operator proves with svc-server audit verify that none was changed or removed.", "Quién cambió tokens, webhooks, personas, contraseñas y segundos factores. Cada entrada va sellada a la anterior: el operador demuestra con svc-server audit verify que ninguna se cambió ni se quitó.";
        none: "No entry matches.", "Ninguna entrada coincide.";
        number: "Number", "Número";
        at: "When", "Cuándo";
        who: "Who", "Quién";
        action: "Action", "Acción";
        every_action: "Every action", "Todas las acciones";
        subject: "What", "Qué";
        details: "Details", "Detalles";
        before: "Before", "Antes";
        after: "Afterwards", "Después";
        table: "Download as CSV (the newest 5,000)", "Descargar como CSV (las 5.000 más recientes)";
        seal: "Seal", "Sello";
        token: "Token {}", "Token {}";
        operator: "The operator", "El operador";
        service: "The service: {}", "El servicio: {}";
    }
}
