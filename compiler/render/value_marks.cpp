#include "compiler/render/value_marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace gpulint::render {
namespace {

constexpr std::size_t most_candidates = 2000;
constexpr std::size_t most_other_values = 12;

[[nodiscard]] bool has_action(std::string_view text) {
  return text.find("{{") != std::string_view::npos;
}

/// A number as Helm's engine may have written it: `1e+06` is 1000000.
[[nodiscard]] std::optional<double> read_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Whether the leaf's text may have become a part of the target.
[[nodiscard]] bool may_be_in(std::string_view leaf, std::string_view target) {
  if (has_action(leaf)) return true;
  while (leaf.ends_with('\n')) leaf.remove_suffix(1);
  if (leaf.empty()) return false;
  if (target.find(leaf) != std::string_view::npos) return true;
  const auto number = read_double(leaf);
  return number && number == read_double(target);
}

[[nodiscard]] bool is_leaf(Node node) {
  return node.is_scalar() && !node.value() && !node.text().empty();
}

/// Another value of the same kind, for a leaf that takes no mark; empty: unknown.
[[nodiscard]] std::string other_value(std::string_view text) {
  constexpr auto pairs = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"true", "false"},
       {"Exists", "Equal"},
       {"NoSchedule", "NoExecute"},
       {"PreferNoSchedule", "NoSchedule"},
       {"In", "NotIn"},
       {"Always", "IfNotPresent"},
       {"none", "single"},
       {"single", "mixed"}});
  for (const auto& [one, other] : pairs) {
    if (text == one) return std::string(other);
    if (text == other) return std::string(one);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? fmt::format("{}", number + 1) : std::string();
}

/// The source with the scalar's text replaced.
[[nodiscard]] std::string replaced(std::string_view source, Node scalar, std::string_view text) {
  const bool is_quoted =
      scalar.style() == Style::single_quoted || scalar.style() == Style::double_quoted;
  const Span span = scalar.span();
  const std::size_t quote = is_quoted ? 1 : 0;
  return std::string(source.substr(0, span.begin + quote)) + std::string(text) +
         std::string(source.substr(span.end - quote));
}

}  // namespace

bool ValueMarks::is_decided(Node target) const {
  const ValueOrigin* const origin = of(target);
  return origin != nullptr && origin->is_identity;
}

const ValueOrigin* ValueMarks::of(Node target) const {
  const auto found = found_.find({target.document(), target.index()});
  return found == found_.end() ? nullptr : &found->second;
}

std::vector<Leaf> ValueMarks::candidates(const std::vector<Node>& targets) const {
  std::vector<Leaf> leaves;
  for (const auto& [source, text] : values_) {
    for (std::size_t i = 0; i < text->size(); ++i) {
      walk(root(text->document(i)), [&, source = source](Node node) {
        if (!is_leaf(node) || leaves.size() >= most_candidates) return;
        const bool may_be = std::ranges::any_of(
            targets, [&](Node target) { return may_be_in(node.text(), target.text()); });
        if (!may_be) return;
        const bool is_number = is_markable_number(node.text());
        leaves.push_back({source, node, is_number ? Leaf::Kind::number : Leaf::Kind::text});
      });
    }
  }
  return leaves;
}

void ValueMarks::read(const Marks& marks, const Trial& trial, const std::vector<Node>& targets) {
  for (const Node target : targets) {
    const Node twin = twin_of(trial.twins, target);
    if (!twin) continue;
    const std::vector<std::size_t> here = marks.find(twin.text(), target.text());
    if (here.empty()) continue;
    ValueOrigin& origin = found_[{target.document(), target.index()}];
    for (const std::size_t i : here) origin.leaves.push_back(marks.leaf(i));
    origin.is_identity = origin.leaves.size() == 1 &&
                         target.text() == origin.leaves.front().node.text() &&
                         twin.text() == marks.marked(here.front());
  }
}

/// Marks the chosen leaves, or both halves of them if they cannot be marked together.
void ValueMarks::divide(const Marks& marks, const Chosen& chosen, const std::vector<Node>& targets,
                        std::vector<Leaf>* refused) {
  if (chosen.empty() || trials_.is_at_limit()) return;
  const bool is_needed = std::ranges::any_of(chosen, [&](std::size_t i) {
    return std::ranges::any_of(targets, [&](Node target) {
      return !is_decided(target) && may_be_in(marks.leaf(i).node.text(), target.text());
    });
  });
  if (!is_needed) return;
  const auto plain_key = [&](std::string_view key) { return marks.without(key); };
  if (const auto trial = trials_.run(marks.texts(chosen), plain_key)) {
    return read(marks, *trial, targets);
  }
  if (chosen.size() == 1) {
    if (refused != nullptr) refused->push_back(marks.leaf(chosen.front()));
    return;
  }
  const auto middle = chosen.begin() + static_cast<std::ptrdiff_t>(chosen.size() / 2);
  divide(marks, {chosen.begin(), middle}, targets, refused);
  divide(marks, {middle, chosen.end()}, targets, refused);
}

/// Gives each refused leaf another value: it decides the targets whose text was its own before and
/// after.
void ValueMarks::try_others(const std::vector<Leaf>& refused, const std::vector<Node>& targets) {
  std::size_t tried = 0;
  for (const Leaf& leaf : refused) {
    const std::string_view before = leaf.node.text();
    const bool is_wanted = std::ranges::any_of(
        targets, [&](Node target) { return of(target) == nullptr && target.text() == before; });
    const std::string after = other_value(before);
    if (!is_wanted || after.empty() || ++tried > most_other_values) continue;
    const Changed changed = {{leaf.source, replaced(texts_[leaf.source], leaf.node, after)}};
    const auto trial = trials_.run(changed, [](std::string_view key) { return std::string(key); });
    if (!trial) continue;
    for (const Node target : targets) {
      const bool is_its = of(target) == nullptr && target.text() == before &&
                          twin_of(trial->twins, target).text() == after;
      if (is_its) found_[{target.document(), target.index()}] = {{leaf}, true};
    }
  }
}

void ValueMarks::find(const std::vector<Node>& targets) {
  std::vector<Leaf> markable;
  std::vector<Leaf> refused;
  for (const Leaf& leaf : candidates(targets)) {
    (is_switch(leaf.node) ? refused : markable).push_back(leaf);
  }
  const Marks marks(texts_, std::move(markable));
  Chosen all(marks.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  divide(marks, all, targets, &refused);
  try_others(refused, targets);
}

void ValueMarks::find_keys(const std::vector<std::pair<Node, Leaf>>& pairs) {
  std::vector<Leaf> leaves;
  std::vector<Node> targets;
  for (const auto& [target, leaf] : pairs) {
    const bool is_known =
        std::ranges::any_of(leaves, [&](const Leaf& each) { return each.node == leaf.node; });
    if (!is_known) leaves.push_back(leaf);
    targets.push_back(target);
  }
  const Marks marks(texts_, std::move(leaves));
  Chosen all(marks.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  divide(marks, all, targets, nullptr);
}

}  // namespace gpulint::render
