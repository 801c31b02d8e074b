#include "frontend/relevance.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <re2/re2.h>
#include <strings.h>

#include "compiler/base/check.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

/// The three bytes at `at`, and any fourth.
[[nodiscard]] std::uint32_t bytes_at(const char* at, std::size_t size) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, size);
  return bytes;
}

/// The files `triggers` of this folder and of the rules' (frontend/CMakeLists.txt).
constexpr std::string_view triggers =
#include "triggers.inc"
    ;
/// The file `related`.
constexpr std::string_view related =
#include "related.inc"
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

/// The longest word that is in every match of the alternative.
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

/// Words such that each alternative contains one of them.
[[nodiscard]] std::vector<std::string> required_words(std::string_view triggers) {
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

/// Finds triggers. No trigger spans lines, so only lines with one of the words are matched; most of
/// a repository has none. Threads may share it.
class TriggerSearch {
 public:
  explicit TriggerSearch(const std::string& triggers)
      : pattern_("(?i)" + triggers), words_(required_words(triggers)) {}

  [[nodiscard]] bool matches(std::string_view text) const {
    for (std::string_view rest = text;;) {
      const std::size_t at = words_.find(rest);
      if (at == std::string_view::npos) return false;
      const std::size_t begin = rest.rfind('\n', at) + 1;  // npos + 1 is 0
      const std::size_t end = std::min(rest.find('\n', at), rest.size());
      if (RE2::PartialMatch({rest.data() + begin, end - begin}, pattern_)) return true;
      rest.remove_prefix(end);
    }
  }

 private:
  RE2 pattern_;
  WordSearch words_;
};

}  // namespace

WordSearch::WordSearch(std::span<const std::string> words) : words_(words.begin(), words.end()) {
  for (const std::string& word : words_) {
    GPULINT_CHECK(word.size() >= shortest_word);
    add(word, 0, word);
    if (word.size() > shortest_word) {
      add(word, 1, std::string_view(word).substr(1));
      continue;
    }
    for (char any = 0; any < 32; ++any) add(word, 1, word.substr(1) + any);
  }
}

/// Ignores letter case: uses the last five bits.
std::size_t WordSearch::slot_of(std::uint32_t bytes) {
  constexpr std::uint32_t spread = 0x9E3779B1;  // a prime near 2^32 / the golden ratio
  constexpr std::uint32_t three =
      std::endian::native == std::endian::little ? 0x001f1f1f : 0x1f1f1f00;
  return ((bytes & three) * spread) >> (32 - slot_bits);
}

void WordSearch::add(std::string_view word, std::size_t before, std::string_view three_bytes) {
  std::uint16_t& first =
      first_[slot_of(bytes_at(&three_bytes.front(), std::min(three_bytes.size(), shortest_word)))];
  candidates_.push_back({word, before, first});
  first = static_cast<std::uint16_t>(candidates_.size());
}

std::size_t WordSearch::check(std::uint16_t first, std::string_view text, std::size_t at) const {
  while (first != 0) {
    const auto& [word, before, next] = candidates_[first - 1U];
    const std::string_view there = text.substr(at < before ? text.size() : at - before);
    const bool is_there =
        there.size() >= word.size() && ::strncasecmp(there.data(), word.data(), word.size()) == 0;
    if (is_there) return at - before;
    first = next;
  }
  return std::string_view::npos;
}

std::size_t WordSearch::find(std::string_view text) const {
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 2) {
    const std::uint16_t first = first_[slot_of(bytes_at(text.data() + i, 4))];
    if (first == 0) continue;
    const std::size_t found = check(first, text, i);
    if (found != std::string_view::npos) return found;
  }
  if (i + 2 > text.size()) return std::string_view::npos;
  return check(first_[slot_of(bytes_at(text.data() + i, text.size() - i))], text, i);
}

bool may_concern_gpus(std::string_view text) {
  static const TriggerSearch search(std::string(triggers) + '|' + std::string(related));
  return search.matches(text);
}

bool names_gpus(std::string_view text) {
  static const std::vector<std::string> words = {
      "gpu",    "nvidia", "accelerator", "neuron", "google.com/tpu",
      "habana", "gaudi",  "fpga",        "mig-",   "visible_devices"};
  static const WordSearch search{words};
  constexpr std::string_view own_name = "gpulint";  // in comments that suppress findings
  for (std::string_view rest = text;;) {
    const std::size_t at = search.find(rest);
    if (at == std::string_view::npos) return false;
    if (!rest.substr(at).starts_with(own_name)) return true;
    rest.remove_prefix(at + own_name.size());
  }
}

bool is_related_template(const Document& document, std::string_view text) {
  if (!document.is_template) return false;
  static const TriggerSearch search{std::string(triggers)};
  return !search.matches(text);
}

bool may_hold_encoded_values(std::string_view text) {
  const auto holds = [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  };
  return holds("Secret") && holds("values") && holds("data");
}

}  // namespace gpulint
