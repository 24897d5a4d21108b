#include "fuzz/views/html_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <xxhash.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "fuzz/views/html_assets.h"
#include "fuzz/views/html_chart.h"
#include "fuzz/views/html_text.h"
#include "oracle/symptom.h"

namespace passdiff {
namespace {

// "1 cause", "2 causes"
std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(number)), what, number == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string severity_of(const ReportedCause& cause) {
  return std::string(severity_name(cause.finding.cause.symptom));
}

// "cause-" and the folder's name: what is no letter, digit, point or hyphen in it becomes an underscore.
std::string id_of(const ReportedCause& cause) {
  std::string id = "cause-" + cause.finding.folder.filename().string();
  for (char& c : id) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return id;
}

std::string title_of(const ReportContent& content) {
  std::set<std::string> subjects;
  for (const ReportedCause& cause : content.causes) {
    if (!cause.subject.empty()) subjects.insert(cause.subject);
  }
  return (content.causes.empty() ? "No new cause" : counted(content.causes.size(), "cause")) +
         (subjects.empty() ? "" : fmt::format(" in {}", fmt::join(subjects, ", ")));
}

std::string not_shown(const ReportContent& content) {
  std::vector<std::string> parts;
  if (content.unconfirmed > 0)
    parts.push_back(counted(content.unconfirmed, "case") +
                    " that the compiler's own machine does not confirm");
  if (content.waiting > 0) parts.push_back(counted(content.waiting, "case") + " waiting for reduction");
  for (const std::filesystem::path& folder : content.unreadable) parts.push_back(folder.filename().string() + " left out, since its verdict.json is damaged");
  return parts.empty() ? "" : fmt::format(" Counted, not shown: {}.", joined(parts));
}

std::string header(const ReportContent& content) {
  return fmt::format(
      "<header>\n<h1>{}</h1>\n<p class=\"soft\">passdiff, findings in <code>{}</code>.{}</p>\n</header>\n",
      html_escape(title_of(content)), html_escape(content.name), html_escape(not_shown(content)));
}

std::string tile(const std::string& number, std::string_view what) {
  return fmt::format("<li><b>{}</b><span>{}</span></li>\n", html_escape(number), what);
}

// How much of the time of the campaign's jobs was spent inside passes; nothing where their number is not told.
std::string time_in_passes(const CampaignNumbers& numbers) {
  if (!numbers.seconds_in_passes || numbers.jobs.value_or(0) <= 0 || numbers.seconds.value_or(0) <= 0) return {};
  const double share = *numbers.seconds_in_passes / (*numbers.seconds * static_cast<double>(*numbers.jobs));
  return tile(fmt::format("{:.0f}%", share * 100), *numbers.jobs == 1 ? "of it in passes" : "of the jobs' time in passes");
}

std::string tiles(const CampaignNumbers& numbers) {
  std::string items;
  if (numbers.cases) items += tile(grouped(*numbers.cases), "cases");
  if (numbers.checks) items += tile(grouped(*numbers.checks), "checks");
  if (numbers.seconds) items += tile(duration(*numbers.seconds), "time");
  if (numbers.checks && numbers.seconds.value_or(0) > 0)
    items += tile(grouped(std::llround(static_cast<double>(*numbers.checks) / *numbers.seconds)),
                  "checks per second");
  items += time_in_passes(numbers);
  return items.empty() ? "" : "<ul class=\"tiles\">\n" + items + "</ul>\n";
}

std::map<std::string, int> causes_by_pass(const ReportContent& content) {
  std::map<std::string, int> counts;
  for (const ReportedCause& cause : content.causes) {
    for (const std::string& pass : cause.finding.cause.passes) ++counts[pass];
  }
  return counts;
}

// The passes with the most checks first.
std::string table_of_passes(const ReportContent& content) {
  const auto& by_pass = content.campaign->by_pass;
  if (by_pass.empty()) return {};
  std::vector<std::pair<std::string, PassNumbers>> order(by_pass.begin(), by_pass.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(-a.second.checks, a.first) < std::pair(-b.second.checks, b.first);
  });
  const std::map<std::string, int> causes = causes_by_pass(content);
  std::string rows;
  for (const auto& [pass, numbers] : order) {
    const auto found = causes.find(pass);
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1f}</td><td>{}</td></tr>\n", html_escape(pass),
                        grouped(numbers.checks), grouped(numbers.changed), grouped(numbers.refused), grouped(numbers.undecided), numbers.seconds,
                        found == causes.end() ? "" : fmt::format("{}", found->second));
  }
  return fmt::format(
      "<details class=\"fold\"><summary>Checks by pass ({})</summary><div class=\"scroll\"><table "
      "class=\"table\" id=\"passes\">"
      "<thead><tr><th>pass</th><th>checks</th><th>changed</th><th>refused</th><th>undecided</th><th>seconds</th><th>causes</th></tr></thead><tbody>\n{}</tbody></table></div></"
      "details>\n",
      by_pass.size(), rows);
}

std::string table_of_known(const std::vector<KnownCause>& known, bool open) {
  if (known.empty()) return {};
  std::string rows;
  for (const KnownCause& cause : known) {
    rows += fmt::format("<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", html_escape(cause.name),
                        cause.sentence.empty() ? "" : "<p>" + html_escape(cause.sentence) + "</p>", html_escape(cause.severity),
                        html_escape(cause.symptom), html_escape(fmt::format("{}", fmt::join(cause.passes, ", "))), grouped(cause.cases));
  }
  return fmt::format(
      "<details class=\"fold\"{}><summary>Known causes that it met ({})</summary><div class=\"scroll\"><table class=\"table words\" id=\"known\">"
      "<thead><tr><th>case in corpus/known</th><th>severity</th><th>symptom</th><th>passes</th><th>cases</th></tr></thead><tbody>\n{}"
      "</tbody></table></div></details>\n",
      open ? " open" : "", known.size(), rows);
}

std::string campaign(const ReportContent& content) {
  std::string html = content.campaign ? tiles(*content.campaign) : "";
  const std::string charts = svg_chart({"causes met", content.met_over_time, true, "new", content.causes_over_time}) +
                             svg_chart({"checks", content.checks_over_time, false}) +
                             svg_chart({"features of passes", content.features_over_time, false});
  if (!charts.empty()) html += "<div class=\"charts\">\n" + charts + "</div>\n";
  if (content.campaign) html += table_of_passes(content) + table_of_known(content.campaign->known, content.causes.empty());
  return html.empty() ? "" : "<section>\n<h2>The campaign</h2>\n" + html + "</section>\n";
}

std::string severity_boxes(const ReportContent& content) {
  std::map<std::string, int> counts;
  for (const ReportedCause& cause : content.causes) ++counts[severity_of(cause)];
  std::string boxes;
  for (const std::string& severity : severity_names()) {
    if (!counts.contains(severity)) continue;
    boxes += fmt::format(
        "<label class=\"check {0}\"><input type=\"checkbox\" name=\"severity\" value=\"{0}\" checked>{0} "
        "{1}</label>\n",
        html_escape(severity), counts[severity]);
  }
  return boxes;
}

std::string filters(const ReportContent& content) {
  std::string options;
  for (const auto& [pass, number] : causes_by_pass(content))
    options += fmt::format("<option value=\"{0}\">{0} ({1})</option>\n", html_escape(pass), number);
  return fmt::format(
      "<form id=\"filters\" hidden>\n<div class=\"row\">\n"
      "<input type=\"search\" id=\"search\" placeholder=\"Search names, messages, modules\" "
      "aria-label=\"Search\" autocomplete=\"off\">\n"
      "<select id=\"pass\" aria-label=\"Pass\"><option value=\"\">all passes</option>\n{}</select>\n"
      "<button type=\"button\" id=\"open\">Open all</button>\n<button type=\"button\" id=\"close\">Close "
      "all</button>\n</div>\n"
      "<div class=\"row boxes\">\n{}<output id=\"shown\" aria-live=\"polite\"></output>\n</div>\n</form>\n",
      options, severity_boxes(content));
}

std::string fact(std::string_view name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string symptom_text(Symptom symptom) {
  std::string name(symptom_name(symptom));
  const std::string_view meaning = symptom_info(symptom).meaning;
  std::string words = name;
  std::replace(words.begin(), words.end(), '-', ' ');
  return meaning == words ? name : fmt::format("{}: {}", name, meaning);
}

std::string facts(const ReportedCause& cause) {
  const Cause& evidence = cause.finding.cause;
  const std::string described = describe(evidence);
  const bool site_told = described.find(cause.site) != std::string::npos;
  return "<dl class=\"facts searched\">\n" + fact("Symptom", html_escape(symptom_text(evidence.symptom))) +
         fact("Evidence", html_escape(described)) + fact("Site", site_told ? "" : html_escape(cause.site)) +
         fact("Check", html_escape(cause.check)) + fact("Subject", html_escape(cause.subject)) +
         fact("Runs by default", cause.finding.in_default_pipeline
                                     ? "yes: a bug of a pass that the compiler runs unasked"
                                     : "") +
         fact("Found", html_escape(cause.origin)) +
         fact("Folder", "<code>" + html_escape(cause.finding.folder.filename().string()) + "</code>") +
         "</dl>\n";
}

// The culprit is the last of its name: what follows the prefix that fails was taken away by reduction.
std::string pipeline(const ReportedCause& cause) {
  std::size_t culprit = cause.passes.size();
  for (std::size_t i = 0; i < cause.passes.size(); ++i) {
    if (cause.passes[i].name == cause.culprit) culprit = i;
  }
  std::string items;
  for (std::size_t i = 0; i < cause.passes.size(); ++i) {
    const PassCall& pass = cause.passes[i];
    const std::string options =
        pass.options == "{}" ? ""
                             : fmt::format(" <span class=\"options\">{}</span>", html_escape(pass.options));
    items += fmt::format("<li{}><code>{}{}</code>{}</li>\n", i == culprit ? " class=\"culprit\"" : "",
                         html_escape(pass.name), options, i == culprit ? " <b>to blame</b>" : "");
  }
  return items.empty() ? ""
                       : "<h3>Passes, in order</h3>\n<ol class=\"pipeline searched\">\n" + items + "</ol>\n";
}

std::string modules(const ReportedCause& cause) {
  if (cause.source.empty()) return {};
  if (cause.target.empty())
    return "<div class=\"sides\"><h3>Source; there is no target</h3></div>\n<div class=\"searched\">" +
           html_listing(cause.source) + "</div>\n";
  return "<div class=\"sides\"><h3>Source</h3><h3 class=\"right\">Target</h3></div>\n<div "
         "class=\"searched\">" +
         html_side_by_side(cause.source, cause.target) + "</div>\n";
}

// A file of the finding, folded, with a button that copies it.
std::string file(const std::string& id, const char* name, const char* what, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format(
      "<div class=\"file\"><details><summary><code>{1}</code> <span class=\"soft\">{2}</span></summary>"
      "<pre><code id=\"{0}-{1}\">{3}</code></pre></details><button type=\"button\" class=\"copy\" "
      "data-of=\"{0}-{1}\" "
      "aria-label=\"Copy {1}\" hidden>Copy</button></div>\n",
      id, name, what, html_escape(text));
}

std::string summary(const ReportedCause& cause, std::size_t rank) {
  const Cause& evidence = cause.finding.cause;
  const std::string severity = severity_of(cause);
  const std::string& what = cause.finding.explanation;
  std::string size = counted(static_cast<std::size_t>(std::max(cause.finding.bindings, 0)), "binding");
  if (cause.cases)
    size += ", " + counted(static_cast<std::size_t>(std::max<std::int64_t>(*cause.cases, 0)), "case");
  return fmt::format(
      "<summary><span class=\"rank\">{}</span><span class=\"badge {}\">{}</span><span class=\"name "
      "searched\">{}</span>"
      "<span class=\"size\">{}</span><span class=\"what searched\">{}</span></summary>\n",
      rank, severity, severity, html_escape(joined(evidence.passes)), size,
      html_escape(what.empty() ? describe(evidence) : what));
}

std::string section(const ReportedCause& cause, std::size_t rank) {
  const std::string id = id_of(cause);
  const nlohmann::json passes = cause.finding.cause.passes;
  std::string html = fmt::format(
      "<details class=\"cause\" id=\"{}\" data-severity=\"{}\" data-passes=\"{}\">\n", id, severity_of(cause),
      html_escape(passes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  html += summary(cause, rank) + "<div class=\"body\">\n" + facts(cause);
  if (!cause.detail.empty())
    html +=
        "<h3>What goes wrong</h3>\n<pre class=\"detail searched\">" + html_detail(cause.detail) + "</pre>\n";
  html += pipeline(cause) + modules(cause);
  html += "<h3>To reproduce and to report</h3>\n" +
          file(id, "repro.py", "exits 1 while the bug is there", cause.repro) +
          file(id, "issue.md", "text for an upstream issue", cause.issue);
  return html + "</div>\n</details>\n";
}

std::string body(const ReportContent& content) {
  std::string html = "<main>\n" + header(content) + campaign(content) + "<h2>Causes, by rank</h2>\n" +
                     filters(content) + "<div id=\"causes\">\n";
  for (std::size_t i = 0; i < content.causes.size(); ++i) html += section(content.causes[i], i + 1);
  return html + fmt::format("</div>\n<p id=\"none\" hidden>{}</p>\n</main>\n",
                            content.causes.empty() ? "Nothing was found that is not known." : "No cause fits these filters.");
}

// A text that only this page's own style and script carry: whatever smuggled itself into the content cannot know it.
std::string nonce_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string html_report(const ReportContent& content) {
  const std::string main = body(content);
  const std::string nonce = nonce_of(main);
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
             "'nonce-{0}'; script-src 'nonce-{0}'; "
             "base-uri 'none'; form-action 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{1} - "
             "passdiff</title>\n"
             "<style nonce=\"{0}\">{2}</style>\n</head>\n<body>\n",
             nonce, html_escape(title_of(content)), page_style()) +
         main + fmt::format("<script nonce=\"{}\">{}</script>\n</body>\n</html>\n", nonce, page_script());
}

}  // namespace passdiff
