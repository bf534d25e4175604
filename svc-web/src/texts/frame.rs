use super::texts;
use crate::preferences::Theme;

texts! {
    /// Around every page.
    Frame {
        product: "Client area", "Área de cliente";
        skip: "Skip to the content", "Saltar al contenido";
        navigation: "Navigation", "Navegación";
        companies: "Companies", "Empresas";
        switch_company: "Switch company", "Cambiar de empresa";
        all_companies: "All companies", "Todas las empresas";
        overview: "Overview", "Resumen";
        developers: "Developers", "Desarrolladores";
        tokens: "Tokens", "Tokens";
        webhooks: "Webhooks", "Webhooks";
        events: "Event log", "Registro de eventos";
        people: "People", "Personas";
        password: "Password", "Contraseña";
        sign_out: "Sign out", "Cerrar sesión";
        language: "Language", "Idioma";
        appearance: "Appearance", "Apariencia";
        theme_system: "As the system", "Como el sistema";
        theme_light: "Light", "Claro";
        theme_dark: "Dark", "Oscuro";
        apply: "Apply", "Aplicar";
        cancel: "Cancel", "Cancelar";
        copy: "Copy", "Copiar";
        copied: "Copied", "Copiado";
        never: "never", "nunca";
        previous_page: "Previous page", "Página anterior";
        next_page: "Next page", "Página siguiente";
        pages: "Pages", "Páginas";
        page_of: "Page {} of {}", "Página {} de {}";
        form_wrong: "Something is not right yet. See the fields below.", "Algo no está bien todavía. Revise los campos de abajo.";
        conflict: "It was changed meanwhile. Nothing was saved. Below is what you typed: save again to put it over the change, or open the page anew to see that first.", "Ha cambiado entretanto. No se ha guardado nada. Abajo está lo que escribió: guarde de nuevo para imponerlo o abra la página otra vez para ver antes el cambio.";
    }
}

impl Frame {
    pub(crate) const fn theme(&self, theme: Theme) -> &'static str {
        match theme {
            Theme::System => self.theme_system,
            Theme::Light => self.theme_light,
            Theme::Dark => self.theme_dark,
        }
    }
}
