#include "compiler/engine/rule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/layout.h"
#include "compiler/flyte/analysis.h"

namespace gpulint::rules::lowercased_label_key {
namespace {

/// Settings that become labels or demands on labels, whose letter case counts.
constexpr const char* label_maps[] = {"plugins.k8s.default-node-selector",
                                      "plugins.k8s.interruptible-node-selector",
                                      "plugins.k8s.default-labels"};

/// Turns a mapping into a list of single-key mappings, whose keys the loader leaves alone.
[[nodiscard]] std::vector<Edit> make_list(const Corpus& corpus, Node mapping) {
  const Layout layout(*corpus.sources, mapping);
  std::vector<Edit> edits;
  if (!layout.editable() || layout.is_json()) return edits;
  if (mapping.style() == Style::flow) {
    std::string list;
    for (const auto& [key, value] : mapping.entries()) {
      const Span entry = join(key.span(), value.span());
      list += fmt::format("{}{{{}}}", list.empty() ? "" : ", ", layout.text(entry));
    }
    if (layout.has_comment(mapping.span())) return edits;
    return {{mapping.span(), fmt::format("[{}]", list)}};
  }
  for (const auto& [key, value] : mapping.entries()) {
    if (!value.is_scalar() || value.style() == Style::literal) return {};
    const std::uint32_t at = key.begin_with_properties();
    edits.push_back({layout.span(at, at), "- "});
  }
  return edits;
}

void check_map(const Corpus& corpus, Reporter& reporter, Node mapping) {
  const bool is_of_pods = mapping.key().text() == "default-labels";
  bool is_offered = false;
  for (const auto& [key, value] : mapping.entries()) {
    const std::string lower = to_lower(key.text());
    if (key.is_opaque() || lower == key.text()) continue;
    Finding finding =
        reporter.report(key, "Flyte changes the label key `{}` to `{}`", key.text(), lower);
    const std::string_view others = is_of_pods ? "selectors with" : "nodes with the label";
    std::vector<Edit> edits = is_offered ? std::vector<Edit>{} : make_list(corpus, mapping);
    if (edits.empty()) {
      finding.help(
          "write the mapping as a list (`- {0}: …`), because Flyte does not change keys in a "
          "list. Otherwise {1} `{0}` do not match `{2}`",
          key.text(), others, lower);
    } else {
      finding
          .help("{} `{}` do not match `{}`. Flyte does not change keys in a list", others,
                key.text(), lower)
          .fix(Safety::safe, "write the mapping as a list", std::move(edits));
    }
    is_offered = true;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    for (const char* setting : label_maps) {
      const Node node = installation.loaded.propeller.find_setting(setting);
      if (node.is_mapping()) check_map(corpus, reporter, node);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::lowercased_label_key
