#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/base/text.h"
#include "frontend/relevance.h"

namespace gpulint {
namespace {

const std::vector<std::string> words{"gpu", "nvidia-", "/dri", "taint", "accelerator", "kind"};

/// Where a word stands first, by comparing at each place.
[[nodiscard]] std::size_t first_place(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool stands = std::ranges::any_of(words, [&](const std::string& word) {
      return equal_fold(std::string_view(text).substr(at, word.size()), word);
    });
    if (stands) return at;
  }
  return std::string::npos;
}

}  // namespace

TEST_CASE("A word is found wherever it stands, whatever its case") {
  const WordSearch search(words);
  for (const std::string& word : words) {
    for (std::size_t before = 0; before < 9; ++before) {
      for (std::size_t after = 0; after < 5; ++after) {
        const std::string text =
            std::string(before, '\n') + to_upper(word) + std::string(after, '#');
        INFO(text);
        CHECK(search.find(text) == before);
      }
    }
  }
}

TEST_CASE("Parts of words are none") {
  const WordSearch search(words);
  for (const auto* text :
       {"", "g", "gp", "gp:u", "nvidia", "dri", "tain", "accelerato", "k\nind"}) {
    INFO(text);
    CHECK(search.find(text) == std::string_view::npos);
  }
}

TEST_CASE("Words are found as comparing at each place finds them, but for a byte") {
  const WordSearch search(words);
  const std::string letters = "gpuGPUnvidiax-/drtklsN\n\x96\xb5";
  std::mt19937 random(20);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::size_t size = random() % 40;
    while (text.size() < size) {
      if (random() % 12 == 0) {
        text += words[random() % words.size()];
      } else {
        text += letters[random() % letters.size()];
      }
    }
    const std::size_t expected = first_place(text);
    const std::size_t found = search.find(text);
    INFO(text);
    if (expected == std::string::npos) {
      CHECK(found == std::string_view::npos);
    } else {
      REQUIRE(found != std::string_view::npos);
      CHECK(first_place(text.substr(found)) == 0);
      CHECK(found <= expected + 1);
    }
  }
}

}  // namespace gpulint
