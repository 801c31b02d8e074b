#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/markdown.h"
#include "backends/markup.h"

namespace gpulint {
namespace {

using Block = MarkdownBlock;
using Inline = MarkdownInline;

/// Only addresses of the web become links; anything else stays readable text.
[[nodiscard]] std::string link_html(const Inline& element) {
  const std::string text = escape_markup(element.text);
  const std::string target = escape_markup(element.target);
  const bool is_web =
      element.target.starts_with("https://") || element.target.starts_with("http://");
  if (!is_web) return fmt::format("{} ({})", text, target);
  return fmt::format("<a href=\"{}\" rel=\"noopener noreferrer\">{}</a>", target, text);
}

[[nodiscard]] std::string inline_html(std::string_view text) {
  std::string html;
  for (const Inline& element : parse_inline(text)) {
    switch (element.kind) {
      case Inline::Kind::text:
        html += escape_element(element.text);
        break;
      case Inline::Kind::code:
        html += fmt::format("<code>{}</code>", escape_element(element.text));
        break;
      case Inline::Kind::strong:
        html += fmt::format("<strong>{}</strong>", escape_element(element.text));
        break;
      case Inline::Kind::emphasis:
        html += fmt::format("<em>{}</em>", escape_element(element.text));
        break;
      case Inline::Kind::link:
        html += link_html(element);
        break;
    }
  }
  return html;
}

/// Whether a block opens its table or list.
enum class Place : std::uint8_t { first, later };

[[nodiscard]] std::string row_html(const Block& row, Place place) {
  std::string html = "<tr>";
  for (const std::string& cell : row.cells) {
    html += place == Place::first ? fmt::format("<th scope=\"col\">{}</th>", inline_html(cell))
                                  : fmt::format("<td>{}</td>", inline_html(cell));
  }
  return html + "</tr>\n";
}

[[nodiscard]] std::string block_html(const Block& block, Place place) {
  switch (block.kind) {
    case Block::Kind::heading: {
      const std::size_t level = std::min<std::size_t>(block.level + 1, 6);
      return fmt::format("<h{0}>{1}</h{0}>\n", level, inline_html(block.text));
    }
    case Block::Kind::paragraph:
      return fmt::format("<p>{}</p>\n", inline_html(block.text));
    case Block::Kind::item:
      return fmt::format("<li>{}</li>\n", inline_html(block.text));
    case Block::Kind::code:
      return fmt::format("<pre>{}</pre>\n", escape_element(block.text));
    case Block::Kind::row:
      return row_html(block, place);
  }
  return {};
}

/// What goes around consecutive blocks of one kind.
struct Frame {
  std::string_view open;
  std::string_view close;
};

[[nodiscard]] Frame frame_of(const Block& block) {
  if (block.kind == Block::Kind::row) return {"<table>\n", "</table>\n"};
  if (block.kind != Block::Kind::item) return {"", ""};
  return block.marker == "-" ? Frame{"<ul>\n", "</ul>\n"} : Frame{"<ol>\n", "</ol>\n"};
}

}  // namespace

std::string markdown_to_html(std::string_view text) {
  const std::vector<Block> blocks = parse_markdown(text);
  std::string html;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Frame frame = frame_of(blocks[i]);
    const bool is_first = i == 0 || frame_of(blocks[i - 1]).open != frame.open;
    const bool is_last = i + 1 == blocks.size() || frame_of(blocks[i + 1]).open != frame.open;
    if (is_first) html += frame.open;
    html += block_html(blocks[i], is_first ? Place::first : Place::later);
    if (is_last) html += frame.close;
  }
  return html;
}

}  // namespace gpulint
