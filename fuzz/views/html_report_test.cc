#include "fuzz/views/html_report.h"
#include "fuzz/views/test_text.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// What the page holds between a tag's name and its end, without the values of attributes: " class data-n". Values stand in double
// quotes, as the page writes them all.
std::string names_in(std::string_view inside) {
  std::string names;
  bool quoted = false;
  for (const char c : inside) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c != '"') names += c;
  }
  return names;
}

// Every kind of tag of the page, with the names of its attributes. Style and script are left out: they are constants.
std::set<std::string> tags_of(const std::string& page) {
  std::set<std::string> tags;
  std::size_t at = page.find("</style>");
  const std::size_t end = page.rfind("<script nonce=");
  for (at = page.find('<', at + 1); at < end; at = page.find('<', at + 1)) {
    std::size_t close = at;
    for (bool quoted = false; close < page.size() && (quoted || page[close] != '>'); ++close)
      quoted = quoted != (page[close] == '"');
    tags.insert(names_in(std::string_view(page).substr(at, close - at)));
    at = close;
  }
  return tags;
}

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / fmt::format("passdiff-html-report-{}", ::getpid());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }

  // A folder of one finding, in which `text` stands wherever a compiler, a module or a program may have its say.
  void write_finding(const std::string& folder, const std::string& symptom, const std::string& text) {
    const json verdict = {{"subject", "tvm"},
                          {"version", "0.27" + text},
                          {"check", "well-formed"},
                          {"site", "form.undefined-var" + text},
                          {"detail", text + ": 0.5 against 0.25 (float32)"},
                          {"explanation", "the target is ill-formed: " + text},
                          {"bindings", 2},
                          {"pass", "FuseOps" + text},
                          {"passes", json::array({json::array({"Normalize", json::object()}),
                                                  json::array({"FuseOps" + text, {{"level", text}}})})},
                          {"evidence",
                           {{"kind", "ill-formed"},
                            {"symptom", symptom},
                            {"passes", json::array({"FuseOps" + text})},
                            {"site", text},
                            {"edit", json::array({"+" + text})},
                            {"features", json::array({text})}}}};
    write(folder + "/verdict.json", verdict.dump());
    write(folder + "/case.json", json{{"origin", "seed 7" + text}}.dump());
    write(folder + "/source.py", "lv = R.add(x, y)\n" + text + "\n");
    write(folder + "/target.py", "lv = R.add(y, y)\n# " + text + "\n\"" + text + "\"\n");
    write(folder + "/repro.py", "import tvm  # " + text + "\n");
    write(folder + "/issue.md", "# " + text + "\n```python\n```\n");
  }

  std::string page() {
    const Result<ReportContent> content = read_report(root_);
    EXPECT_TRUE(content) << content.error().message;
    return content ? html_report(*content) : "";
  }

  fs::path root_;
};

TEST_F(HtmlReport, FailsWhereThereIsNothingToReport) {
  const auto missing = read_report(root_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "usage.path");
  EXPECT_TRUE(holds(missing.error().message, "none: no such folder"));
  const auto empty = read_report(root_);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, "usage.path");
  EXPECT_TRUE(holds(empty.error().message, "no findings there"));
}

TEST_F(HtmlReport, HasASectionForEachCauseByRank) {
  write_finding("b", "ill-formed", "x");
  write_finding("c", "mismatch", "y");
  write_finding("a", "not-idempotent", "z");
  const std::string html = page();
  EXPECT_EQ(occurrences(html, "<details class=\"cause\""), 3U);
  const std::size_t worst = html.find("id=\"cause-c\" data-severity=\"wrong-result\"");
  const std::size_t middle = html.find("id=\"cause-b\" data-severity=\"ill-formed\"");
  const std::size_t least = html.find("id=\"cause-a\" data-severity=\"broken-promise\"");
  EXPECT_LT(worst, middle);
  EXPECT_LT(middle, least);
  EXPECT_NE(least, std::string::npos);
  EXPECT_TRUE(holds(html, "<h1>3 causes in tvm 0.27x, tvm 0.27y, tvm 0.27z</h1>")) << html.substr(0, 400);
  EXPECT_TRUE(holds(html, "checked>ill-formed 1</label>"));
}

TEST_F(HtmlReport, TellsWhatTheFolderOfAFindingTells) {
  write_finding("a", "ill-formed", "-7");
  const std::string html = page();
  EXPECT_TRUE(holds(html, "<li><code>Normalize</code></li>"));
  EXPECT_TRUE(holds(html,
                    "<li class=\"culprit\"><code>FuseOps-7 <span "
                    "class=\"options\">{&quot;level&quot;:&quot;-7&quot;}</span></code> <b>to blame</b>"));
  EXPECT_TRUE(holds(html, "<dt>Evidence</dt><dd>-7; changes +-7; needs -7</dd>"));
  EXPECT_TRUE(
      holds(html, "<span class=\"want\">0.<b></b>5</span> against <span class=\"got\">0.<b>2</b>5</span>"));
  EXPECT_TRUE(holds(html, "(<mark>x</mark>, y)"));
  EXPECT_TRUE(holds(html, "<pre><code id=\"cause-a-repro.py\">import tvm  # -7\n</code></pre>"));
  EXPECT_TRUE(holds(html, "data-of=\"cause-a-issue.md\""));
  EXPECT_TRUE(holds(html, "<dd>seed 7-7</dd>"));
}

TEST_F(HtmlReport, CountsWhatItDoesNotShow) {
  write_finding("a", "ill-formed", "x");
  write("unconfirmed/one/case.json", "{}");
  write("unconfirmed/two/case.json", "{}");
  write("waiting/three/case.json", "{}");
  write("campaign.json", R"({"known": [{}, {}, {}]})");
  const std::string html = page();
  EXPECT_EQ(occurrences(html, "<details class=\"cause\""), 1U);
  EXPECT_TRUE(holds(html,
                    "Counted, not shown: 2 cases that the compiler&#39;s own machine does "
                    "not confirm, 1 case waiting for "
                    "reduction."))
      << html;
  EXPECT_TRUE(holds(html, "Known causes that it met (3)"));
}

// The first campaign of a new user may meet known bugs alone.
TEST_F(HtmlReport, ListsWhatIsKnownThoughNothingIsNew) {
  write("campaign.json", R"({"cases": 7, "known": [{"folder": "/c/known/fuse-<b>", "severity": "crash", "symptom": "timeout", "passes": ["A", "B"], "count": 1200}]})");
  const std::string html = page();
  EXPECT_TRUE(holds(html, "<h1>No new cause</h1>"));
  EXPECT_TRUE(holds(html, "<tr><td>fuse-&lt;b&gt;</td><td>crash</td><td>timeout</td><td>A, B</td><td>1,200</td></tr>")) << html;
  EXPECT_TRUE(holds(html, "<details class=\"fold\" open><summary>Known causes"));
  EXPECT_TRUE(holds(html, "Nothing was found that is not known."));
}

TEST_F(HtmlReport, SaysWhatAKnownCauseIsWhereItsCaseIsOnThisMachine) {
  write("known/fuse/README.md", "Fuses <all>.\nNo public report found.\n");
  write("campaign.json", json{{"known", {{{"folder", (root_ / "known" / "fuse").string()}}}}}.dump());
  EXPECT_TRUE(holds(page(), "<tr><td>fuse<p>Fuses &lt;all&gt;.</p></td>"));
}

TEST_F(HtmlReport, ShowsTheCampaignIfThereIsOne) {
  write_finding("a", "ill-formed", "");
  EXPECT_FALSE(holds(page(), "The campaign"));
  write("campaign.json",
        R"({"cases": 1200, "checks": 64000, "seconds": 60, "jobs": 2, "seconds_in_passes": 66, "checks_by_pass": {"A": 1, "FuseOps": 20},
          "changed_by_pass": {"FuseOps": 7}, "rejected": {"A": 1}, "undecided_by_pass": {"FuseOps": 2}, "seconds_by_pass": {"FuseOps": 1.25}})");
  const std::string html = page();
  EXPECT_TRUE(holds(html, "<b>1,200</b><span>cases</span>"));
  EXPECT_TRUE(holds(html, "<b>1,067</b><span>checks per second</span>"));
  EXPECT_TRUE(holds(html, "<b>55%</b><span>of the jobs' time in passes</span>"));
  EXPECT_TRUE(
      holds(html, "<tr><td>FuseOps</td><td>20</td><td>7</td><td>0</td><td>2</td><td>1.2</td><td>1</td></tr>\n"
                  "<tr><td>A</td><td>1</td><td>0</td><td>1</td><td>0</td><td>0.0</td><td></td></tr>"));
  EXPECT_FALSE(holds(html, "<svg"));
}

TEST_F(HtmlReport, LeavesOutWhatTheCampaignLacks) {
  write_finding("a", "ill-formed", "");
  write("campaign.json",
        R"({"cases": "many", "checks": 5, "seconds": 0, "seconds_in_passes": 3, "checks_by_pass": [1], "known": 3, "findings": {"a": 1}})");
  const std::string html = page();
  EXPECT_TRUE(holds(html, "<b>5</b><span>checks</span>"));
  EXPECT_FALSE(holds(html, "checks per second"));
  EXPECT_FALSE(holds(html, "in passes"));
  EXPECT_FALSE(holds(html, "<span>cases</span>"));
  EXPECT_FALSE(holds(html, "Counted, not shown"));
}

TEST_F(HtmlReport, PlotsEventsAndAddsCampaignsOfOneFolder) {
  write_finding("a", "ill-formed", "");
  write("events.jsonl",
        "{\"seconds\": 1, \"checks\": 10, \"causes\": 1}\n{\"seconds\": 20, \"checks\": 100, \"causes\": "
        "2, \"known\": 7}\nnonsense\n"
        "{\"seconds\": 5, \"checks\": 50, \"findings\": 3, \"known\": 4}\n{\"seconds\": 10, \"che");
  const auto content = read_report(root_);
  ASSERT_TRUE(content);
  ASSERT_EQ(content->checks_over_time.size(), 4U);
  EXPECT_EQ(content->checks_over_time[0].seconds, 0);
  EXPECT_EQ(content->checks_over_time[3].seconds, 25);
  EXPECT_EQ(content->checks_over_time[3].value, 150);
  EXPECT_EQ(content->causes_over_time[3].value, 3);  // it goes on counting
  EXPECT_EQ(content->met_over_time[2].value, 9);
  EXPECT_EQ(content->met_over_time[3].value, 10) << "the known ones of two campaigns are the same";
  EXPECT_EQ(occurrences(html_report(*content), "<svg"), 2U);
}

TEST_F(HtmlReport, PlotsFeaturesOfRoundsAndPassesOverReductions) {
  write_finding("a", "ill-formed", "");
  write("events.jsonl",
        "{\"seconds\": 1, \"checks\": 10, \"findings\": 0, \"features\": 7}\n"
        "{\"seconds\": 2, \"reduced\": \"a key\", \"took\": 0.5, \"became\": \"met\"}\n"
        "{\"seconds\": 3, \"checks\": 30, \"findings\": 1, \"features\": 9}\n"
        "{\"seconds\": 2, \"checks\": 5, \"findings\": 0, \"features\": 10}\n");
  const auto content = read_report(root_);
  ASSERT_TRUE(content);
  EXPECT_EQ(content->checks_over_time.size(), 4U);
  ASSERT_EQ(content->features_over_time.size(), 4U);
  EXPECT_EQ(content->features_over_time[3].seconds, 5);
  EXPECT_EQ(content->features_over_time[3].value, 10);
  EXPECT_EQ(occurrences(html_report(*content), "<svg"), 3U);
}

TEST_F(HtmlReport, LoadsNothing) {
  write_finding("a", "ill-formed", "");
  write("events.jsonl", "{\"seconds\": 1, \"checks\": 1}\n{\"seconds\": 2, \"checks\": 2}\n");
  const std::string html = page();
  for (const char* reference : {"http:", "https:", "src=", "href=", "url(", "@import", "xlink", "<link",
                                "<base", "<iframe", "fetch("})
    EXPECT_FALSE(holds(html, reference)) << reference;
  EXPECT_TRUE(holds(html, "content=\"default-src 'none';"));
}

TEST_F(HtmlReport, HostileTextIsInert) {
  const std::string hostile =
      "</pre></code></td></script></style><script>alert(1)</script><img src=x onerror=alert(2)>\" "
      "onclick=\"alert(3)\" ' x='<!-- {{}} &lt;b&gt; \x01\xFF";
  write_finding("harmless", "ill-formed", "x");
  write("campaign.json", R"({"checks_by_pass": {"A": 1}, "findings": [{"cause": "x", "count": 1}]})");
  const std::set<std::string> harmless = tags_of(page());
  fs::remove_all(root_ / "harmless");
  // JSON files hold no bytes that are no text.
  write_finding("a", "ill-formed", hostile.substr(0, hostile.size() - 1));
  write("a/source.py", "lv = R.add(x, y)\n" + hostile);
  write("a/repro.py", hostile);
  write("campaign.json", json{{"checks_by_pass", {{hostile.substr(0, hostile.size() - 1), 1}}}}.dump());
  const std::string html = page();
  for (const std::string& tag : tags_of(html)) EXPECT_TRUE(harmless.contains(tag)) << tag;
  EXPECT_EQ(occurrences(html, "<script"), 1U);
  EXPECT_EQ(occurrences(html, "</script"), 1U);
  EXPECT_EQ(occurrences(html, "<style"), 1U);
  EXPECT_EQ(occurrences(html, "<!--"), 0U);
  EXPECT_GT(occurrences(html, "&lt;script&gt;alert(1)"), 10U);
}

TEST_F(HtmlReport, TellsFindingsWithoutOptionalFiles) {
  write_finding("a", "crash", "x");
  for (const char* file : {"target.py", "repro.py", "issue.md", "case.json"}) fs::remove(root_ / "a" / file);
  write("a/case.json", "not json");
  const std::string html = page();
  EXPECT_TRUE(holds(html, "there is no target"));
  EXPECT_FALSE(holds(html, "repro.py</code>"));
}

}  // namespace
}  // namespace passdiff
