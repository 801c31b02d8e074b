#include "compiler/model/kinds/operator_keys.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/kinds/chart_values.h"

namespace gpulint {
namespace {

#include "tables/operator_keys.inc"

/// Whether the word is one of the words between blanks.
[[nodiscard]] bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_part(words, ' ') == word) return true;
  }
  return false;
}

/// Whether `name` is in the text as a word of its own.
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

/// Compares values with one chart's top-level keys.
struct Likeness {
  std::size_t all = 0;
  std::size_t known = 0;

  [[nodiscard]] bool is_half() const { return known > 0 && known * 2 >= all; }
  /// Only a name near the values is evidence for the chart.
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

/// Whether the file or its folder has a name of the chart.
[[nodiscard]] bool names_chart(std::string_view path, const OperatorKeys& chart) {
  const std::string_view end = end_of(path);
  for (std::string_view names = chart.charts; !names.empty();) {
    if (mentions(end, take_part(names, ' '))) return true;
  }
  return false;
}

[[nodiscard]] const OperatorKeys* find_by_path(Node values, std::string_view path) {
  for (const OperatorKeys& chart : operator_keys_table) {
    if (names_chart(path, chart) && compare(values, chart).is_likely()) return &chart;
  }
  return nullptr;
}

/// `enough`: how many of the signs are required.
[[nodiscard]] bool has_signs(Node values, std::string_view signs, std::size_t enough) {
  std::size_t found = 0;
  std::size_t all = 0;
  for (; !signs.empty(); ++all) {
    std::string_view path = take_part(signs, ' ');
    const bool is_path = path.find('.') != path.npos;
    Node at = values;
    while (!path.empty()) at = at.get(take_part(path, '.'));
    if (at && is_path) return true;
    if (at) ++found;
  }
  return found >= std::min(all, enough);
}

[[nodiscard]] const OperatorKeys* find_by_signs(Node values) {
  for (const OperatorKeys& chart : operator_keys_table) {
    if (chart.signs.empty()) continue;
    const Likeness likeness = compare(values, chart);
    const std::size_t enough = likeness.all > 2 && likeness.known == likeness.all ? 2 : 3;
    if (has_signs(values, chart.signs, enough) && likeness.is_half()) return &chart;
  }
  return nullptr;
}

/// The keys of the chart with this name; null if there are none.
[[nodiscard]] const OperatorKeys* find_chart_keys(std::string_view chart) {
  const auto found = std::ranges::find_if(operator_keys_table, [&](const OperatorKeys& keys) {
    return keys.is_chart() && has_word(keys.charts, chart);
  });
  return found == std::ranges::end(operator_keys_table) ? nullptr : &*found;
}

/// Checks values below their chart's name.
[[nodiscard]] const OperatorKeys* find_by_key(Node values) {
  if (!values.key() || !values.is_mapping()) return nullptr;
  const OperatorKeys* const chart = find_chart_keys(values.key().text());
  return chart != nullptr && compare(values, *chart).is_half() ? chart : nullptr;
}

/// Flux's `chartRef` names an object that has the chart, often by the chart's name.
[[nodiscard]] const OperatorKeys* find_by_reference(Node values, Node release) {
  const OperatorKeys* const chart = find_chart_keys(release.at("chartRef", "name").text());
  return chart != nullptr && compare(values, *chart).is_likely() ? chart : nullptr;
}

/// The object that installs the chart with these values; null if it is not around them.
[[nodiscard]] std::optional<HelmValuesSource> place_of(Node values) {
  const Document& document = *values.document();
  const Node host = document.host == nullptr ? values : Node(*document.host, document.host_node);
  if (auto place = helm_values_source(host)) return place;
  for (HelmValuesSource& place : find_helm_values_sources(root(*host.document()))) {
    if (place.values.resolved() == host) return place;
  }
  return std::nullopt;
}

}  // namespace

bool OperatorKeys::may_know(std::string_view key) const { return has_word(also, key); }

const OperatorKeys* find_operator_keys(const KubernetesObject& object) {
  const std::string kind = object.kind.value_or("");
  const std::string version = object.api_version.value_or("");
  const std::string_view group = api_group(version);
  const auto found = std::ranges::find_if(operator_keys_table, [&](const OperatorKeys& keys) {
    return !keys.kind.empty() && keys.kind == kind && keys.group == group;
  });
  return found == std::ranges::end(operator_keys_table) ? nullptr : &*found;
}

std::vector<ChartUse> find_chart_uses(const Document& document, std::string_view path) {
  const std::vector<Node> roots = find_chart_values(document);
  if (roots.empty()) return {};
  std::vector<ChartUse> uses;
  for (const Node values : roots) {
    const std::optional<HelmValuesSource> place = place_of(values);
    const bool has_more = place && place->has_more;
    const OperatorKeys* keys = nullptr;
    std::string chart;
    if (place && place->chart) {
      chart = named_chart(*place);
      keys = find_chart_keys(chart);
    } else {
      if (place) keys = find_by_reference(values, place->release);
      if (keys == nullptr) keys = find_by_path(values, path);
      if (keys == nullptr) keys = find_by_signs(values);
    }
    if (keys != nullptr) uses.push_back({values, keys, has_more, chart});
    for (const Node::Entry& entry : values.fields()) {
      const OperatorKeys* const inner = find_by_key(entry.value);
      if (inner != nullptr) uses.push_back({entry.value, inner, has_more});
    }
  }
  return uses;
}

bool is_named_like_chart(std::string_view path) {
  return std::ranges::any_of(operator_keys_table,
                             [&](const OperatorKeys& chart) { return names_chart(path, chart); });
}

}  // namespace gpulint
