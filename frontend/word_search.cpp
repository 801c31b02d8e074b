#include "frontend/word_search.h"

#include <bit>
#include <cstring>

#include <strings.h>

#include "compiler/base/check.h"

namespace gpulint {

namespace {

/// The three bytes at `at`, and any fourth.
[[nodiscard]] std::uint32_t bytes_at(const char* at, std::size_t size) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, size);
  return bytes;
}

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

/// Letters count whatever their case: their last five bits.
std::size_t WordSearch::slot_of(std::uint32_t bytes) {
  constexpr std::uint32_t spread = 0x9E3779B1;  // a prime near 2^32 / the golden ratio
  constexpr std::uint32_t three =
      std::endian::native == std::endian::little ? 0x001f1f1f : 0x1f1f1f00;
  return ((bytes & three) * spread) >> (32 - slot_bits);
}

void WordSearch::add(std::string_view word, std::size_t before, std::string_view three_bytes) {
  std::uint16_t& first = first_[slot_of(bytes_at(three_bytes.data(), shortest_word))];
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

}  // namespace gpulint
