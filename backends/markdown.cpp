#include "backends/markdown.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/unicode.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// The part of Markdown that rule.md files use, as blocks.
struct Block {
  enum class Kind : std::uint8_t { heading, paragraph, item, code, row };
  Kind kind = Kind::paragraph;
  std::size_t level = 0;                ///< Of a heading, 1 to 6; nesting of an item, from 0.
  std::string marker = {};              ///< Of an item: `-`, or a number with its period.
  std::string text = {};                ///< Inline Markdown; the lines of a code block as they are.
  std::vector<std::string> cells = {};  ///< Of a table row; the first row of a table is its head.
};

/// A stretch of a line: text without its markup.
struct Inline {
  enum class Kind : std::uint8_t { text, code, strong, emphasis, link };
  Kind kind = Kind::text;
  std::string text;
  std::string target;  ///< Of a link.
};

[[nodiscard]] std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

[[nodiscard]] std::size_t count_leading(std::string_view line, char c) {
  return std::min(line.find_first_not_of(c), line.size());
}

/// The fence that opens a code block: at least three backticks or tildes; empty if there is none.
[[nodiscard]] std::string_view fence_of(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {};
  const std::size_t size = count_leading(text, text[0]);
  return size < 3 ? std::string_view() : text.substr(0, size);
}

/// `-`, `*`, `+` or `1.` before a blank; empty if the line is not a list item.
[[nodiscard]] std::string_view item_marker(std::string_view text) {
  if (text.size() < 2) return {};
  const bool bullet = std::string_view("-*+").find(text[0]) != std::string_view::npos;
  if (bullet) return text[1] == ' ' ? text.substr(0, 1) : std::string_view();
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool number = digits > 0 && digits < 10 && text.substr(digits).starts_with(". ");
  return number ? text.substr(0, digits + 1) : std::string_view();
}

[[nodiscard]] std::vector<std::string> split_cells(std::string_view line) {
  line = trim(line);
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string> cells(1);
  bool in_code = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && line.substr(i + 1).starts_with('|')) continue;
    if (line[i] == '`') in_code = !in_code;
    const bool escaped = i > 0 && line[i - 1] == '\\';
    if (line[i] == '|' && !escaped && !in_code) {
      cells.emplace_back();
    } else {
      cells.back().push_back(line[i]);
    }
  }
  for (std::string& cell : cells) cell = trim(cell);
  return cells;
}

[[nodiscard]] bool is_table_rule(std::string_view line) {
  return line.find("--") != std::string_view::npos &&
         line.find_first_not_of("|-: \t") == std::string_view::npos;
}

/// Reads line by line; later lines may join the last block.
class BlockReader {
 public:
  [[nodiscard]] std::vector<Block> read(std::string_view rest) && {
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (const std::string_view fence = fence_of(line); !fence.empty()) {
        read_code(fence, rest);
      } else {
        read_line(line);
      }
    }
    return std::move(blocks_);
  }

 private:
  void read_code(std::string_view fence, std::string_view& rest) {
    Block& block = add({.kind = Block::Kind::code});
    open_ = false;
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (fence_of(line).starts_with(fence)) return;
      block.text.append(line).push_back('\n');
    }
  }

  void read_line(std::string_view line) {
    const std::string_view text = trim(line);
    const std::size_t indent = count_leading(line, ' ');
    const std::size_t hashes = count_leading(text, '#');
    if (text.empty()) {
      open_ = false;
    } else if (hashes > 0 && hashes <= 6 && text.substr(hashes).starts_with(' ')) {
      add({.kind = Block::Kind::heading,
           .level = hashes,
           .text = std::string(trim(text.substr(hashes)))});
      open_ = false;
    } else if (text.starts_with('|')) {
      if (!is_table_rule(text)) add({.kind = Block::Kind::row, .cells = split_cells(text)});
      open_ = false;
    } else if (const std::string_view marker = item_marker(text); !marker.empty()) {
      add({.kind = Block::Kind::item,
           .level = indent / 2,
           .marker = std::string(marker.size() == 1 ? "-" : marker),
           .text = std::string(trim(text.substr(marker.size())))});
    } else if (open_) {
      blocks_.back().text.append(" ").append(text);
    } else {
      add({.kind = Block::Kind::paragraph, .text = std::string(text)});
    }
  }

  Block& add(Block block) {
    open_ = true;
    return blocks_.emplace_back(std::move(block));
  }

  std::vector<Block> blocks_;
  bool open_ = false;
};

/// Splits a document into blocks. Never fails: anything unknown is a paragraph.
[[nodiscard]] std::vector<Block> parse_markdown(std::string_view text) {
  return BlockReader().read(text);
}

/// The text between two marks at the start of `rest`; empty if the second is missing.
[[nodiscard]] std::string_view enclosed(std::string_view rest, std::string_view mark) {
  if (!rest.starts_with(mark)) return {};
  const std::size_t end = rest.find(mark, mark.size());
  if (end == std::string_view::npos) return {};
  const std::string_view inner = rest.substr(mark.size(), end - mark.size());
  const bool tight = !inner.empty() && inner.front() != ' ' && inner.back() != ' ';
  return tight || mark == "`" ? inner : std::string_view();
}

struct Found {
  Inline element;
  std::size_t size = 0;  ///< Bytes of source; 0 if nothing starts here.
};

[[nodiscard]] Found find_link(std::string_view rest) {
  const std::size_t middle = rest.find("](");
  if (!rest.starts_with('[') || middle == std::string_view::npos) return {};
  const std::size_t end = rest.find(')', middle);
  if (end == std::string_view::npos) return {};
  return {{Inline::Kind::link, std::string(rest.substr(1, middle - 1)),
           std::string(rest.substr(middle + 2, end - middle - 2))},
          end + 1};
}

[[nodiscard]] Found find_element(std::string_view rest) {
  struct Mark {
    std::string_view text;
    Inline::Kind kind;
  };
  static constexpr Mark marks[] = {
      {"`", Inline::Kind::code}, {"**", Inline::Kind::strong}, {"*", Inline::Kind::emphasis}};
  for (const Mark& mark : marks) {
    const std::string_view inner = enclosed(rest, mark.text);
    if (!inner.empty()) {
      return {{mark.kind, std::string(inner), ""}, inner.size() + 2 * mark.text.size()};
    }
  }
  return find_link(rest);
}

/// Splits a line; marks without a partner are text.
[[nodiscard]] std::vector<Inline> parse_inline(std::string_view text) {
  std::vector<Inline> elements;
  const auto append_text = [&](std::string_view more) {
    const bool joins = !elements.empty() && elements.back().kind == Inline::Kind::text;
    if (!joins) elements.push_back({});
    elements.back().text += more;
  };
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("`*["), text.size());
    if (plain > 0) append_text(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    Found found = find_element(text);
    if (found.size == 0) {
      append_text(text.substr(0, 1));
      text.remove_prefix(1);
    } else {
      elements.push_back(std::move(found.element));
      text.remove_prefix(found.size);
    }
  }
  return elements;
}

constexpr std::size_t usual_width = 80;

constexpr std::size_t widest = 100;

constexpr std::size_t narrowest = 30;

/// A word as printed, including colours, and its width in cells.
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

/// Words of inline Markdown; pieces without a blank between them are one word.
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

/// Only web addresses become links; anything else stays text.
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

std::string plain_inline(std::string_view text) {
  std::string plain;
  for (const Inline& element : parse_inline(text)) {
    switch (element.kind) {
      case Inline::Kind::code:
        plain += fmt::format("`{}`", element.text);
        break;
      case Inline::Kind::link:
        plain += fmt::format("{} ({})", element.text, element.target);
        break;
      case Inline::Kind::text:
      case Inline::Kind::strong:
      case Inline::Kind::emphasis:
        plain += element.text;
        break;
    }
  }
  return plain;
}

std::string markdown_section(std::string_view text, std::string_view heading) {
  std::string section;
  bool inside = false;
  for (const Block& block : parse_markdown(text)) {
    if (block.kind == Block::Kind::heading) inside = block.text == heading;
    if (!inside || block.kind != Block::Kind::paragraph) continue;
    if (!section.empty()) section += ' ';
    section += plain_inline(block.text);
  }
  return section;
}

std::string without_test_flags(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const std::size_t blank = line.find(' ');
    const bool has_flags = line.starts_with("```") && blank != std::string_view::npos;
    result += has_flags ? std::string(line.substr(0, blank)) + "\n" : std::string(line);
  }
  return result;
}

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
