#include "backends/markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

using Block = MarkdownBlock;
using Inline = MarkdownInline;

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

/// The fence that opens a code block: at least three backticks or tildes; empty where none does.
[[nodiscard]] std::string_view fence_of(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {};
  const std::size_t size = count_leading(text, text[0]);
  return size < 3 ? std::string_view() : text.substr(0, size);
}

/// `-`, `*`, `+` or `1.` before a blank; empty where the line is no list item.
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

/// Reads line by line; the last block is open while lines may still join it.
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

/// What stands between two marks at the start of `rest`; empty where the second is missing.
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
  std::size_t size = 0;  ///< Bytes of source; 0 where nothing starts here.
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

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  return BlockReader().read(text);
}

std::vector<MarkdownInline> parse_inline(std::string_view text) {
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

}  // namespace gpulint
