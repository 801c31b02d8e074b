#include "compiler/engine/rule.h"

#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "rules/support/command_line.h"
#include "rules/support/queries.h"

namespace gpulint::rules::accelerators_feature_gate {
namespace {

/// `--feature-gates=…`, kube-env's `FEATURE_GATES`, and mappings of configuration files.
constexpr std::array<std::string_view, 3> names{"feature-gates", "FEATURE_GATES", "featureGates"};

/// The fact about a removed gate, such as `Accelerators`; null for other gates.
[[nodiscard]] const Deprecation* find_removed_gate(const Corpus& corpus, std::string_view gate) {
  const Deprecation* fact = find_deprecation(DeprecationKind::feature_gate, gate);
  const bool removed = fact != nullptr && is_removed(*fact, corpus.settings->kubernetes_version);
  return removed ? fact : nullptr;
}

Finding report_gate(Reporter& reporter, const Deprecation& fact, Span where, Node context) {
  return reporter
      .report_span(where, context, "feature gate `{}` was removed in Kubernetes 1.{}", fact.name,
                   fact.removed_minor)
      .help("remove the gate, because a component with it does not start; replacement: {}",
            fact.replacement);
}

void check_flags(const Corpus& corpus, Reporter& reporter, Node root) {
  for (const std::string_view name : names) {
    for (const FlagUse& use : find_flag(*corpus.sources, root, name)) {
      const std::vector<Span> items = flag_items(*corpus.sources, use);
      for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string_view text = corpus.sources->file(items[i]).text(items[i]);
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        if (const Deprecation* fact = find_removed_gate(corpus, text.substr(0, equals))) {
          report_gate(reporter, *fact, items[i], use.scalar)
              .fix(Safety::safe, "remove the gate",
                   remove_flag_item(*corpus.sources, use, items, i));
        }
      }
    }
  }
}

/// `featureGates: {Accelerators: true}` of KubeletConfiguration, kubeadm, kOps, eksctl …
void check_mappings(const Corpus& corpus, Reporter& reporter, Node root) {
  walk(root, [&](Node node) {
    if (!node.is_mapping() || node.key().text() != names.back()) return;
    for (const auto& [key, value] : node.entries()) {
      if (const Deprecation* fact = find_removed_gate(corpus, key.text())) {
        report_gate(reporter, *fact, key.span(), value)
            .fix(Safety::safe, "remove the gate",
                 remove_entry(*corpus.sources, node.size() == 1 ? node : value));
      }
    }
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<const Document*> documents;
  for (const std::string_view name : names) {
    for (const Document* document : documents_with(corpus, name)) documents.insert(document);
  }
  for (const Document* document : documents) {
    check_flags(corpus, reporter, root(*document));
    check_mappings(corpus, reporter, root(*document));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated", .fix = FixAvailability::safe},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::accelerators_feature_gate
