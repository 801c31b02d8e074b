#include "rules/alpha-gpu-api/alpha_resource.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/gitops/config_map.h"
#include "rules/support/queries.h"

namespace gpulint::rules::alpha_gpu_api {
namespace {

/// Before the resource's name: in containers, and in quotas.
constexpr std::string_view prefixes[] = {"", "requests.", "limits."};

/// The same entry in the `other` list (limits, requests) of a container's resources, as written.
[[nodiscard]] Node twin_in(Node amount, std::string_view other) {
  return written_value(amount.parent().parent().get(other), amount.key().text());
}

/// Amounts of 0 are harmless, `status` is written by the cluster, and a request is reported
/// together with its limit.
[[nodiscard]] bool is_passed_over(Node amount) {
  const Node entries = amount.parent();
  const Node of_node = used_under(entries, {"allocatable", "capacity"});
  if (amount.resolved().text() == "0" || entries.parent().key().text() == "status" ||
      of_node.parent().key().text() == "status") {
    return true;
  }
  if (entries.key().text() != "requests") return false;
  const Node limit = twin_in(amount, "limits");
  return limit && limit != amount;  // an alias makes both one
}

/// Renames the entry, or removes it if the successor is in the same mapping. In a list of
/// single-key mappings another item may have the successor; long lists are not searched.
[[nodiscard]] std::vector<Edit> replace_entry(const SourceSet& sources, Node amount,
                                              std::string_view successor) {
  if (amount.parent().get(successor)) return remove_entry(sources, amount);
  const Node list = amount.parent().parent();
  constexpr auto most_items = 256U;
  if (list.is_sequence() && list.size() > most_items) return {};
  const std::vector<Node> items = list.items();
  const bool taken =
      std::ranges::any_of(items, [&](Node item) { return bool(item.get(successor)); });
  return taken ? std::vector<Edit>{} : replace_string(sources, amount.key(), successor);
}

/// Of `limits.…` in a quota: the entry below `requests.`, the only one that a quota enforces.
[[nodiscard]] Node enforced_twin(Node amount, std::string_view prefix, std::string_view successor) {
  if (prefix != "limits.") return {};
  for (const std::string_view name : {alpha_resource, successor}) {
    const Node twin = amount.parent().get(fmt::format("requests.{}", name));
    if (twin) return twin;
  }
  return {};
}

void report_entry(const Corpus& corpus, Reporter& reporter, const Deprecation& fact, Node amount,
                  std::string_view prefix) {
  const std::string successor = std::string(prefix) + std::string(fact.replacement);
  const Node number = amount.resolved();
  const std::string value = number.is_scalar() ? fmt::format(": {}", number.text()) : "";
  Finding finding = reporter.report_key(
      amount, "`{}{}` names a resource that no node has offered since Kubernetes {}",
      amount.key().text(), value, fact.removed_in);
  if (const Node twin = enforced_twin(amount, prefix, fact.replacement)) {
    finding.related(twin.key(), "Kubernetes enforces only this entry of the quota")
        .fix(Safety::safe, "remove the entry", remove_entry(*corpus.sources, amount));
    return;
  }
  const Node present = amount.parent().get(successor);
  if (present) finding.related(present.key(), "this entry already has the new name");
  std::vector<Edit> edits = replace_entry(*corpus.sources, amount, successor);
  if (edits.empty()) finding.help("rename the resource to `{}`, or remove the entry", successor);
  const Node request =
      amount.parent().key().text() == "limits" ? twin_in(amount, "requests") : Node{};
  if (request && request != amount) {
    finding.related(request.key(), "this request has the same old name");
    std::ranges::copy(replace_entry(*corpus.sources, request, successor),
                      std::back_inserter(edits));
  }
  finding.fix(Safety::safe,
              present ? fmt::format("remove `{}`", amount.key().text())
                      : fmt::format("rename the resource to `{}`", successor),
              std::move(edits));
}

void check_amounts(const Corpus& corpus, Reporter& reporter, const Deprecation& fact,
                   Node mapping) {
  for (const std::string_view prefix : prefixes) {
    const std::string name = std::string(prefix) + std::string(alpha_resource);
    Node amount;  // of the last of equal keys, which takes effect
    for (const auto& [key, value] : mapping.entries()) {
      if (key.text() == name) amount = value;
    }
    if (amount && !is_passed_over(amount)) report_entry(corpus, reporter, fact, amount, prefix);
  }
}

}  // namespace

void check_resource(const Corpus& corpus, Reporter& reporter, const Deprecation& fact, Node root) {
  walk(root, [&](Node node) {
    if (node.is_mapping()) check_amounts(corpus, reporter, fact, node);
    // A taint may have any key, so tolerations and taints (`key: …`) are left alone.
    const bool is_value = node.is_scalar() && (node.key() || node.parent().is_sequence());
    if (is_value && node.text() == alpha_resource && node.key().text() != "key") {
      reporter
          .report(node, "`{}` is a resource that no node has offered since Kubernetes {}",
                  node.text(), fact.removed_in)
          .fix(Safety::safe, fmt::format("write `{}`", fact.replacement),
               replace_string(*corpus.sources, node, fact.replacement));
    }
  });
}

}  // namespace gpulint::rules::alpha_gpu_api
