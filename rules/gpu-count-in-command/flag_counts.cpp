#include "rules/gpu-count-in-command/flag_counts.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gpulint::rules::gpu_count_in_command {
namespace {

struct Word {
  std::string text;
  Node node;
};

/// The words of `command` and `args`; a line that begins with `#` is a comment.
[[nodiscard]] std::vector<Word> words_of(Node container) {
  constexpr std::string_view separators = " \t\r\n\\\"';|&()";
  std::vector<Word> words;
  const auto add_line = [&](std::string_view line, Node node) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == line.npos || line[first] == '#') return;
    for (std::size_t at = line.find_first_not_of(separators); at != line.npos;) {
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      words.push_back({std::string(line.substr(at, end - at)), node});
      at = line.find_first_not_of(separators, end);
    }
  };
  for (const std::string_view key : {"command", "args"}) {
    for (const Node item : container.get(key).items()) {
      if (!item.is_scalar()) continue;
      std::string_view text = item.text();
      while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        add_line(text.substr(0, end), item);
        text.remove_prefix(std::min(end + 1, text.size()));
      }
    }
  }
  return words;
}

[[nodiscard]] std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && number > 0;
  return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<FlagCount> find_flag_counts(Node container) {
  const std::vector<Word> words = words_of(container);
  std::vector<FlagCount> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (!word.starts_with('-')) continue;
    const std::size_t equals = word.find('=');
    if (equals != word.npos) {
      const auto count = parse_count(word.substr(equals + 1));
      if (count) found.push_back({std::string(word.substr(0, equals)), *count, words[i].node});
    } else if (i + 1 < words.size()) {
      const auto count = parse_count(words[i + 1].text);
      if (count) found.push_back({std::string(word), *count, words[i + 1].node});
    }
  }
  return found;
}

Span place_of(const SourceSet& sources, const FlagCount& given) {
  const Span all = given.node.span();
  const std::string_view text = sources.text(all);
  if (text.find('\n') == text.npos) return all;
  const std::string count = std::to_string(given.count);
  constexpr std::string_view blanks = " \t\r\n\\\"'=";
  for (std::size_t at = text.find(given.flag); at != text.npos;
       at = text.find(given.flag, at + 1)) {
    const std::size_t number = text.find_first_not_of(blanks, at + given.flag.size());
    if (number == text.npos || number == at + given.flag.size()) continue;
    if (!text.substr(number).starts_with(count)) continue;
    const auto begin = all.begin + static_cast<std::uint32_t>(at);
    const std::size_t end = number + count.size();
    return {all.file, begin, all.begin + static_cast<std::uint32_t>(end)};
  }
  return all;
}

bool has_word(Node container, std::string_view start) {
  const std::vector<Word> words = words_of(container);
  return std::ranges::any_of(words, [&](const Word& word) { return word.text.starts_with(start); });
}

}  // namespace gpulint::rules::gpu_count_in_command
