#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/document.h"

namespace gpulint {

/// Finds one of many words in a text, ignoring the case of ASCII letters. It looks at every second
/// place once: the three bytes there select the words that may begin there or a byte before.
class WordSearch {
 public:
  static constexpr std::size_t shortest_word = 3;  ///< bytes

  /// The words, each of `shortest_word` bytes or more.
  explicit WordSearch(std::span<const std::string> words);

  /// The place of one of the words, with no word more than a byte before it; npos if there is none.
  [[nodiscard]] std::size_t find(std::string_view text) const;

 private:
  /// A word that may begin `before` bytes before a place with a certain slot.
  struct Candidate {
    std::string_view word;
    std::size_t before = 0;
    std::uint16_t next = 0;  ///< of the same slot, counted from 1; 0: none
  };

  static constexpr unsigned slot_bits = 14;

  [[nodiscard]] static std::size_t slot_of(std::uint32_t bytes);
  void add(std::string_view word, std::size_t before, std::string_view three_bytes);
  [[nodiscard]] std::size_t check(std::uint16_t first, std::string_view text, std::size_t at) const;

  std::vector<std::string> words_;
  std::vector<Candidate> candidates_;
  std::array<std::uint16_t, std::size_t{1} << slot_bits> first_{};  ///< counted from 1; 0: none
};

/// Whether text mentions anything that a rule or the model uses: GPU resources, taints and
/// tolerations, nodes and node pools, Flyte or device-plugin configuration, suppressions. Other
/// text is not parsed. It is a scan of some hundred MB/s.
[[nodiscard]] bool may_concern_gpus(std::string_view text);

/// Whether text names GPUs or other accelerators: for notes on text that is not read, where the
/// tolerations and node selectors of every chart would be too many words.
[[nodiscard]] bool names_gpus(std::string_view text);

/// Whether the document is a template, and its text would concern GPUs only because of documents
/// with GPU pods (the file `related`): nothing of it was read, and nothing else is lost.
[[nodiscard]] bool is_related_template(const Document& document, std::string_view text);

/// Whether text may be a Secret with the values of a chart: they are base64, so their words are not
/// visible.
[[nodiscard]] bool may_hold_encoded_values(std::string_view text);

}  // namespace gpulint
