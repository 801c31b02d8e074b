#include "frontend/relevance.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "frontend/word_search.h"

namespace gpulint {
namespace {

/// The files `triggers` of this folder and of the rules' (frontend/CMakeLists.txt).
constexpr std::string_view triggers =
#include "triggers.inc"
    ;

/// The end of the class or group that begins at `begin`.
[[nodiscard]] std::size_t end_of_piece(std::string_view pattern, std::size_t begin) {
  if (pattern[begin] == '[') return pattern.find(']', begin) + 1;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < pattern.size(); ++i) {
    if (pattern[i] == '(') ++depth;
    if (pattern[i] == ')' && --depth == 0) return i + 1;
  }
  return pattern.size();
}

/// The longest word that stands in all that the alternative matches.
[[nodiscard]] std::string required_word(std::string_view alternative) {
  std::string longest;
  std::string word;
  const auto end_word = [&] {
    if (word.size() > longest.size()) longest = word;
    word.clear();
  };
  for (std::size_t i = 0; i < alternative.size();) {
    const char c = alternative[i];
    const bool is_piece = c == '[' || c == '(';
    const std::size_t end = is_piece ? end_of_piece(alternative, i) : i + (c == '\\' ? 2 : 1);
    const std::string_view quantifiers = "?*+";
    const bool is_quantified =
        end < alternative.size() && quantifiers.find(alternative[end]) != std::string_view::npos;
    const bool is_one_byte = c == '[' && end - i == 3;  // `[.]`
    if (is_quantified || (is_piece && !is_one_byte)) {
      end_word();
    } else {
      word += is_piece || c == '\\' ? alternative[i + 1] : c;
    }
    i = end + (is_quantified ? 1 : 0);
  }
  end_word();
  return longest;
}

/// Words of which each trigger has one.
[[nodiscard]] std::vector<std::string> required_words() {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < triggers.size();) {
    std::size_t end = begin;
    while (end < triggers.size() && triggers[end] != '|') {
      end = triggers[end] == '(' ? end_of_piece(triggers, end) : end + 1;
    }
    words.push_back(to_lower(required_word(triggers.substr(begin, end - begin))));
    begin = end + 1;
  }
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

}  // namespace

// No trigger goes beyond a line, so that only lines with one of the words are matched: most of a
// repository has none.
bool may_concern_gpus(std::string_view text) {
  static const RE2 pattern("(?i)" + std::string(triggers));  // matching is thread-safe
  static const WordSearch words(required_words());
  for (std::string_view rest = text;;) {
    const std::size_t at = words.find(rest);
    if (at == std::string_view::npos) return false;
    const std::size_t begin = rest.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    if (RE2::PartialMatch({rest.data() + begin, end - begin}, pattern)) return true;
    rest.remove_prefix(end);
  }
}

bool may_hold_encoded_values(std::string_view text) {
  const auto holds = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  return holds("Secret") && holds("values") && holds("data");
}

}  // namespace gpulint
