use super::texts;

texts! {
    /// Webhook subscriptions.
    Subscriptions {
        title: "Webhooks", "Webhooks";
        lead: "A webhook tells a receiver of yours what happens in this company: signed, and sent again when it does not arrive.", "Un webhook avisa a un receptor suyo de lo que ocurre en esta empresa: firmado, y enviado de nuevo cuando no llega.";
        new: "New webhook", "Nuevo webhook";
        none: "No webhook yet.", "Todavía no hay webhooks.";
        none_cure: "Give the address of a receiver and choose what it is told of. Each notification is signed with a secret that only you two know.", "Indique la dirección de un receptor y elija de qué se le avisa. Cada aviso se firma con un secreto que solo conocen ustedes dos.";
        name: "Name", "Nombre";
        name_hint: "Names the receiver, so that you know later what it is for.", "Indica el receptor, para saber más tarde para qué sirve.";
        url: "Address", "Dirección";
        url_hint: "https, and reachable from the internet. It is looked up when you save.", "https, y accesible desde internet. Se comprueba al guardar.";
        events: "Events", "Eventos";
        events_hint: "What the receiver is told of. The permission below each is what a token would need to be told of it.", "De qué se avisa al receptor. El permiso bajo cada uno es el que necesitaría un token para recibirlo.";
        all_of_area: "All events of the area as of today", "Todos los eventos del área a día de hoy";
        find_event: "Find an event", "Buscar un evento";
        headers: "Headers", "Cabeceras";
        headers_hint: "One in each line, such as X-Api-Key: value. Authorization, or names that begin with X-. Values are kept sealed and never shown again: *** keeps the present one.", "Una por línea, como X-Api-Key: valor. Authorization, o nombres que empiezan por X-. Los valores se guardan cifrados y no se vuelven a mostrar: *** conserva el actual.";
        no_header: "Each line is a name, a colon and a value.", "Cada línea es un nombre, dos puntos y un valor.";
        in_flight: "Attempts at a time", "Intentos a la vez";
        in_flight_hint: "How many notifications may be under way to the receiver at a time: 1 to 256. Left empty it is 32 at first, and stays as it is later.", "Cuántos avisos pueden estar en curso a la vez hacia el receptor: de 1 a 256. Si se deja vacío, al principio son 32 y después no cambia.";
        no_number: "It is a number from 1 to 256.", "Es un número de 1 a 256.";
        make: "Make the webhook", "Crear el webhook";
        state: "State", "Estado";
        on: "On", "Activo";
        off: "Switched off", "Desactivado";
        health: "Health", "Salud";
        unknown: "Nothing sent yet", "Sin envíos todavía";
        healthy: "Healthy", "Sano";
        failing: "Failing", "Fallando";
        paused: "Waits as asked", "Espera como pidió";
        rate: "{} % of {} attempts arrived", "Llegó el {} % de {} intentos";
        since: "since", "desde";
        last_success: "Last arrival", "Última llegada";
        last_failure: "Last failure", "Último fallo";
        in_a_row: "{} failures in a row", "{} fallos seguidos";
        paused_until: "until", "hasta";
        created: "Made", "Creado";
        latest: "Latest deliveries", "Últimas entregas";
        nothing_sent: "Nothing was sent yet. Send a test to see what the receiver answers.", "Todavía no se ha enviado nada. Envíe una prueba para ver qué responde el receptor.";
        all_deliveries: "All deliveries", "Todas las entregas";
        replays: "Replays", "Reenvíos";
        test: "Send a test", "Enviar una prueba";
        edit: "Change", "Cambiar";
        save: "Save", "Guardar";
        disable: "Switch off", "Desactivar";
        disable_text: "What happens from now on is not sent to this receiver, and what waits for it is given up. It is in the event log, and can be sent again later.", "Lo que ocurra desde ahora no se envía a este receptor, y lo que espera se abandona. Queda en el registro de eventos y se puede reenviar después.";
        enable: "Switch on", "Activar";
        enable_text: "The receiver is told of what happens from now on. What happened meanwhile can be sent with a replay.", "Se avisa al receptor de lo que ocurra desde ahora. Lo ocurrido entretanto se puede enviar con un reenvío.";
        rotate: "New secret", "Nuevo secreto";
        rotate_text: "The present secret stops signing at once. The new one is shown once; until the receiver has it, it refuses what is sent, and that is repeated.", "El secreto actual deja de firmar al instante. El nuevo se muestra una sola vez; hasta que el receptor lo tenga, rechazará lo que se le envíe, y se repetirá.";
        remove: "Delete", "Borrar";
        remove_text: "The webhook is gone with its log and all that waits for it. Switching it off keeps them.", "El webhook desaparece con su registro y todo lo que espera. Desactivarlo los conserva.";
        secret_title: "The secret of the webhook", "El secreto del webhook";
        secret_text: "Copy the secret now. It is shown this once, and cannot be shown again.", "Copie el secreto ahora. Se muestra esta única vez y no se puede volver a mostrar.";
        secret: "Signing secret", "Secreto de firma";
        verify: "Verify what arrives", "Verificar lo que llega";
        verify_text: "Everyone can post to an open address. A receiver believes what is signed with this secret and nothing else: whole receivers to start from.", "Cualquiera puede enviar a una dirección abierta. Un receptor solo cree lo que va firmado con este secreto: receptores completos para empezar.";
        done: "I have copied it", "Ya lo he copiado";
        again: "The form was sent twice, and took effect once. The secret was in the answer to the first; if that one is lost, ask for a new secret.", "El formulario se envió dos veces y tuvo efecto una sola. El secreto estaba en la respuesta al primero; si se ha perdido, pida un secreto nuevo.";
    }
}
