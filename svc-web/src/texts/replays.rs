use super::texts;

texts! {
    /// Sending past events again.
    Replays {
        title: "Replays", "Reenvíos";
        new: "Send again", "Reenviar";
        none: "Nothing was sent again yet.", "Todavía no se ha reenviado nada.";
        none_cure: "After an outage of a receiver, send it what it missed.", "Tras una caída del receptor, envíele lo que se perdió.";
        what: "What", "Qué";
        events: "All events of the range", "Todos los eventos del intervalo";
        events_hint: "Whether they arrived before or not, and those from before the webhook was made.", "Hayan llegado antes o no, y también los anteriores a la creación del webhook.";
        failed: "Deliveries that were given up", "Entregas abandonadas";
        failed_hint: "Each event once; those that arrived later by another delivery are left out.", "Cada evento una vez; se omiten los que llegaron después por otra entrega.";
        event: "Event", "Evento";
        every_event: "Every event of the webhook", "Todos los eventos del webhook";
        from: "From (UTC)", "Desde (UTC)";
        to: "To (UTC)", "Hasta (UTC)";
        to_hint: "Empty: up to now.", "Vacío: hasta ahora.";
        no_instant: "Name a day and a time.", "Indique un día y una hora.";
        count: "Count", "Contar";
        matched: "{} would be sent.", "Se enviarían {}.";
        matched_none: "Nothing matches: there is nothing to send.", "Nada coincide: no hay nada que enviar.";
        start: "Send {} again", "Reenviar {}";
        started: "Begun", "Iniciado";
        status: "State", "Estado";
        running: "Running", "En curso";
        completed: "Done", "Terminado";
        cancelled: "Cancelled", "Cancelado";
        switched_off: "The webhook was switched off meanwhile.", "Entretanto se desactivó el webhook.";
        progress: "Sent", "Enviados";
        progress_of: "{} of {}", "{} de {}";
        cancel: "Cancel", "Cancelar";
        cancel_hint: "What is in the queue already is still sent.", "Lo que ya está en la cola se envía igualmente.";
        ended: "Ended", "Terminó";
        range: "Range", "Intervalo";
    }
}
