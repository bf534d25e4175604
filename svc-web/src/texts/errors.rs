//! What is wrong with a field, in Spanish: the API says it in English.

/// By the member's path and the code of its rule.
pub(crate) fn spanish(field: &str, code: &str) -> &'static str {
    let member = field.split(['[', '.']).next().unwrap_or_default();
    match (member, code) {
        ("name", "required") => "Falta el nombre.",
        ("name", _) => "El nombre tiene de 1 a 100 caracteres visibles.",
        ("permissions", "required") => "Elija al menos un permiso.",
        ("permissions", _) => "Uno de los permisos no existe.",
        ("allowedIps", "invalid_ip") => "No es una dirección IP ni un rango como 203.0.113.0/24.",
        ("allowedIps", _) => "Un token admite como máximo 100 direcciones y rangos.",
        ("expiresAt", _) => "La fecha está en el pasado, o más lejos de lo que permite el operador.",
        ("accountIds" | "groupIds", "api_access_off") => "Esa empresa no tiene acceso a la API.",
        ("accountIds" | "groupIds", _) => "Ya no está a su alcance.",
        ("url", "required") => "Falta la dirección.",
        ("url", "not_https") => "Debe empezar por https.",
        ("url", "malformed") => "No es una dirección web.",
        ("url", "too_long") => "Es demasiado larga.",
        ("url", "credentials") => "No puede llevar usuario ni contraseña.",
        ("url", "fragment") => "No puede llevar una parte tras #.",
        ("url", "internal_name") => "Es un nombre interno: el receptor debe ser accesible desde internet.",
        ("url", "unresolvable") => "El nombre no existe o no lleva a ninguna dirección.",
        ("url", "not_public") => "Lleva a una dirección que no es pública.",
        ("url", "port_not_allowed") => "El puerto no está permitido.",
        ("url", _) => "La dirección no sirve: debe ser https y llevar a una dirección pública.",
        ("events", "required") => "Elija al menos un evento.",
        ("events", _) => "Uno de los eventos no existe o no está a su alcance.",
        ("headers", "required") => {
            "La dirección lleva a otro sitio: escriba de nuevo los valores de todas las cabeceras, o quítelas."
        }
        ("headers", "masked_value") => "*** representa un valor que no se muestra: escriba el valor.",
        ("headers", _) => {
            "Las cabeceras son Authorization o empiezan por X-, con valores ASCII visibles, diez como máximo."
        }
        ("maxInFlight", _) => "Es un número de 1 a 256.",
        ("guests", "too_many") => "La sala de datos da acceso a 200 invitados: termine antes un acceso.",
        ("guests", "revoked") => "El acceso se terminó: cree otro.",
        ("guests", _) => "Hay demasiados correos a invitados en espera: inténtelo más tarde.",
        ("sections", "required") => "Indique de 1 a 20 secciones.",
        ("sections", _) => {
            "No es una sección: escríbala como 1 Corporate/1.2 Statutes, sin / en los extremos."
        }
        ("personalData", _) => "Solo quien ve datos personales entrega archivos que los contienen.",
        ("email", "invalid_email") => "No es una dirección de correo.",
        ("email", "unknown_reference") => "Ninguna persona activa inicia sesión con ese correo.",
        ("code", _) => "El código es otro.",
        ("currentPassword", _) => "La contraseña actual es otra.",
        ("newPassword" | "password", _) => {
            "La contraseña tiene de 12 a 128 caracteres y no es el nombre ni el correo."
        }
        ("from", "in_the_future") => "Está en el futuro.",
        ("from", "out_of_order") => "Debe ser anterior al final.",
        (_, "required") => "Es obligatorio.",
        (_, "out_of_range") => "Queda fuera de lo permitido.",
        (_, _) => "No es válido.",
    }
}
