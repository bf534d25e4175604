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
