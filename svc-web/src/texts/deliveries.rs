use super::texts;

texts! {
    /// What was sent to receivers.
    Deliveries {
        title: "Deliveries", "Entregas";
        one: "Delivery", "Entrega";
        none: "No delivery matches.", "Ninguna entrega coincide.";
        created: "Made", "Creada";
        event: "Event", "Evento";
        status: "State", "Estado";
        every_status: "Every state", "Todos los estados";
        every_event: "Every event", "Todos los eventos";
        pending: "Waits", "En espera";
        retrying: "Failed, to be tried again", "Falló, se reintentará";
        delivered: "Arrived", "Entregada";
        failed: "Given up", "Abandonada";
        attempts: "Attempts", "Intentos";
        attempts_of: "{} of {}", "{} de {}";
        answer: "Answer", "Respuesta";
        took: "Took", "Duración";
        from: "From", "Desde";
        to: "To", "Hasta";
        filter: "Filter", "Filtrar";
        utc_days: "Days are in UTC.", "Los días son en UTC.";
        next: "Next attempt", "Próximo intento";
        request: "Request", "Petición";
        request_text: "As it is sent, headers of the webhook without their values. The signature is made anew for each attempt.", "Tal como se envía, con las cabeceras del webhook sin sus valores. La firma se hace de nuevo en cada intento.";
        no_body: "The event is no longer kept.", "El evento ya no se conserva.";
        timeline: "Attempts", "Intentos";
        attempt: "Attempt {}", "Intento {}";
        no_attempt: "No attempt was made yet.", "Todavía no se ha hecho ningún intento.";
        no_answer: "No answer", "Sin respuesta";
        reached: "reached {}", "llegó a {}";
        dns: "Name", "Nombre";
        connect: "Connection", "Conexión";
        tls: "TLS", "TLS";
        wait: "Answer awaited", "Espera de respuesta";
        transfer: "Answer read", "Lectura de respuesta";
        response_headers: "Headers of the answer", "Cabeceras de la respuesta";
        response_body: "Body of the answer", "Cuerpo de la respuesta";
        cut: "There was more.", "Había más.";
        binary: "{} bytes that are no text", "{} bytes que no son texto";
        redeliver: "Send again", "Enviar de nuevo";
        redeliver_hint: "Sends the same event once more, as a new delivery.", "Envía el mismo evento otra vez, como una entrega nueva.";
    }
}
