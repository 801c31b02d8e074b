#include "compiler/model/operator_keys.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/values_place.h"
#include "compiler/model/chart_values.h"

namespace gpulint {
namespace {

#include "tables/operator_keys.inc"

/// Whether one of the words between blanks is this one.
[[nodiscard]] bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_part(words, ' ') == word) return true;
  }
  return false;
}

/// Whether `name` stands in the text with nothing of a word around it.
[[nodiscard]] bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_alphanumeric(text[at - 1]);
    if (begins && (end == text.size() || !is_alphanumeric(text[end]))) return true;
  }
  return false;
}

/// The file's name and its folder's.
[[nodiscard]] std::string_view end_of(std::string_view path) {
  const std::size_t file = path.rfind('/');
  if (file == path.npos || file == 0) return path;
  const std::size_t folder = path.rfind('/', file - 1);
  return folder == path.npos ? path : path.substr(folder + 1);
}

/// Values held against one chart's top.
struct Likeness {
  std::size_t all = 0;
  std::size_t known = 0;

  [[nodiscard]] bool is_half() const { return known > 0 && known * 2 >= all; }
  /// Where only a name beside the values speaks for the chart.
  [[nodiscard]] bool is_likely() const { return is_half() && (known > 1 || known == all); }
};

[[nodiscard]] Likeness compare(Node values, const OperatorKeys& chart) {
  Likeness likeness;
  for (const Node::Entry& entry : values.fields()) {
    const std::string_view key = entry.key.text();
    ++likeness.all;
    if (has_word(chart.top, key)) ++likeness.known;
  }
  return likeness;
}

[[nodiscard]] const OperatorKeys* find_by_path(Node values, std::string_view path) {
  for (const OperatorKeys& chart : operator_keys_table) {
    std::string_view names = chart.charts;
    while (!names.empty()) {
      const bool is_named = mentions(end_of(path), take_part(names, ' '));
      if (is_named && compare(values, chart).is_likely()) return &chart;
    }
  }
  return nullptr;
}

/// How many of the words are keys of the values, and how many words there are.
[[nodiscard]] std::pair<std::size_t, std::size_t> count_signs(Node values, std::string_view signs) {
  std::size_t found = 0;
  std::size_t all = 0;
  for (; !signs.empty(); ++all) {
    if (values.get(take_part(signs, ' '))) ++found;
  }
  return {found, all};
}

[[nodiscard]] const OperatorKeys* find_by_signs(Node values) {
  constexpr std::size_t enough = 3;
  for (const OperatorKeys& chart : operator_keys_table) {
    if (chart.signs.empty()) continue;
    const auto [found, all] = count_signs(values, chart.signs);
    if (found >= std::min(all, enough) && compare(values, chart).is_half()) return &chart;
  }
  return nullptr;
}

/// Of values that stand under their chart's name.
[[nodiscard]] const OperatorKeys* find_by_key(Node values) {
  if (!values.key() || !values.is_mapping()) return nullptr;
  const OperatorKeys* const chart = find_chart_keys(values.key().text());
  return chart != nullptr && compare(values, *chart).is_half() ? chart : nullptr;
}

/// What the place says of the chart; nothing where it says none.
[[nodiscard]] std::optional<std::string_view> told_chart(Node values) {
  const Document& document = *values.document();
  const Node host = document.host == nullptr ? values : Node(*document.host, document.host_node);
  const std::optional<ValuesPlace> place = values_place(host);
  if (!place || !place->chart) return {};
  return named_chart(*place);
}

}  // namespace

bool OperatorKeys::may_know(std::string_view key) const { return has_word(also, key); }

const OperatorKeys* find_operator_keys(const KubernetesObject& object) {
  const std::string kind = object.kind.value_or("");
  const std::string version = object.api_version.value_or("");
  const std::string_view group = std::string_view(version).substr(0, version.find('/'));
  const auto found = std::ranges::find_if(operator_keys_table, [&](const OperatorKeys& keys) {
    return !keys.kind.empty() && keys.kind == kind && keys.group == group;
  });
  return found == std::ranges::end(operator_keys_table) ? nullptr : &*found;
}

const OperatorKeys* find_chart_keys(std::string_view chart) {
  const auto found = std::ranges::find_if(operator_keys_table, [&](const OperatorKeys& keys) {
    return keys.is_chart() && has_word(keys.charts, chart);
  });
  return found == std::ranges::end(operator_keys_table) ? nullptr : &*found;
}

std::vector<ChartUse> find_chart_uses(const Document& document, std::string_view path) {
  const std::vector<Node> roots = find_chart_values(document);
  if (roots.empty()) return {};
  std::vector<ChartUse> uses;
  for (const Node values : roots) {
    const std::optional<std::string_view> told = told_chart(values);
    const OperatorKeys* keys = nullptr;
    if (told) {
      keys = find_chart_keys(*told);
    } else {
      keys = find_by_path(values, path);
      if (keys == nullptr) keys = find_by_signs(values);
    }
    if (keys != nullptr) uses.push_back({values, keys});
    for (const Node::Entry& entry : values.fields()) {
      const OperatorKeys* const inner = find_by_key(entry.value);
      if (inner != nullptr) uses.push_back({entry.value, inner});
    }
  }
  return uses;
}

}  // namespace gpulint
