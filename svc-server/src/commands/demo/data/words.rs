//! Spanish words that names and documents are made of.

pub(super) const TRADES: [&str; 20] = [
    "Reformas",
    "Carpintería",
    "Construcciones",
    "Pinturas",
    "Fontanería",
    "Electricidad",
    "Jardinería",
    "Talleres",
    "Hostelería",
    "Bodegas",
    "Panadería",
    "Librería",
    "Cerrajería",
    "Cristalería",
    "Muebles",
    "Transportes",
    "Climatización",
    "Instalaciones",
    "Servicios",
    "Obras",
];

pub(super) const GOODS: [&str; 12] = [
    "Suministros",
    "Maderas",
    "Aceros",
    "Herramientas",
    "Pinturas",
    "Papelería",
    "Maquinaria",
    "Logística",
    "Envases",
    "Informática",
    "Iluminación",
    "Tornillería",
];

pub(super) const NAMES: [&str; 32] = [
    "Alba",
    "Sierra",
    "Luna",
    "Mar",
    "Olivo",
    "Roble",
    "Duero",
    "Tajo",
    "Ebro",
    "Segura",
    "Castilla",
    "Aurora",
    "Levante",
    "Poniente",
    "Norte",
    "Sur",
    "Encina",
    "Almendro",
    "Pizarra",
    "Granito",
    "Cantábrico",
    "Mediterráneo",
    "Guadiana",
    "Miño",
    "Teide",
    "Montseny",
    "Gredos",
    "Moncayo",
    "Albufera",
    "Alhambra",
    "Giralda",
    "Retiro",
];

pub(super) const FIRST: [&str; 16] = [
    "Ana", "Luis", "Carmen", "Javier", "Lucía", "Miguel", "Elena", "Pablo", "Marta", "Sergio", "Isabel",
    "Diego", "Rosa", "Andrés", "Nuria", "Raúl",
];

pub(super) const LAST: [&str; 16] = [
    "García",
    "Fernández",
    "López",
    "Martínez",
    "Sánchez",
    "Pérez",
    "Gómez",
    "Ruiz",
    "Díaz",
    "Moreno",
    "Álvarez",
    "Romero",
    "Navarro",
    "Torres",
    "Vázquez",
    "Ramos",
];

pub(super) const STREETS: [&str; 12] = [
    "Calle Mayor",
    "Calle Real",
    "Avenida de la Constitución",
    "Calle del Carmen",
    "Paseo de la Estación",
    "Calle San Juan",
    "Plaza de España",
    "Calle Nueva",
    "Avenida de Europa",
    "Calle del Sol",
    "Ronda Norte",
    "Camino Viejo",
];

/// Cities with the beginning of their postal codes.
pub(super) const CITIES: [(&str, &str); 12] = [
    ("Madrid", "280"),
    ("Barcelona", "080"),
    ("Valencia", "460"),
    ("Sevilla", "410"),
    ("Zaragoza", "500"),
    ("Málaga", "290"),
    ("Murcia", "300"),
    ("Bilbao", "480"),
    ("Valladolid", "470"),
    ("Vigo", "362"),
    ("Córdoba", "140"),
    ("Oviedo", "330"),
];

/// A thing that is sold or bought.
pub(super) struct Item {
    pub(super) description: &'static str,
    pub(super) unit: &'static str,
    pub(super) kind: &'static str,
    /// In cents, from and to.
    pub(super) price: (u32, u32),
    /// Most of it in a line.
    pub(super) most: u32,
}

const fn item(
    description: &'static str,
    unit: &'static str,
    kind: &'static str,
    price: (u32, u32),
    most: u32,
) -> Item {
    Item { description, unit, kind, price, most }
}

/// What a hardware shop sells.
pub(super) const SOLD: [Item; 16] = [
    item("Tornillos M6, caja de 100", "C62", "good", (650, 990), 40),
    item("Taladro percutor 18 V", "C62", "good", (8_500, 16_900), 4),
    item("Pintura plástica blanca 15 L", "C62", "good", (3_490, 5_990), 12),
    item("Cable eléctrico 2,5 mm²", "MTR", "good", (65, 120), 300),
    item("Cerradura de seguridad", "C62", "good", (4_500, 12_000), 6),
    item("Tubo de cobre 18 mm", "MTR", "good", (790, 1_150), 60),
    item("Cemento cola 25 kg", "C62", "good", (890, 1_490), 80),
    item("Lámpara LED 12 W", "C62", "good", (390, 890), 50),
    item("Escalera de aluminio", "C62", "good", (6_900, 15_900), 3),
    item("Juego de llaves Allen", "C62", "good", (990, 2_490), 10),
    item("Sierra circular", "C62", "good", (9_900, 18_900), 2),
    item("Grifo monomando", "C62", "good", (3_900, 8_900), 8),
    item("Instalación", "HUR", "service", (3_200, 4_800), 24),
    item("Montaje a domicilio", "HUR", "service", (2_800, 3_900), 8),
    item("Asesoramiento técnico", "HUR", "service", (4_500, 6_500), 6),
    item("Transporte", "C62", "service", (1_500, 4_500), 2),
];

/// What it buys.
pub(super) const BOUGHT: [Item; 10] = [
    item("Mercancía del mes", "C62", "good", (18_000, 95_000), 1),
    item("Herramienta eléctrica, surtido", "C62", "good", (25_000, 120_000), 1),
    item("Tornillería variada", "KGM", "good", (350, 690), 120),
    item("Pintura, palé", "C62", "good", (42_000, 88_000), 1),
    item("Material de oficina", "C62", "good", (1_200, 9_000), 3),
    item("Transporte de mercancía", "C62", "service", (4_500, 22_000), 2),
    item("Alquiler del local", "C62", "service", (85_000, 85_000), 1),
    item("Electricidad", "C62", "service", (9_000, 32_000), 1),
    item("Telefonía", "C62", "service", (4_500, 9_900), 1),
    item("Asesoría", "C62", "service", (12_000, 25_000), 1),
];

/// Fixed assets: what they are, their class, and their price in cents.
pub(super) const ASSETS: [(&str, &str, (u32, u32)); 6] = [
    ("Furgoneta", "vehicles", (1_450_000, 2_350_000)),
    ("Estanterías", "furniture", (120_000, 380_000)),
    ("Ordenador", "it_equipment", (89_000, 160_000)),
    ("Carretilla elevadora", "machinery", (650_000, 1_200_000)),
    ("Programa de almacén", "software", (90_000, 300_000)),
    ("Cortadora de llaves", "tools", (80_000, 260_000)),
];

/// Cases: their title and type.
pub(super) const CASES: [(&str, &str); 8] = [
    ("Reclamación de una factura", "commercial"),
    ("Obra del local", "commercial"),
    ("Revisión del contrato", "legal"),
    ("Inspección del IVA", "tax"),
    ("Cuentas anuales", "accounting"),
    ("Alta de un empleado", "labour"),
    ("Cambio de administrador", "corporate"),
    ("Garantía de una máquina", "other"),
];
