#include <algorithm>

#include <fmt/format.h>

#include "backends/ink.h"
#include "backends/markdown.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

using Block = MarkdownBlock;
using Inline = MarkdownInline;

constexpr std::size_t usual_width = 80;
constexpr std::size_t widest = 100;
constexpr std::size_t narrowest = 30;

/// A word as it is printed, colours included, and the cells it takes.
struct Word {
  std::string text;
  std::size_t width = 0;
};

[[nodiscard]] std::string paint_inline(Inline::Kind kind, std::string_view text,
                                       const Presentation& presentation) {
  switch (kind) {
    case Inline::Kind::code:
      return paint(Ink::code, text, presentation);
    case Inline::Kind::strong:
      return paint(Ink::strong, text, presentation);
    case Inline::Kind::link:
      return paint(Ink::related, text, presentation);
    case Inline::Kind::text:
    case Inline::Kind::emphasis:
      return std::string(text);
  }
  return std::string(text);
}

[[nodiscard]] std::string visible_text(const Inline& element) {
  switch (element.kind) {
    case Inline::Kind::code:
      return printable(fmt::format("`{}`", element.text));
    case Inline::Kind::link:
      return printable(fmt::format("{} ({})", element.text, element.target));
    case Inline::Kind::text:
    case Inline::Kind::strong:
    case Inline::Kind::emphasis:
      return printable(element.text);
  }
  return {};
}

/// Words of inline Markdown; what touches without a blank between is one word.
[[nodiscard]] std::vector<Word> split_words(std::string_view text,
                                            const Presentation& presentation) {
  std::vector<Word> words;
  bool joins = false;
  for (const Inline& element : parse_inline(text)) {
    const std::string visible = visible_text(element);
    for (std::size_t at = 0; at < visible.size();) {
      if (visible[at] == ' ') {
        joins = false;
        ++at;
        continue;
      }
      const std::string word = visible.substr(at, visible.find(' ', at) - at);
      if (!joins) words.emplace_back();
      words.back().text += paint_inline(element.kind, word, presentation);
      words.back().width += cell_width(word);
      joins = true;
      at += word.size();
    }
  }
  return words;
}

/// Text wrapped to a width; lines after the first are indented by `hang`.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t hang, std::size_t width,
                               const Presentation& presentation) {
  std::string result;
  std::size_t column = hang;
  bool fresh = true;
  for (const Word& word : split_words(text, presentation)) {
    if (!fresh && column + 1 + word.width > width) {
      result += "\n" + std::string(hang, ' ');
      column = hang;
      fresh = true;
    }
    if (!fresh) result += ' ';
    result += word.text;
    column += word.width + (fresh ? 0 : 1);
    fresh = false;
  }
  return result + "\n";
}

[[nodiscard]] std::string draw_code(const std::string& lines, const Presentation& presentation) {
  std::string result;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    const std::string line = printable(lines.substr(at, end - at));
    result += line.empty() ? "\n" : "    " + paint(Ink::code, line, presentation) + "\n";
    at = end + 1;
  }
  return result;
}

/// The rows of one table in columns as wide as their widest cell; the last is not padded.
[[nodiscard]] std::string draw_table(const std::vector<Block>& blocks, std::size_t first,
                                     std::size_t last, const Presentation& presentation) {
  std::vector<std::size_t> widths;
  for (std::size_t i = first; i < last; ++i) {
    widths.resize(std::max(widths.size(), blocks[i].cells.size()));
    for (std::size_t c = 0; c < blocks[i].cells.size(); ++c) {
      widths[c] = std::max(widths[c], cell_width(printable(plain_inline(blocks[i].cells[c]))));
    }
  }
  std::string table;
  for (std::size_t i = first; i < last; ++i) {
    table += ' ';
    for (std::size_t c = 0; c < blocks[i].cells.size(); ++c) {
      const std::string cell = printable(plain_inline(blocks[i].cells[c]));
      table += " " + (i == first ? paint(Ink::strong, cell, presentation) : cell);
      const bool is_last = c + 1 == blocks[i].cells.size();
      table += is_last ? "\n" : std::string(widths[c] - cell_width(cell) + 1, ' ');
    }
  }
  return table;
}

[[nodiscard]] std::string draw_block(const Block& block, std::size_t width,
                                     const Presentation& presentation) {
  switch (block.kind) {
    case Block::Kind::heading:
      return paint(Ink::strong, printable(plain_inline(block.text)), presentation) + "\n";
    case Block::Kind::paragraph:
      return wrap(block.text, 0, width, presentation);
    case Block::Kind::item: {
      const std::size_t indent = 2 + 2 * std::min<std::size_t>(block.level, 4);
      const std::string lead = std::string(indent, ' ') + block.marker + " ";
      return lead + wrap(block.text, lead.size(), width, presentation);
    }
    case Block::Kind::code:
      return draw_code(block.text, presentation);
    case Block::Kind::row:
      return {};
  }
  return {};
}

[[nodiscard]] bool needs_gap(const Block& before, const Block& after) {
  return before.kind != after.kind || before.kind == Block::Kind::paragraph ||
         before.kind == Block::Kind::code;
}

}  // namespace

std::string markdown_for_terminal(std::string_view text, const Presentation& presentation) {
  const std::size_t width =
      presentation.width == 0 ? usual_width : std::clamp(presentation.width, narrowest, widest);
  const std::vector<Block> blocks = parse_markdown(text);
  std::string result;
  for (std::size_t i = 0; i < blocks.size();) {
    if (i > 0 && needs_gap(blocks[i - 1], blocks[i])) result += '\n';
    std::size_t end = i + 1;
    if (blocks[i].kind == Block::Kind::row) {
      while (end < blocks.size() && blocks[end].kind == Block::Kind::row) ++end;
      result += draw_table(blocks, i, end, presentation);
    } else {
      result += draw_block(blocks[i], width, presentation);
    }
    i = end;
  }
  return result;
}

}  // namespace gpulint
