#include "compiler/model/facts/gpu_cards.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "compiler/base/likeness.h"
#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/product_label.h"

namespace gpulint {
namespace {

using Words = std::set<std::string>;

/// Of `A100-SXM4-80GB` the last two: a size, or how the card is built in.
[[nodiscard]] bool is_variant(std::string_view word) {
  return word.ends_with("gb") || word.starts_with("sxm") || word.starts_with("hbm");
}

/// `a100` of `NVIDIA-A100-SXM4-80GB`.
[[nodiscard]] Words card_words(std::string_view value) {
  Words words;
  std::string word;
  const auto finish = [&] {
    if (std::ranges::any_of(word, is_digit) && !is_variant(word)) words.insert(word);
    word.clear();
  };
  for (const char c : to_lower(whole_product(value))) {
    is_alphanumeric(c) ? word.push_back(c) : finish();
  }
  finish();
  return words;
}

/// The GPU of a machine type or family, as some vocabulary calls it; else the value.
[[nodiscard]] std::string_view gpu_text(std::string_view value) {
  const Machine* const machine = find_machine(value);
  if (machine != nullptr && !machine->gke_accelerator.empty()) return machine->gke_accelerator;
  if (machine != nullptr && !machine->product.empty()) return machine->product;
  const std::vector<const DeviceName*> gpus = gpus_of_instance_type(value);
  return gpus.empty() ? value : gpus.front()->value;
}

[[nodiscard]] bool is_known_card(const Words& words) {
  static const Words known = [] {
    Words all;
    for (const DeviceName& device : device_names()) all.merge(card_words(device.value));
    return all;
  }();
  return std::ranges::any_of(words, [](const std::string& word) { return known.contains(word); });
}

}  // namespace

bool may_be_same_card(std::string_view wanted, std::string_view carried, bool is_device) {
  const Words a = card_words(gpu_text(wanted));
  const Words b = card_words(gpu_text(carried));
  if (!a.empty() && !b.empty()) {
    return std::ranges::includes(a, b) || std::ranges::includes(b, a) ||
           !(is_device || (is_known_card(a) && is_known_card(b)));
  }
  return !is_device || is_part_of_name(wanted, carried) || is_part_of_name(carried, wanted) ||
         edit_distance(to_lower(wanted), to_lower(carried), 1) <= 1;
}

}  // namespace gpulint
