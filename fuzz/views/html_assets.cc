#include "fuzz/views/html_assets.h"

namespace passdiff {

// Colours are named once for each scheme. Side by side modules become one column where the window is narrow.
std::string_view page_style() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1c2128; --soft: #5b6470; --line: #d9dee4; --accent: #0b63c4; --well: #f3f5f7;
  --del: #fdecec; --add: #e7f6ea; --del-mark: #f6b8b8; --add-mark: #a9dfb4; --want: #14692c; --got: #a8201f;
  --comment: #69717b; --string: #0a6b4f; --number: #8a4a00; --keyword: #7a2da8; --op: #0b55ad; --decorator: #8a4a00;
  --s1: #b3261e; --s2: #7b2fa0; --s3: #9a5300; --s4: #0b5cad; --s5: #3f6670;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --card: #1a1f26; --text: #e3e7ec; --soft: #9aa5b1; --line: #323a45; --accent: #6cb2ff; --well: #141920;
    --del: #3a2023; --add: #17321f; --del-mark: #7d3239; --add-mark: #24663a; --want: #74d48e; --got: #ff9490;
    --comment: #8b96a3; --string: #7fd1b0; --number: #e7b06c; --keyword: #cf9bf0; --op: #7fb9ff; --decorator: #e7b06c;
    --s1: #ff8a80; --s2: #d6a1f2; --s3: #f0b056; --s4: #7fb9ff; --s5: #8fc3cf;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 32px 0 10px; }
h3 { font-size: 14px; margin: 20px 0 6px; }
p { margin: 0 0 8px; }
a { color: var(--accent); }
code, pre, .code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.soft { color: var(--soft); }
button, select, input { font: inherit; color: inherit; }
button, select, input[type=search] { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px; min-height: 36px; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 0 14px; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 14px; min-width: 104px; }
.tiles b { display: block; font-size: 20px; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: 13px; }
.charts { display: flex; flex-wrap: wrap; gap: 14px; }
.chart { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px; width: 100%; max-width: 520px; height: auto; flex: 1 1 320px; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart .tick { fill: var(--soft); font-size: 11px; }
.chart .caption { fill: var(--text); font-size: 13px; font-weight: 600; }
.chart .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.chart .part { stroke: var(--s1); }
.table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
.table th, .table td { text-align: right; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line); }
.table th:first-child, .table td:first-child { text-align: left; overflow-wrap: anywhere; }
.words td { vertical-align: top; }
.words td:first-child { min-width: 260px; }
.words td > p { max-width: 72ch; margin: 0; white-space: normal; color: var(--soft); }
.words th:not(:last-child), .words td:not(:last-child) { text-align: left; }
.fold { margin: 12px 0 0; }
.fold > summary { cursor: pointer; color: var(--accent); }
.scroll { max-height: 420px; overflow: auto; margin-top: 6px; width: fit-content; max-width: 100%; padding-right: 16px; }

#filters { position: sticky; top: 0; z-index: 2; background: var(--page); padding: 10px 0; border-bottom: 1px solid var(--line); margin-bottom: 12px; }
#filters .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
#filters .boxes { margin-top: 9px; }
#filters input[type=search] { flex: 1 1 220px; min-width: 0; }
#filters select { max-width: 100%; flex: 0 1 240px; min-width: 0; }
.check { display: inline-flex; align-items: center; gap: 5px; border: 1px solid var(--line); border-radius: 999px; padding: 3px 11px 3px 8px; background: var(--card); font-size: 13px; cursor: pointer; }
.check input { margin: 0; }
#shown { margin-left: auto; color: var(--soft); font-size: 14px; }

.cause { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 10px; scroll-margin-top: 110px; }
.cause > summary { cursor: pointer; display: grid; grid-template-columns: 34px 128px minmax(0, 1fr) auto; gap: 2px 10px; padding: 10px 14px; align-items: baseline; list-style: none; }
.cause > summary::-webkit-details-marker { display: none; }
.cause > summary:hover .name { text-decoration: underline; }
.rank { color: var(--soft); font-variant-numeric: tabular-nums; }
.rank::before { content: "\25B8\00A0"; display: inline-block; }
.cause[open] .rank::before { content: "\25BE\00A0"; }
.badge { display: inline-block; justify-self: start; border: 1px solid currentColor; border-radius: 999px; padding: 0 9px; font-size: 12px; line-height: 20px; font-weight: 600; white-space: nowrap; }
.wrong-result { color: var(--s1); } .crash { color: var(--s2); } .ill-formed { color: var(--s3); } .refused { color: var(--s4); } .broken-promise { color: var(--s5); }
.name { font-weight: 600; overflow-wrap: anywhere; }
.what { grid-column: 3 / -1; color: var(--soft); overflow-wrap: anywhere; font-size: 14px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.cause[open] .what { display: block; }
.size { color: var(--soft); font-size: 13px; white-space: nowrap; }
.body { padding: 2px 14px 16px; border-top: 1px solid var(--line); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 16px; margin: 12px 0 0; font-size: 14px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.detail { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--well); border-radius: 6px; padding: 8px 12px; margin: 0; font-size: 13px; }
.want, .got { border-radius: 3px; padding: 0 2px; }
.want { color: var(--want); background: var(--add); } .got { color: var(--got); background: var(--del); }
.want b { background: var(--add-mark); } .got b { background: var(--del-mark); }
.pipeline { display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; list-style: none; font-size: 13px; }
.pipeline li { border: 1px solid var(--line); border-radius: 6px; padding: 3px 9px; overflow-wrap: anywhere; max-width: 100%; background: var(--well); }
.pipeline .options { color: var(--soft); }
.pipeline .culprit { border: 2px solid var(--got); }
.pipeline .culprit b { color: var(--got); font-family: system-ui, sans-serif; }

.code { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 12px; line-height: 1.55; border: 1px solid var(--line); background: var(--well); }
.code .cn { width: 36px; }
.code td { padding: 0 6px; vertical-align: top; }
.code .n { color: var(--soft); text-align: right; user-select: none; padding: 0 4px 0 0; font-size: 11px; line-height: 1.7; opacity: .8; }
.code .n::before { content: attr(data-n); }
.code .l { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.code.two td:nth-child(3) { border-left: 1px solid var(--line); }
.code .del { background: var(--del); } .code .add { background: var(--add); }
.code .no { background: var(--page); }
.code mark { color: inherit; border-radius: 2px; }
.code .del mark { background: var(--del-mark); } .code .add mark { background: var(--add-mark); }
.sides { display: grid; grid-template-columns: 1fr 1fr; font-size: 13px; color: var(--soft); margin: 20px 0 4px; }
.sides h3 { margin: 0; color: var(--text); }
.tc { color: var(--comment); } .ts { color: var(--string); } .tn { color: var(--number); } .tk { color: var(--keyword); } .to { color: var(--op); } .td { color: var(--decorator); }

.file { position: relative; border: 1px solid var(--line); border-radius: 6px; margin: 10px 0 0; }
.file > details > summary { cursor: pointer; padding: 9px 110px 9px 12px; overflow-wrap: anywhere; }
.file pre { margin: 0; padding: 10px 12px; border-top: 1px solid var(--line); background: var(--well); overflow: auto; max-height: 520px; font-size: 12px; line-height: 1.5; }
.copied { position: fixed; top: 0; opacity: 0; }
.copy { position: absolute; top: 4px; right: 6px; font-size: 13px; min-height: 32px; padding: 3px 12px; }
@media (max-width: 760px) {
  main { padding: 16px 12px 48px; }
  h1 { font-size: 21px; }
  #filters { position: static; }
  #shown { margin-left: 0; flex-basis: 100%; }
  #filters select { flex-basis: 100%; }
  #filters button { flex: 1 1 40%; }
  .tiles li { flex: 1 1 30%; min-width: 88px; padding: 7px 10px; }
  .tiles b { font-size: 17px; }
  .chart .tick { font-size: 13px; } .chart .caption { font-size: 15px; }
  .cause { scroll-margin-top: 8px; }
  .cause > summary { grid-template-columns: auto auto minmax(0, 1fr); padding: 10px; }
  .name { grid-column: 1 / -1; grid-row: 2; }
  .what { grid-column: 1 / -1; }
  .size { justify-self: end; }
  .body { padding: 2px 10px 14px; }
  .facts { grid-template-columns: 76px minmax(0, 1fr); gap: 3px 10px; }
  .sides { display: block; } .sides h3 { display: inline; } .sides .right::before { content: " and "; }
  .code.two, .code.two tbody { display: block; }
  .code.two colgroup { display: none; }
  .code.two tr { display: grid; grid-template-columns: 26px minmax(0, 1fr); }
  .code.two .no, .code.two tr.same td:nth-child(n + 3) { display: none; }
  .code.two td:nth-child(3) { border-left: 0; }
  .code .cn { width: 26px; }
  .code { font-size: 11.5px; }
}
)css";
}

// Filters show what passes all of them. A word of the free text must occur in a cause's searchable parts. The hash of the address
// names a cause, which is then opened. The clipboard's interface is missing where the page is not trusted: there a selection is copied.
std::string_view page_script() {
  return R"js(
(() => {
  "use strict";
  const form = document.getElementById("filters");
  const causes = [...document.querySelectorAll(".cause")];
  const lower = (element) => element.textContent.toLowerCase();
  const texts = new Map(causes.map((cause) => [cause, [...cause.querySelectorAll(".searched")].map(lower).join("\n")]));
  const passesOf = new Map(causes.map((cause) => [cause, JSON.parse(cause.dataset.passes)]));
  const search = document.getElementById("search");
  const pass = document.getElementById("pass");
  const severities = [...form.querySelectorAll("input[name=severity]")];
  const shown = document.getElementById("shown");

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(severities.filter((box) => box.checked).map((box) => box.value));
    let count = 0;
    for (const cause of causes) {
      const fits = wanted.has(cause.dataset.severity) && (!pass.value || passesOf.get(cause).includes(pass.value)) &&
        words.every((word) => texts.get(cause).includes(word));
      cause.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.textContent = count + " of " + causes.length + " shown";
    document.getElementById("none").hidden = count > 0;
  }

  function setAll(open) {
    for (const cause of causes) if (!cause.hidden) cause.open = open;
  }

  function openNamed() {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { return; }
    const cause = name && causes.find((one) => one.id === name);
    if (!cause) return;
    cause.open = true;
    cause.scrollIntoView();
  }

  function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    area.className = "copied";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copy(button) {
    const text = document.getElementById(button.dataset.of).textContent;
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      done = copyBySelection(text);
    }
    button.textContent = done ? "Copied" : "Select it by hand";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("open").addEventListener("click", () => setAll(true));
  document.getElementById("close").addEventListener("click", () => setAll(false));
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  window.addEventListener("hashchange", openNamed);
  form.hidden = false;
  filter();
  openNamed();
})();
)js";
}

}  // namespace passdiff
