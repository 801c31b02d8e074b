"use strict";
(function () {
  var root = document.documentElement;
  var form = document.getElementById("filters");
  var search = document.getElementById("search");
  var rule = document.getElementById("rule");
  var shown = document.getElementById("shown");
  var findings = Array.prototype.slice.call(document.querySelectorAll(".finding"));
  var texts = findings.map(function (f) { return f.textContent.toLowerCase(); });

  function severities() {
    var boxes = Array.prototype.slice.call(form.querySelectorAll("input[name=severity]"));
    return boxes.filter(function (b) { return b.checked; }).map(function (b) { return b.value; });
  }

  function apply() {
    var wanted = severities();
    var words = search.value.toLowerCase().split(/\s+/);
    var count = 0;
    findings.forEach(function (finding, i) {
      var file = finding.closest(".file").querySelector("h3").textContent.toLowerCase();
      var visible = wanted.indexOf(finding.dataset.severity) >= 0 &&
        (!rule.value || rule.value === finding.dataset.rule) &&
        words.every(function (w) { return texts[i].indexOf(w) >= 0 || file.indexOf(w) >= 0; });
      finding.hidden = !visible;
      if (visible) count += 1;
    });
    document.querySelectorAll(".file").forEach(function (file) {
      file.hidden = !file.querySelector(".finding:not([hidden])");
    });
    shown.textContent = count + " of " + findings.length + " findings shown";
  }

  function step(direction) {
    var visible = findings.filter(function (f) { return !f.hidden; });
    var at = visible.indexOf(document.activeElement.closest(".finding"));
    var next = at < 0 ? (direction > 0 ? 0 : visible.length - 1) : at + direction;
    if (visible[next]) visible[next].focus();
  }

  function open_target() {
    var id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch (ignored) { /* a bare percent sign */ }
    var target = id && document.getElementById(id);
    if (target && target.tagName === "DETAILS") target.open = true;
  }

  var themes = ["auto", "light", "dark"];
  var button = document.getElementById("theme");
  function set_theme(theme) {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    button.dataset.value = theme;
    try { localStorage.setItem("gpulint-theme", theme); } catch (ignored) { /* private window */ }
  }
  var stored = "auto";
  try { stored = localStorage.getItem("gpulint-theme") || "auto"; } catch (ignored) { /* same */ }
  set_theme(themes.indexOf(stored) < 0 ? "auto" : stored);
  button.addEventListener("click", function () {
    set_theme(themes[(themes.indexOf(button.dataset.value) + 1) % themes.length]);
  });

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "/" && form.hidden === false) { search.focus(); event.preventDefault(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  window.addEventListener("hashchange", open_target);
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", apply);
  form.addEventListener("reset", function () { setTimeout(apply); });
  form.hidden = findings.length === 0;
  apply();
  open_target();
}());
