#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "compiler/model/kinds/operator_keys.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::nfd_labels_unknown_to_operator {
namespace {

/// The object or values that use the GPU Operator. Null if there are none, or if a NodeFeatureRule
/// may set the labels. The operator finds GPU nodes by one of the labels pci-10de.present,
/// pci-0300_10de.present and pci-0302_10de.present (NVIDIA/gpu-operator a22dbf671,
/// controllers/state_manager.go, gpuNodeLabels).
[[nodiscard]] Node find_operator(const Corpus& corpus) {
  for (const KubernetesObject& object : corpus.objects) {
    // Rules set further labels, perhaps these.
    if (object.kind.equals("NodeFeatureRule")) return {};
  }
  for (const KubernetesObject& object : corpus.objects) {
    const bool is_nvidias = object.api_version.value_or("").starts_with("nvidia.com/");
    if (object.kind.equals("ClusterPolicy") && is_nvidias) return object.node.get("kind");
  }
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name == "GPU Operator" && use.values.is_mapping()) {
      return use.values.children().front();
    }
  }
  return {};
}

/// The label of the place that find_operator() returns.
constexpr const char* needs_labels = "the GPU Operator finds GPU nodes by the labels of NFD";

/// PCI classes of NVIDIA's GPUs: VGA controllers and 3D controllers.
constexpr auto gpu_classes = std::to_array<std::string_view>({"0300", "0302"});

/// The words of a list; empty if one is unknown, or if it is not a list.
[[nodiscard]] std::vector<std::string> words(Node list) {
  std::vector<std::string> found;
  for (const Node item : list.items()) {
    if (!item.is_scalar() || item.is_opaque()) return {};
    found.emplace_back(item.text());
  }
  return found;
}

[[nodiscard]] bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Labels are `pci-` and the fields of the list in a fixed order (node-feature-discovery,
/// source/pci: `deviceLabelFields`; by default class and vendor).
void check_fields(Reporter& reporter, Node fields, Node user) {
  const std::vector<std::string> names = words(fields);
  if (names.empty()) return;
  const bool has_vendor = contains(names, "vendor");
  const bool has_more = std::ranges::any_of(names, [](const std::string& name) {
    return name == "device" || name == "subsystem_vendor" || name == "subsystem_device";
  });
  if (has_vendor && !has_more) return;
  reporter
      .report_key(fields,
                  "`deviceLabelFields: [{}]` changes the labels that the GPU Operator needs",
                  fmt::join(names, ", "))
      .related(user, needs_labels)
      .help(
          "write `[vendor]` or `[class, vendor]`. Otherwise NFD does not set `pci-10de.present`, "
          "`pci-0300_10de.present` or `pci-0302_10de.present`");
}

/// Entries are prefixes of PCI classes.
void check_classes(Reporter& reporter, Node classes, Node user) {
  const std::vector<std::string> beginnings = words(classes);
  const bool has_gpus = std::ranges::any_of(beginnings, [](const std::string& beginning) {
    return std::ranges::any_of(gpu_classes, [&](std::string_view gpu) {
      return !beginning.empty() && gpu.starts_with(beginning);
    });
  });
  if (beginnings.empty() || has_gpus) return;
  reporter
      .report_key(classes,
                  "`deviceClassWhitelist` allows {}, but not the PCI classes 0300 and 0302 of GPUs",
                  list(beginnings))
      .related(user, needs_labels)
      .help(
          "add `\"03\"` for both classes. Otherwise NFD sets no GPU label, and the GPU Operator "
          "ignores the nodes");
}

/// `all` is the default; `-pci` removes a source.
void check_sources(Reporter& reporter, Node sources, Node user) {
  const std::vector<std::string> names = words(sources);
  const bool has_pci =
      contains(names, "pci") || (contains(names, "all") && !contains(names, "-pci"));
  if (names.empty() || has_pci) return;
  reporter
      .report_key(sources, "`labelSources: [{}]` turns off the labels of PCI devices",
                  fmt::join(names, ", "))
      .related(user, needs_labels)
      .help("{}. Otherwise NFD sets no GPU label, and the GPU Operator ignores the nodes",
            contains(names, "-pci") ? "replace `-pci` with `pci`" : "add `pci`");
}

void check(const Corpus& corpus, Reporter& reporter) {
  const Node user = find_operator(corpus);
  if (!user) return;
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    walk(root(*document), [&](Node at) {
      const std::string_view key = at.key() ? at.key().text() : std::string_view{};
      const std::string_view around =
          at.parent().key() ? at.parent().key().text() : std::string_view{};
      if (key == "deviceLabelFields" && around == "pci") check_fields(reporter, at, user);
      if (key == "deviceClassWhitelist" && around == "pci") check_classes(reporter, at, user);
      if (key == "labelSources" && around == "core") check_sources(reporter, at, user);
    });
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators",
                                          .severity = Severity::warning,
                                          .aliases = "discovery-hides-gpus"},
                                 .check = check};

}  // namespace gpulint::rules::nfd_labels_unknown_to_operator
