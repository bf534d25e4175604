use super::texts;

texts! {
    /// What happens at a company lately.
    Activity {
        title: "The last 24 hours", "Las últimas 24 horas";
        deliveries: "Deliveries and failures per hour", "Entregas y fallos por hora";
        counts_told: "Deliveries: {}, failed: {}", "Entregas: {}, fallidas: {}";
        latencies: "How long receivers take, per hour", "Cuánto tardan los receptores, por hora";
        latencies_told: "In the latest hour with deliveries half of the attempts took {} at most, and 95 of 100 took {} at most", "En la última hora con entregas, la mitad de los intentos tardó como mucho {}, y 95 de cada 100, como mucho {}";
        arrived: "Arrived or under way", "Llegaron o están en curso";
        failed: "Failed", "Fallaron";
        half: "p50", "p50";
        most: "p95", "p95";
        hour: "Hour (UTC)", "Hora (UTC)";
        made: "Deliveries", "Entregas";
        top: "Highest: {}", "Máximo: {}";
        figures: "Figures", "Cifras";
        more: "An hour is counted up to 5,000 deliveries, which the webhooks of the company share: + stands for more.", "Una hora se cuenta hasta 5.000 entregas, que los webhooks de la empresa se reparten: + indica que hay más.";
        estimated: "Of an hour with many deliveries the newest 240 are looked at, shared among the webhooks: its failures (≈) are those of all in the same proportion.", "De una hora con muchas entregas se miran las 240 más recientes, repartidas entre los webhooks: sus fallos (≈) son los de todas en la misma proporción.";
        quiet: "No delivery in the last 24 hours.", "Ninguna entrega en las últimas 24 horas.";
        no_webhook: "There is no webhook yet: what is delivered to one is drawn here, hour by hour.", "Todavía no hay ningún webhook: lo que se le entregue se dibuja aquí, hora a hora.";
        requests: "Requests", "Peticiones";
    }
}
