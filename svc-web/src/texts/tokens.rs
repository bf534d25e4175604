use super::{filled, texts};

texts! {
    /// Tokens.
    Tokens {
        title: "Tokens", "Tokens";
        lead: "A token lets one program work with this company through the API. Its value is shown once, when it is made. Connections of assistants are listed with them.", "Un token permite que un programa trabaje con esta empresa por la API. Su valor se muestra una sola vez, al crearlo. Las conexiones de asistentes figuran junto a ellos.";
        kind: "Kind", "Tipo";
        kind_api: "Token", "Token";
        calls: "Last calls of tools", "Últimas llamadas a herramientas";
        call_at: "When", "Cuándo";
        call_tool: "Tool", "Herramienta";
        call_outcome: "Outcome", "Resultado";
        call_touched: "Records", "Registros";
        call_client: "Program", "Programa";
        call_from: "From", "Desde";
        kind_read_only: "Assistant that reads", "Asistente que lee";
        kind_operator: "Assistant that writes drafts", "Asistente que escribe borradores";
        kind_full: "Assistant that commits with approval", "Asistente que compromete con aprobación";
        client: "Client", "Cliente";
        new: "New token", "Nuevo token";
        none: "No token yet.", "Todavía no hay tokens.";
        none_cure: "Make one for each program that works with this company: each gets only what it needs, and can be stopped by itself.", "Cree uno para cada programa que trabaje con esta empresa: cada uno recibe solo lo que necesita y se puede detener por separado.";
        name: "Name", "Nombre";
        name_hint: "Names the program, so that you know later what stops when you stop the token.", "Indica el programa, para saber más tarde qué se detiene al detener el token.";
        prefix: "Begins with", "Empieza por";
        state: "State", "Estado";
        active: "Active", "Activo";
        disabled: "Switched off", "Desactivado";
        revoked: "Revoked", "Revocado";
        expired: "Expired", "Caducado";
        last_use: "Last use", "Último uso";
        from: "from {}", "desde {}";
        expires: "Expires", "Caduca";
        warnings: "Look at", "Revise";
        warn_unused: "Unused for 90 days", "Sin uso en 90 días";
        warn_full: "May do everything", "Puede hacerlo todo";
        warn_no_expiry: "Never expires", "No caduca";
        warn_soon: "Expires within 7 days", "Caduca en menos de 7 días";
        permissions: "Permissions", "Permisos";
        permissions_hint: "Give the program what it needs and no more. Read and Full of an area include what the area gets later.", "Dé al programa lo que necesita y nada más. Leer y Todo de un área incluyen lo que el área reciba más adelante.";
        all_read: "Read everything", "Leer todo";
        all_read_hint: "Every area, and changes nothing.", "Todas las áreas, sin cambiar nada.";
        all_full: "Everything", "Todo";
        all_full_hint: "Every area: reads, changes, issues, deletes.", "Todas las áreas: leer, cambiar, emitir, borrar.";
        all_some: "Area by area", "Área por área";
        all_some_hint: "As chosen below.", "Según lo elegido abajo.";
        reach_none: "None", "Nada";
        reach_read: "Read", "Leer";
        reach_full: "Full", "Todo";
        reach_some: "Single", "Sueltos";
        find_permission: "Find a permission", "Buscar un permiso";
        single: "Single permissions", "Permisos sueltos";
        companies: "Other companies", "Otras empresas";
        companies_hint: "The token works with {}, whose limits and events it uses. Tick others that it shall reach too.", "El token trabaja con {}, cuyos límites y eventos utiliza. Marque otras que también deba alcanzar.";
        groups: "Whole groups", "Grupos enteros";
        groups_hint: "All companies of the group, those that join later included, while you hold or administer its parent company.", "Todas las empresas del grupo, también las que se incorporen después, mientras usted sea titular o administrador de la empresa matriz.";
        addresses: "Allowed addresses", "Direcciones permitidas";
        addresses_hint: "One IP address or range in each line. Empty: from anywhere.", "Una dirección IP o un rango por línea. Vacío: desde cualquier sitio.";
        address_present: "Allow the address that you use now: {}", "Permitir la dirección que usa ahora: {}";
        expiry: "Expiry", "Caducidad";
        life_days: "{} days", "{} días";
        life_year: "1 year", "1 año";
        life_date: "On a date", "En una fecha";
        life_never: "Never", "Nunca";
        date: "Last day", "Último día";
        no_date: "Choose how long the token lives, or name a date.", "Elija cuánto vive el token o indique una fecha.";
        personal: "Personal data", "Datos personales";
        personal_tick: "Can see personal data", "Puede ver datos personales";
        personal_hint: "The program gets tax IDs, IBANs, phones, dates of birth and addresses in full, and PDF and XML of documents. Otherwise they are masked.", "El programa recibe completos NIF, IBAN, teléfonos, fechas de nacimiento y direcciones, y los PDF y XML de los documentos. Si no, aparecen ocultos.";
        review: "Continue", "Continuar";
        summary: "This token could", "Este token podría";
        summary_hint: "Read it once more; then make the token, or change the form below.", "Léalo una vez más; después cree el token o cambie el formulario de abajo.";
        make: "Make the token", "Crear el token";
        told_full: "everything: read, change, issue, delete", "todo: leer, cambiar, emitir, borrar";
        told_read: "read everything", "leer todo";
        personal_full: "It sees personal data in full.", "Ve los datos personales completos.";
        personal_masked: "It sees personal data masked.", "Ve los datos personales ocultos.";
        value_title: "The token is ready", "El token está listo";
        value_text: "Copy the value now. It is shown this once, and cannot be shown again.", "Copie el valor ahora. Se muestra esta única vez y no se puede volver a mostrar.";
        value: "Value of the token", "Valor del token";
        try_it: "Try it", "Pruébelo";
        done: "I have copied it", "Ya lo he copiado";
        again: "The form was sent twice: there is one token. Its value was in the answer to the first; if that one is lost, ask for a new value.", "El formulario se envió dos veces: hay un solo token. Su valor estaba en la respuesta al primero; si se ha perdido, pida un valor nuevo.";
        anywhere: "From anywhere", "Desde cualquier sitio";
        created: "Made", "Creado";
        created_by: "by {}", "por {}";
        edit: "Change", "Cambiar";
        save: "Save", "Guardar";
        disable: "Switch off", "Desactivar";
        disable_text: "From now on the API answers this token with 401. It keeps all that it is set to, and can be switched on again. Webhooks that rest on it wait.", "Desde ahora la API responde 401 a este token. Conserva toda su configuración y se puede volver a activar. Los webhooks que dependen de él esperan.";
        enable: "Switch on", "Activar";
        enable_text: "The token works again, as it was.", "El token vuelve a funcionar como antes.";
        rotate: "New value", "Nuevo valor";
        rotate_text: "The present value stops working at once. The new one is shown once; programs need it to go on.", "El valor actual deja de funcionar al instante. El nuevo se muestra una sola vez; los programas lo necesitan para continuar.";
        revoke: "Revoke", "Revocar";
        revoke_text: "The token stops for ever: the API answers 401, and it cannot be switched on again. Webhooks that rest on it stop.", "El token se detiene para siempre: la API responde 401 y no se puede volver a activar. Los webhooks que dependen de él se detienen.";
    }
}

impl Tokens {
    /// How far a token may reach into an area, as forms have it and in words.
    pub(crate) const fn reaches(&self) -> [(&'static str, &'static str); 4] {
        [
            ("none", self.reach_none),
            ("read", self.reach_read),
            ("full", self.reach_full),
            ("some", self.reach_some),
        ]
    }

    pub(crate) fn life_days(&self, days: u64) -> String {
        filled(self.life_days, days)
    }
}
