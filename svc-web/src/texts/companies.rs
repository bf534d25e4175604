use super::texts;
use svc_core::role::Role;

texts! {
    /// Companies, and what people are there.
    Companies {
        title: "Your companies", "Sus empresas";
        none: "You do not belong to any company yet.", "Todavía no pertenece a ninguna empresa.";
        none_cure: "Ask a holder or administrator of your company to invite you by the e-mail address that you sign in with.", "Pida a un titular o administrador de su empresa que le invite con el correo con el que inicia sesión.";
        role: "Role", "Rol";
        holder: "Holder", "Titular";
        administrator: "Administrator", "Administrador";
        manager: "Manager", "Gerente";
        accountant: "Accountant", "Contable";
        employee: "Employee", "Empleado";
        auditor: "Auditor", "Auditor";
        id: "Company id", "Identificador de la empresa";
        holder_hint: "All of the company, its people and its holders.", "Toda la empresa, sus personas y sus titulares.";
        administrator_hint: "All of the company and its people, holders aside. Makes tokens and webhooks.", "Toda la empresa y sus personas, salvo los titulares. Crea tokens y webhooks.";
        manager_hint: "Runs the business. No tokens, no webhooks.", "Lleva el negocio. Sin tokens ni webhooks.";
        accountant_hint: "Keeps the books. No tokens, no webhooks.", "Lleva la contabilidad. Sin tokens ni webhooks.";
        employee_hint: "Works in the company. No tokens, no webhooks.", "Trabaja en la empresa. Sin tokens ni webhooks.";
        auditor_hint: "Looks at the company. No tokens, no webhooks.", "Consulta la empresa. Sin tokens ni webhooks.";
        go_members: "People", "Personas";
        go_members_text: "Who is what in this company, and whom it has invited.", "Quién es qué en esta empresa y a quién ha invitado.";
        invitations: "Invitations", "Invitaciones";
        invited_as: "As {}", "Como {}";
        invited_by: "by {}", "por {}";
        accept: "Accept", "Aceptar";
        decline: "Decline", "Rechazar";
        api_access: "API access", "Acceso a la API";
        api_on: "On: tokens and webhooks can be made under Developers.", "Activo: en Desarrolladores se crean tokens y webhooks.";
        api_off: "Off: the operator of this service switches it on. Tokens that exist go on working.", "Inactivo: lo activa el operador del servicio. Los tokens existentes siguen funcionando.";
        go_tokens: "Tokens", "Tokens";
        go_tokens_text: "Credentials for programs that work with this company.", "Credenciales para programas que trabajan con esta empresa.";
        go_webhooks: "Webhooks", "Webhooks";
        go_webhooks_text: "Signed notifications of what happens in this company.", "Avisos firmados de lo que ocurre en esta empresa.";
        for_administrators: "Developers is for holders and administrators.", "Desarrolladores es para titulares y administradores.";
    }
}

impl Companies {
    /// What a role may do.
    pub(crate) const fn role_hint(&self, role: Role) -> &'static str {
        match role {
            Role::Holder => self.holder_hint,
            Role::Administrator => self.administrator_hint,
            Role::Manager => self.manager_hint,
            Role::Accountant => self.accountant_hint,
            Role::Employee => self.employee_hint,
            Role::Auditor => self.auditor_hint,
        }
    }

    pub(crate) const fn role(&self, role: Role) -> &'static str {
        match role {
            Role::Holder => self.holder,
            Role::Administrator => self.administrator,
            Role::Manager => self.manager,
            Role::Accountant => self.accountant,
            Role::Employee => self.employee,
            Role::Auditor => self.auditor,
        }
    }
}
