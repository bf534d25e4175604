use super::texts;

texts! {
    /// The audit log.
    AuditLog {
        title: "Audit log", "Registro de auditoría";
        lead: "Who changed tokens, webhooks, people, passwords and second factors. Each entry is sealed onto the one before it with a key that is not in the database, so that none can be changed or removed unseen.", "Quién cambió tokens, webhooks, personas, contraseñas y segundos factores. Cada entrada va sellada a la anterior con una clave que no está en la base de datos, de modo que ninguna puede cambiarse ni quitarse sin que se vea.";
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
        verify: "Verify the seals", "Verificar los sellos";
        verify_text: "Reads the entries of this company from the first one on, and checks the seal of each. Nothing is changed. A hundred thousand entries take about a second, and are checked at a time.", "Lee las entradas de esta empresa desde la primera y comprueba el sello de cada una. No cambia nada. Cien mil entradas tardan alrededor de un segundo y se comprueban de una vez.";
        verified: "The log is whole", "El registro está íntegro";
        verified_text: "Entries {} to {} are unbroken, and the last one is the newest that the service remembers.", "Las entradas de la {} a la {} no tienen rupturas, y la última es la más reciente que el servicio recuerda.";
        so_far: "No break so far", "Sin rupturas hasta aquí";
        so_far_text: "Entries {} to {} are unbroken. There are more.", "Las entradas de la {} a la {} no tienen rupturas. Hay más.";
        go_on: "Go on", "Continuar";
        broken: "The log is broken", "El registro está roto";
        fits: "Entries {} to {} are unbroken.", "Las entradas de la {} a la {} no tienen rupturas.";
        fits_none: "No entry before that was checked and fits.", "Antes de eso no hay ninguna entrada comprobada que encaje.";
        broken_at: "Entry {} does not fit: it was changed, or does not follow the one before it.", "La entrada {} no encaja: se cambió, o no sigue a la anterior.";
        broken_gone: "Entry {} is missing.", "Falta la entrada {}.";
        broken_key: "Entry {} was sealed with a key that the service does not have any more: the operator gives it the older master keys.", "La entrada {} se selló con una clave que el servicio ya no tiene: el operador le da las claves maestras anteriores.";
        broken_beyond: "Entry {} stands behind the newest one that the service remembers.", "La entrada {} está detrás de la más reciente que el servicio recuerda.";
        broken_unreadable: "What stands in the log there is nothing that the service writes.", "Lo que hay ahí en el registro no lo escribe el servicio.";
        broken_headless: "What the service remembers of the newest entry is gone.", "Lo que el servicio recuerda de la entrada más reciente ha desaparecido.";
        broken_missing: "The whole log is gone.", "Ha desaparecido todo el registro.";
        broken_cure: "Tell the operator of this service: keep a copy of the database as it is, and compare it with a backup from before.", "Avise al operador del servicio: guarde una copia de la base de datos tal como está y compárela con una copia de seguridad anterior.";
        last_seal: "Seal of the last entry that fits", "Sello de la última entrada que encaja";
        keep_seal: "Keep the number and the seal elsewhere: that the newest entries were cut off together with what the service remembers of them is seen by them alone.", "Guarde el número y el sello en otro lugar: solo con ellos se ve que las entradas más recientes se cortaron junto con lo que el servicio recuerda de ellas.";
        busy: "A verification of this company is under way. Try again when it has ended.", "Ya hay una verificación de esta empresa en curso. Inténtelo de nuevo cuando termine.";
    }
}
