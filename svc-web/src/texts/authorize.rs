use svc_auth::token::ConnectionRole;

use super::texts;

texts! {
    /// Letting an assistant act for a person.
    Authorize {
        title: "Connect an assistant", "Conectar un asistente";
        asks: "{} asks to act for you.", "{} pide actuar en su nombre.";
        unproven: "This is the name that the application gave itself; nothing proves it. Go on only if you have just started to connect it.", "Es el nombre que la aplicación se ha dado; nada lo demuestra. Continúe solo si acaba de iniciar la conexión.";
        published: "Described by", "Descrita por";
        sent_to: "You are sent back to", "Volverá a";
        own_machine: "a program on your own computer", "un programa de su propio ordenador";
        company: "Company", "Empresa";
        company_hint: "It reaches this one company, and no other.", "Llega solo a esta empresa.";
        choose: "Choose a company", "Elija una empresa";
        no_company: "You are a member of no company that assistants may be connected to: API access is switched off for yours, or you have none.", "No es miembro de ninguna empresa a la que se puedan conectar asistentes: el acceso a la API está desactivado en la suya, o no tiene ninguna.";
        company_gone: "You are no longer a member of this company, or its API access was switched off.", "Ya no es miembro de esta empresa, o se ha desactivado su acceso a la API.";
        role: "What it may do", "Qué puede hacer";
        role_hint: "Never more than you may do yourself, at any time.", "Nunca más de lo que usted mismo puede, en cada momento.";
        asked_for: "asked for", "lo ha pedido";
        read_only: "Read", "Leer";
        read_only_hint: "Finds and reads what you may see.", "Busca y lee lo que usted puede ver.";
        operator: "Work", "Trabajar";
        operator_hint: "Also writes what can be taken back: drafts, contacts, reconciliations.", "Además escribe lo que se puede deshacer: borradores, contactos, conciliaciones.";
        full: "Everything, with your approval", "Todo, con su aprobación";
        full_hint: "Also prepares what commits the company: issuing, posting, sending, deleting. You approve each time.", "Además prepara lo que compromete a la empresa: emitir, contabilizar, enviar, borrar. Usted lo aprueba cada vez.";
        never: "No assistant ever manages users, roles, tokens or webhook secrets.", "Ningún asistente gestiona usuarios, roles, tokens ni secretos de webhooks.";
        expiry: "Until when", "Hasta cuándo";
        life_refused: "Choose one of these.", "Elija una de estas opciones.";
        end_it: "You can end it at any time under Sessions; administrators can too, under Developers.", "Puede terminarlo en cualquier momento en Sesiones; los administradores también, en Desarrolladores.";
        approve: "Connect", "Conectar";
        deny: "Do not connect", "No conectar";
        broken: "This application cannot be connected", "No se puede conectar esta aplicación";
        broken_text: "It sent you here with a request that is not in order, so you were sent nowhere. Nothing was given. Tell the makers of the application:", "Le ha enviado aquí con una petición que no es correcta, así que no se le ha enviado a ningún sitio. No se ha concedido nada. Diga a quienes hacen la aplicación:";
    }
}

impl Authorize {
    /// What a role is called, and what it may do.
    pub(crate) const fn role_told(&self, role: ConnectionRole) -> (&'static str, &'static str) {
        match role {
            ConnectionRole::ReadOnly => (self.read_only, self.read_only_hint),
            ConnectionRole::Operator => (self.operator, self.operator_hint),
            ConnectionRole::Full => (self.full, self.full_hint),
        }
    }
}
