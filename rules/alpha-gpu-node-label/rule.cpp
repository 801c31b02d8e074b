#include "compiler/engine/rule.h"

#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit/edits.h"
#include "rules/support/command_line.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_gpu_node_label {
namespace {

/// Renames the label and its value in a node selector or in a node's labels.
[[nodiscard]] std::vector<Edit> rename_label(const SourceSet& sources, Node value,
                                             std::string_view label) {
  if (value.parent().get(label) || !value.is_scalar() || value.is_opaque()) return {};
  const auto text = device_label_value(label, value.text());
  if (!text) return {};
  std::vector<Edit> edits = replace_string(sources, value.key(), label);
  if (*text == value.text()) return edits;
  const std::vector<Edit> renamed = replace_string(sources, value, *text);
  if (edits.empty() || renamed.empty()) return {};
  edits.insert(edits.end(), renamed.begin(), renamed.end());
  return edits;
}

/// Rewrites `key` and `values` of a node selector requirement.
[[nodiscard]] std::vector<Edit> rewrite_requirement(const SourceSet& sources, Node key,
                                                    std::string_view label) {
  std::vector<Edit> edits = replace_string(sources, key, label);
  for (const Node value : key.parent().get("values").items()) {
    const auto text = device_label_value(label, value.text());
    if (!text || value.is_opaque() || edits.empty()) return {};
    if (*text == value.text()) continue;
    const std::vector<Edit> renamed = replace_string(sources, value, *text);
    if (renamed.empty()) return {};
    edits.insert(edits.end(), renamed.begin(), renamed.end());
  }
  return edits;
}

Finding report_label(Reporter& reporter, Node where, std::string_view label) {
  return reporter
      .report(where, "no component sets the node label `{}` any more", alpha_device_label)
      .help("use `{}`, the label with the GPU's model", label);
}

void check_tree(const Corpus& corpus, Reporter& reporter, Node root, std::string_view label) {
  const std::string title = fmt::format("write `{}`", label);
  walk(root, [&](Node node) {
    if (!node.is_scalar() || node.text() != alpha_device_label) return;
    if (node.key().text() == "key") {
      report_label(reporter, node, label)
          .fix(Safety::unsafe, title, rewrite_requirement(*corpus.sources, node, label));
    }
  });
  walk(root, [&](Node node) {
    if (!node.is_mapping()) return;
    for (const auto& [key, value] : node.entries()) {
      if (key.text() != alpha_device_label) continue;
      report_label(reporter, key, label)
          .fix(Safety::unsafe, title, rename_label(*corpus.sources, value, label));
    }
  });
}

void check_flags(const Corpus& corpus, Reporter& reporter, Node root, std::string_view label) {
  for (const FlagUse& use : find_flag(*corpus.sources, root, "node-labels")) {
    for (const Span item : flag_items(*corpus.sources, use)) {
      const std::string_view text = corpus.sources->file(item).text(item);
      if (!text.starts_with(alpha_device_label)) continue;
      const auto length = static_cast<std::uint32_t>(alpha_device_label.size());
      reporter
          .report_span({item.file, item.begin, item.begin + length}, use.scalar,
                       "a kubelet that sets the label `{}` does not start", alpha_device_label)
          .help(
              "remove it, because kubelets may not set labels below `kubernetes.io`; the label "
              "with the GPU's model is `{}`",
              label);
    }
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const std::string_view label = device_label(corpus);
  for (const Document* document : documents_with(corpus, alpha_device_label)) {
    check_tree(corpus, reporter, root(*document), label);
    check_flags(corpus, reporter, root(*document), label);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::alpha_gpu_node_label
