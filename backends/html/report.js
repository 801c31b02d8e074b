"use strict";
(function () {
  const root = document.documentElement;
  const by_id = (id) => document.getElementById(id);
  const all = (query, within) => Array.from((within || document).querySelectorAll(query));
  const form = by_id("filters");
  const search = by_id("search");
  const rule = by_id("rule");
  const boxes = all("input[name=severity]", form);
  const groups = all(".group");
  const findings = all(".finding");
  const folds = all("details[id]");
  const usual = new Map(folds.map((fold) => [fold.id, fold.open]));
  const text_of = (element) => element.textContent;
  const on = (element, type, does) => element.addEventListener(type, does);
  // A finding also matches the text of its rule's line.
  const texts = findings.map((finding) =>
    (text_of(finding.parentElement.querySelector("summary")) + " " + text_of(finding)).toLowerCase());
  let target = "";
  let timer = 0;

  // Filters hide findings, and rules without a visible finding.
  function apply() {
    const wanted = boxes.filter((box) => box.checked).map((box) => box.value);
    const words = search.value.toLowerCase().split(/\s+/);
    findings.forEach((finding, i) => {
      finding.hidden = !(wanted.includes(finding.dataset.severity) &&
        (!rule.value || rule.value === finding.parentElement.dataset.rule) &&
        words.every((word) => texts[i].includes(word)));
    });
    groups.forEach((group) => {
      const members = all(".finding", group);
      const left = members.filter((finding) => !finding.hidden).length;
      const count = group.querySelector(".count");
      group.hidden = left === 0;
      if (count) count.textContent = left === members.length ? left : left + " of " + members.length;
    });
    const left = findings.filter((finding) => !finding.hidden).length;
    by_id("shown").textContent = left + " of " + findings.length + " findings shown";
    by_id("none").hidden = left > 0 || findings.length === 0;
  }

  // The address: #TARGET&hide=…&rule=…&q=…&open=…&shut=…, each only if it is not the default.
  function remember() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const parts = target ? [encodeURIComponent(target)] : [];
      const add = (key, values) => {
        if (values.length) parts.push(key + "=" + values.map(encodeURIComponent).join(","));
      };
      add("hide", boxes.filter((box) => !box.checked).map((box) => box.value));
      add("rule", rule.value ? [rule.value] : []);
      add("q", search.value ? [search.value] : []);
      const changed = folds.filter((fold) => fold.open !== usual.get(fold.id));
      add("open", changed.filter((fold) => fold.open).map((fold) => fold.id));
      add("shut", changed.filter((fold) => !fold.open).map((fold) => fold.id));
      const here = location.href.split("#")[0];
      history.replaceState(null, "", parts.length ? here + "#" + parts.join("&") : here);
    }, 150);
  }

  function decode(text) {
    try { return decodeURIComponent(text); } catch (ignored) { return text; }
  }

  function recall() {
    const parts = location.hash.slice(1).split("&");
    target = parts[0].includes("=") ? "" : decode(parts.shift());
    if (parts.length) {
      const values = new Map(parts.map((part) => {
        const at = part.indexOf("=");
        return [part.slice(0, at), part.slice(at + 1).split(",").map(decode)];
      }));
      const list = (key) => values.get(key) || [];
      boxes.forEach((box) => { box.checked = !list("hide").includes(box.value); });
      rule.value = list("rule")[0] || "";
      search.value = list("q")[0] || "";
      folds.forEach((fold) => {
        fold.open = list("open").includes(fold.id) || (usual.get(fold.id) && !list("shut").includes(fold.id));
      });
      apply();
    }
    show_target();
  }

  function unfold(element) {
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  }

  function show_target() {
    const element = target && by_id(target);
    if (!element) return;
    if (element.closest("[hidden]")) form.reset();
    unfold(element);
    const stop = element.querySelector("summary, a") || element;
    if (element.matches("details, td, tr")) stop.focus({ preventScroll: true });
    element.scrollIntoView({ block: element.matches("section") ? "start" : "center" });
    remember();
  }

  function step(direction) {
    const visible = findings.filter((finding) => !finding.hidden);
    const at = visible.indexOf(document.activeElement.closest(".finding"));
    const next = visible[at < 0 ? (direction > 0 ? 0 : visible.length - 1) : at + direction];
    if (!next) return;
    next.parentElement.open = true;
    next.querySelector("summary").focus();
  }

  function toggle_all() {
    const inner = groups.concat(findings);
    const is_open = inner.some((fold) => !fold.open);
    inner.forEach((fold) => { fold.open = is_open; });
  }

  function go(id) {
    if (by_id(id)) location.hash = id;
  }

  // Theme.
  const themes = ["auto", "light", "dark"];
  const button = by_id("theme");
  function set_theme(theme) {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    button.dataset.value = theme;
    try { localStorage.setItem("gpulint-theme", theme); } catch (ignored) { /* private window */ }
  }
  const next_theme = () => set_theme(themes[(themes.indexOf(button.dataset.value) + 1) % themes.length]);
  let stored = "auto";
  try { stored = localStorage.getItem("gpulint-theme") || "auto"; } catch (ignored) { /* same */ }
  set_theme(themes.includes(stored) ? stored : "auto");
  on(button, "click", next_theme);

  // Matrix: one stop for the Tab key, arrows from cell to cell.
  all(".scroll .placement").forEach((table) => {
    const chips = all("td a", table);
    const enter = (chip) => { chips.forEach((c) => { c.tabIndex = c === chip ? 0 : -1; }); };
    let told = null;
    enter(chips[0]);
    on(table, "focusin", (event) => { if (event.target.matches("td a")) enter(event.target); });
    on(table, "keydown", (event) => {
      const cell = event.target.closest("td");
      const sides = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (!cell || !sides) return;
      event.preventDefault();
      let row = cell.parentElement.rowIndex;
      let column = cell.cellIndex;
      for (;;) {
        row += sides[0];
        column += sides[1];
        const next = row > 0 && column > 0 && table.rows[row] && table.rows[row].cells[column];
        if (!next) return;
        const chip = next.querySelector("a");
        if (chip) { chip.focus(); return; }
      }
    });
    // The sentence appears below its cell, or above it if there is no room. It begins with the names of the cell.
    const name = (event) => {
      root.classList.remove("no-tip");
      const chip = event.target.closest("td a");
      if (!chip) return;
      const cell = chip.parentElement;
      const heads = [cell.parentElement.cells[0], table.rows[0].cells[cell.cellIndex]];
      const sentence = chip.lastElementChild;
      sentence.dataset.at = heads.map((head) => text_of(head).replace(/^[✓✗?] /, "")).join(" on ");
      const at = cell.getBoundingClientRect();
      const fits_below = at.bottom + sentence.offsetHeight < innerHeight;
      const put = (name, pixels) => sentence.style.setProperty("--" + name, pixels === null ? "auto" : pixels + "px");
      put("left", Math.max(8, Math.min(at.left, innerWidth - sentence.offsetWidth - 16)));
      put("top", fits_below ? at.bottom : null);
      put("bottom", fits_below ? null : innerHeight - at.top);
    };
    // Without a pointer, the first tap shows the sentence and the second follows the link.
    on(table, "click", (event) => {
      const chip = event.target.closest("td a");
      if (!chip || chip === told || !matchMedia("(hover: none)").matches) return;
      event.preventDefault();
      told = chip;
      chip.focus();
    });
    on(table, "mouseover", name);
    on(table, "focusin", name);
  });

  // Patches are copied unchanged.
  all(".patch:not(.cut)").forEach((patch) => {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.title = "as a patch";
    patch.prepend(copy);
    on(copy, "click", () => {
      const done = (word) => {
        copy.textContent = word;
        setTimeout(() => { copy.textContent = "Copy"; }, 1500);
      };
      const by_hand = () => {
        getSelection().selectAllChildren(patch.querySelector("pre"));
        done(document.execCommand("copy") ? "Copied" : "Selected");
      };
      const text = patch.querySelector("pre").textContent;
      if (!navigator.clipboard) by_hand();
      else navigator.clipboard.writeText(text).then(() => done("Copied"), by_hand);
    });
  });

  const keys = by_id("keys");
  on(by_id("help"), "click", () => keys.showModal());
  on(by_id("close"), "click", () => keys.close());
  on(document, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (event.key === "Escape") {
      root.classList.add("no-tip");
      if (event.target === search) search.blur();
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const does = {
      "/": () => { if (!form.hidden) { search.focus(); event.preventDefault(); } },
      "?": () => keys.showModal(),
      j: () => step(1), k: () => step(-1), e: toggle_all, t: next_theme,
      p: () => go("placement"), f: () => go("findings")
    }[event.key];
    if (does) does();
  });

  // Print: everything is unfolded except rules, pods and repetitions; afterwards restored.
  let folded = [];
  on(window, "beforeprint", () => {
    folded = all("details:not([open]):not(.rule):not(.pod):not(.alike)");
    folded.forEach((fold) => { fold.open = true; });
  });
  on(window, "afterprint", () => { folded.forEach((fold) => { fold.open = false; }); });
  on(window, "hashchange", recall);
  on(document, "toggle", remember, true);
  on(form, "submit", (event) => event.preventDefault());
  on(form, "input", () => { apply(); remember(); });
  on(form, "reset", () => setTimeout(() => { apply(); remember(); }));
  form.hidden = findings.length === 0;
  by_id("tools").hidden = false;
  apply();
  recall();
}());
