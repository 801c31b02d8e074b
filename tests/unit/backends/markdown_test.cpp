#include "backends/markdown.h"

#include <algorithm>

#include <catch2/catch.hpp>

using gpulint::markdown_for_terminal;
using gpulint::markdown_section;
using gpulint::markdown_to_html;
using gpulint::plain_inline;
using gpulint::Presentation;

TEST_CASE("inline marks become text; lone marks stay") {
  CHECK(plain_inline("a **b** *c* `d * e` [f](https://g)") == "a b c `d * e` f (https://g)");
  CHECK(plain_inline("2 * 3 * 4, `open, [not a link, a_b_c") ==
        "2 * 3 * 4, `open, [not a link, a_b_c");
  CHECK(plain_inline("`**`") == "`**`");
}

TEST_CASE("a section is the paragraphs under its heading") {
  const std::string text =
      "Summary.\n\n## Why it matters\n\nOne\ntwo.\n\n- item\n\nThree.\n\n## Bad\n\nx\n";
  CHECK(markdown_section(text, "Why it matters") == "One two. Three.");
  CHECK(markdown_section(text, "Missing").empty());
}

TEST_CASE("a terminal gets wrapped text, indented code, lists and aligned tables") {
  const std::string text =
      "A summary that is longer than the thirty columns of this terminal.\n\n## Head `code`\n\n"
      "- an item that is also longer than it\n  1. inner\n\n```yaml\na: **b**\n\n\tc\x1b\n```\n\n"
      "| name | default |\n|---|---|\n| `long-name` | a \\| b |\n";
  CHECK(markdown_for_terminal(text, Presentation{.width = 30}) ==
        "A summary that is longer than\nthe thirty columns of this\nterminal.\n\n"
        "Head `code`\n\n"
        "  - an item that is also\n    longer than it\n    1. inner\n\n"
        "    a: **b**\n\n        c\\x1b\n\n"
        "  name         default\n  `long-name`  a | b\n");
}

TEST_CASE("colour goes around words and never into the width") {
  const Presentation colored{.color = true, .width = 30};
  CHECK(markdown_for_terminal("**one** `two`, three four five seven\n", colored) ==
        "\x1b[1mone\x1b[0m \x1b[36m`two`\x1b[0m, three four five\nseven\n");
}

TEST_CASE("HTML is escaped, links lead to the web only") {
  CHECK(
      markdown_to_html("# <a>\n\n`<b>` **&** [x](https://y/?a=\"b\") [z](javascript:alert(1))\n") ==
      "<h2>&lt;a&gt;</h2>\n<p><code>&lt;b&gt;</code> <strong>&amp;</strong> "
      "<a href=\"https://y/?a=&quot;b&quot;\" rel=\"noopener noreferrer\">x</a> "
      "z (javascript:alert(1))</p>\n");
  CHECK(markdown_to_html("- a\n- b\n\n1. c\n\n| h |\n|--|\n| <i> |\n\n```\n<s>\n```\n") ==
        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n"
        "<table>\n<tr><th scope=\"col\">h</th></tr>\n<tr><td>&lt;i&gt;</td></tr>\n</table>\n"
        "<pre>&lt;s&gt;\n</pre>\n");
}

TEST_CASE("text that ends in the middle of a mark ends well") {
  for (const std::string_view text :
       {"```", "```\na", "|", "| a", "- ", "#", "[", "[a](", "`", "**", "1. "}) {
    CAPTURE(text);
    const std::string terminal = markdown_for_terminal(text, {});
    CHECK((terminal.empty() || terminal.ends_with('\n')));
    const std::string html = markdown_to_html(text);
    CHECK(std::ranges::count(html, '<') == std::ranges::count(html, '>'));
  }
}
