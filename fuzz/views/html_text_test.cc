#include "fuzz/views/html_text.h"
#include "fuzz/views/test_text.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(HtmlText, EscapesWhatHtmlReads) {
  EXPECT_EQ(html_escape("<a href='x' id=\"y\">&amp;</a>"),
            "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(html_escape("line\n\ttab"), "line\n\ttab");
}

TEST(HtmlText, ReplacesWhatIsNoTextAndWhatTurnsItAround) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(html_escape(std::string("a\0b\x1b[31m", 8)), "a" + mark + "b" + mark + "[31m");
  EXPECT_EQ(html_escape("\xFF\xC0\xAF\xED\xA0\x80|"), mark + mark + mark + mark + mark + mark + "|");
  EXPECT_EQ(html_escape("\xE2\x80\xAE"
                        "abc"),
            mark + "abc");  // U+202E, right-to-left override
  EXPECT_EQ(html_escape("\xC3\xA9 \xF0\x9F\x98\x80"), "\xC3\xA9 \xF0\x9F\x98\x80");
  EXPECT_EQ(html_escape("cut \xE2\x82"), "cut " + mark + mark);
}

TEST(HtmlText, ColoursTokensOfTvmScript) {
  const std::string html =
      html_listing("@R.function  # why\n    lv = R.nn.relu(x, axis=1, name=\"a # b\")\n    return lv\n");
  EXPECT_TRUE(holds(html, "<span class=\"td\">@R.function</span>  <span class=\"tc\"># why</span>")) << html;
  EXPECT_TRUE(holds(html, "lv = <span class=\"to\">R.nn.relu</span>(x, axis=<span class=\"tn\">1</span>"))
      << html;
  EXPECT_TRUE(holds(html, "<span class=\"ts\">&quot;a # b&quot;</span>")) << html;
  EXPECT_TRUE(holds(html, "<span class=\"tk\">return</span> lv")) << html;
  EXPECT_TRUE(holds(html, "data-n=\"3\"")) << html;
}

TEST(HtmlText, ModulesAreInert) {
  const std::string hostile = "</td><script>alert(1)</script> = \"<img src=x onerror=alert(1)>\" # <b>\n";
  for (const std::string& html : {html_listing(hostile), html_side_by_side(hostile, hostile + "x\n"),
                                  html_side_by_side(hostile, "y")}) {
    EXPECT_FALSE(holds(html, "<script")) << html;
    EXPECT_FALSE(holds(html, "<img")) << html;
    EXPECT_FALSE(holds(html, "<b>")) << html;
  }
}

TEST(HtmlText, PairsChangedLinesAndMarksWhatDiffers) {
  const std::string html =
      html_side_by_side("a\n  lv = R.matmul(w, x)\nz\n", "a\n  lv = R.matmul(x, x)\nnew\nz\n");
  EXPECT_TRUE(holds(html, "<span class=\"to\">R.matmul</span>(<mark>w</mark>, x)")) << html;
  EXPECT_TRUE(holds(html, "<span class=\"to\">R.matmul</span>(<mark>x</mark>, x)")) << html;
  EXPECT_TRUE(holds(html,
                    "<td class=\"n no\"></td><td class=\"l no\"></td><td class=\"n add\" "
                    "data-n=\"3\"></td><td class=\"l add\">new</td>"))
      << html;
  EXPECT_TRUE(holds(html,
                    "<tr class=\"same\"><td class=\"n same\" data-n=\"3\"></td><td class=\"l "
                    "same\">z</td><td class=\"n same\" data-n=\"4\"></td>"))
      << html;
}

TEST(HtmlText, DoesNotMarkLinesThatShareNothing) {
  EXPECT_FALSE(holds(html_side_by_side("lv = R.add(x, y)", "return nothing"), "<mark>"));
}

TEST(HtmlText, MarksTheValuesThatDiffer) {
  EXPECT_EQ(html_detail("result element 1: -2.61 against -2.609375 (float64)"),
            "result element 1: <span class=\"want\">-2.6<b>1</b></span> against <span "
            "class=\"got\">-2.6<b>09375</b></span> (float64)");
  EXPECT_EQ(html_detail("main: lv is declared A(1) and bound to A(2); more"),
            "main: lv is declared <span class=\"want\">A(<b>1</b>)</span> and bound to <span "
            "class=\"got\">A(<b>2</b>)</span>; more");
  EXPECT_EQ(html_detail("Check failed: a == b (1 vs. 0) : why"),
            "Check failed: a == b (<span class=\"want\"><b>1</b></span> vs. <span "
            "class=\"got\"><b>0</b></span>) : why");
  EXPECT_EQ(html_detail("nothing <to> compare"), "nothing &lt;to&gt; compare");
  EXPECT_EQ(html_detail(" against "), " against ");
  EXPECT_EQ(
      html_detail("x: \xC3\xA9 against \xC3\xA8"),
      "x: <span class=\"want\"><b>\xC3\xA9</b></span> against <span class=\"got\"><b>\xC3\xA8</b></span>");
}

}  // namespace
}  // namespace passdiff
