//! Areas, resources and actions of permissions, in words. Those of another catalogue keep their own names.

use crate::language::Language;

fn pick(language: Language, name: &str, known: Option<(&str, &str)>) -> String {
    match (language, known) {
        (Language::English, Some((english, _))) => english.to_owned(),
        (Language::Spanish, Some((_, spanish))) => spanish.to_owned(),
        (Language::English | Language::Spanish, None) => name.replace('_', " "),
    }
}

/// An area: `sales`.
pub(crate) fn area(name: &str, language: Language) -> String {
    let known = match name {
        "contacts" => ("Contacts and companies", "Contactos y empresas"),
        "crm" => ("Matters", "Asuntos"),
        "sales" => ("Sales", "Ventas"),
        "purchases" => ("Purchases", "Compras"),
        "accounting" => ("Accounting", "Contabilidad"),
        "treasury" => ("Treasury", "Tesorería"),
        "tax" => ("Tax", "Impuestos"),
        "documents" => ("Documents", "Documentos"),
        "sign" => ("Signatures", "Firmas"),
        "developers" => ("Developers", "Desarrolladores"),
        _ => return pick(language, name, None),
    };
    pick(language, name, Some(known))
}

/// A resource: `invoices`.
pub(crate) fn resource(name: &str, language: Language) -> String {
    let known = match name {
        "contacts" => ("Contacts", "Contactos"),
        "accounts" => ("Accounts", "Cuentas"),
        "groups" => ("Groups", "Grupos"),
        "members" => ("Members", "Miembros"),
        "cases" => ("Matters", "Asuntos"),
        "invoices" => ("Sales documents", "Documentos de venta"),
        "series" => ("Series", "Series"),
        "documents" => ("Supplier documents", "Documentos de proveedor"),
        "suppliers" => ("Suppliers", "Proveedores"),
        "books" => ("Books", "Libros"),
        "journal" => ("Journal", "Diario"),
        "fiscal_years" => ("Fiscal years", "Ejercicios"),
        "fixed_assets" => ("Fixed assets", "Inmovilizado"),
        "reports" => ("Reports", "Informes"),
        "bank_accounts" => ("Bank accounts", "Cuentas bancarias"),
        "bank_movements" => ("Bank movements", "Movimientos bancarios"),
        "reconciliation" => ("Reconciliation", "Conciliación"),
        "balances" => ("Balances", "Saldos"),
        "returns" => ("Tax returns", "Declaraciones"),
        "profile" => ("Tax profile", "Perfil fiscal"),
        "notices" => ("Notices", "Notificaciones"),
        "rates" => ("Rates", "Tipos"),
        "files" => ("Files", "Archivos"),
        "folders" => ("Folders", "Carpetas"),
        "data_room" => ("Data room", "Sala de datos"),
        "envelopes" => ("Envelopes", "Sobres de firma"),
        "webhooks" => ("Webhooks", "Webhooks"),
        _ => return pick(language, name, None),
    };
    pick(language, name, Some(known))
}

/// An action: `issue`.
pub(crate) fn action(name: &str, language: Language) -> String {
    let known = match name {
        "read" => ("read", "leer"),
        "create" => ("create", "crear"),
        "update" => ("change", "cambiar"),
        "delete" => ("delete", "borrar"),
        "merge" => ("merge", "fusionar"),
        "issue" => ("issue", "emitir"),
        "send" => ("send", "enviar"),
        "pay" => ("record payments", "registrar cobros y pagos"),
        "void" => ("void", "anular"),
        "approve" => ("approve", "aprobar"),
        "post" => ("post", "contabilizar"),
        "close" => ("close", "cerrar"),
        "prepare" => ("prepare", "preparar"),
        "submit" => ("submit", "presentar"),
        "reassign" => ("reassign", "reasignar"),
        "test" => ("test", "probar"),
        _ => return pick(language, name, None),
    };
    pick(language, name, Some(known))
}

#[cfg(test)]
mod tests {
    use svc_business::catalogue;

    use super::*;

    #[test]
    fn every_permission_of_the_catalogue_has_words_of_its_own() {
        for permission in catalogue::permissions().all() {
            let rest = permission.name().split_once(':').expect("an area").1;
            let (of, act) = rest.split_once('.').expect("an action");
            for language in Language::ALL {
                assert!(!area(permission.area(), language).is_empty());
                // A word that is not known comes back as it was written; `series` and `webhooks` are words too.
                assert_ne!(resource(of, language), of.replace('_', " "), "{permission}");
                assert!(!action(act, language).is_empty());
            }
            let spanish = action(act, Language::Spanish);
            assert_ne!(spanish, act.replace('_', " "), "{permission}");
        }
    }
}
