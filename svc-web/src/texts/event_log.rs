use super::texts;

texts! {
    /// The log of events.
    EventLog {
        title: "Event log", "Registro de eventos";
        lead: "What happened in this company, with webhooks for it and without.", "Lo que ocurrió en esta empresa, con webhooks para ello y sin ellos.";
        none: "No event matches.", "Ningún evento coincide.";
        occurred: "Occurred", "Ocurrió";
        event: "Event", "Evento";
        every_event: "Every event", "Todos los eventos";
        object: "About", "Sobre";
        object_hint: "Id of a record, such as con_…", "Id de un registro, como con_…";
        deliveries: "Deliveries", "Entregas";
        no_delivery: "none", "ninguna";
        arrived: "{} arrived", "{} entregadas";
        under_way: "{} under way", "{} en curso";
        given_up: "{} given up", "{} abandonadas";
        body: "Notification", "Aviso";
        by_webhook: "Deliveries by webhook", "Entregas por webhook";
        id: "Event id", "Id del evento";
    }
}
