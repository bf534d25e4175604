// What the pages gain by scripts; each works without.
"use strict";

// Instants are shown in the zone of the person; the exact one stays in the title.
function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = time.dateTime;
    const style = { dateStyle: "medium", timeStyle: "medium" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(at);
  }
}
localise(document);

// A button beside a value copies it, and says so.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    const before = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, 2000);
  });
}

// A form is sent once, however often its button is pressed; one that opens another tab may be sent again.
for (const form of document.querySelectorAll("form[method=post]:not([target])")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// Rows that do not have what is typed are hidden; their boxes stay as they are.
for (const search of document.querySelectorAll("input[data-filter]")) {
  search.closest("[hidden]")?.removeAttribute("hidden");
  const rows = document.querySelectorAll(search.dataset.filter);
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}

// One menu is open at a time, and Escape closes it.
const menus = document.querySelectorAll("details.menu");
for (const menu of menus) {
  menu.addEventListener("toggle", () => {
    if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
  });
}
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (menu.open) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
});

// A live part is read anew every few seconds while the page is seen, and until it is no longer marked as live.
for (const part of document.querySelectorAll("[data-live][id]")) {
  const look = async () => {
    const current = document.getElementById(part.id);
    if (!current?.dataset.live) return;
    // What a person works with is not taken away below their hands.
    if (!document.hidden && !current.contains(document.activeElement) && !current.querySelector("details[open]")) {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
      if (answer?.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById(part.id);
        if (fresh) {
          current.replaceWith(document.importNode(fresh, true));
          localise(document.getElementById(part.id));
        }
      }
    }
    setTimeout(look, Number(document.getElementById(part.id)?.dataset.live ?? 5) * 1000);
  };
  setTimeout(look, Number(part.dataset.live) * 1000);
}

// A signature may be drawn instead of typed: strokes of points, as the form sends them.
for (const choice of document.querySelectorAll("fieldset[data-draw]")) {
  const form = choice.form;
  const [pad, canvas, clear] = ["[data-pad]", "canvas", "[data-pad] button"].map((css) => choice.querySelector(css));
  const drawn = choice.querySelector("input[value=drawn]");
  const pen = canvas.getContext("2d");
  const most = 5000;
  let strokes = [];
  const draw = () => {
    const lines = strokes.map((stroke) => stroke.map(([x, y]) => `${x}.${y}`).join("-"));
    form.elements.strokes.value = lines.join("_");
    drawn.setCustomValidity(drawn.checked && strokes.length === 0 ? drawn.dataset.empty : "");
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.lineWidth = 2.5;
    pen.lineCap = pen.lineJoin = "round";
    pen.strokeStyle = getComputedStyle(canvas).color;
    for (const stroke of strokes) {
      pen.beginPath();
      for (const [x, y] of [stroke[0], ...stroke]) pen.lineTo(x, y);
      pen.stroke();
    }
  };
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const within = (at, size, most) => Math.round(Math.min(Math.max(at / size, 0), 1) * most);
    const inner = { x: event.clientX - box.left - canvas.clientLeft, y: event.clientY - box.top - canvas.clientTop };
    return [within(inner.x, canvas.clientWidth, canvas.width), within(inner.y, canvas.clientHeight, canvas.height)];
  };
  let active = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (active !== null || strokes.flat().length >= most) return;
    active = event.pointerId;
    canvas.setPointerCapture(active);
    strokes.push([point(event)]);
    draw();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== active || strokes.flat().length >= most) return;
    const [x, y] = point(event);
    const [before, above] = strokes.at(-1).at(-1);
    if (Math.hypot(x - before, y - above) < 2) return;
    strokes.at(-1).push([x, y]);
    draw();
  });
  const end = (event) => { if (event.pointerId === active) active = null; };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  clear.addEventListener("click", () => { strokes = []; draw(); });
  const choose = () => {
    pad.hidden = !drawn.checked;
    form.elements.name.disabled = drawn.checked;
    form.elements.name.closest(".field").hidden = drawn.checked;
    draw();
  };
  choice.addEventListener("change", choose);
  choice.hidden = false;
  choose();
}
