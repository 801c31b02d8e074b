#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "compiler/engine/reporter.h"
#include "compiler/ir/values_place.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/served_models.h"
#include "rules/fractional-gpu/amounts.h"

namespace gpulint::rules::fractional_gpu {
namespace {

/// Amounts as they are used: an alias may stand for what is written under another key.
struct AmountList {
  std::string_view place;  ///< `limits`, `requests`, `defaults`.
  Node owner;              ///< The mapping that holds it under this name.
  Node list;
};

/// Whether the limit beside a request says the same and is reported instead.
[[nodiscard]] bool follows_limit(const AmountList& used, std::string_view name, Node value) {
  if (used.place != "requests") return false;
  const Node limit = used.owner.at("limits", name);
  return limit && limit != value && limit.text() == value.text();
}

[[nodiscard]] bool is_manifest(const Document& document) {
  return root(document).get("apiVersion") && root(document).get("kind");
}

/// Kubernetes counts no value as 0. In Helm values and in patches (whose containers name no image)
/// null removes the key.
void check_empty(Reporter& reporter, const AmountList& used, Node key) {
  if (used.place != "limits" || !is_manifest(*key.document())) return;
  if (!used.owner.parent().get("image")) return;
  reporter.report(key, "`{}` has no value, which counts as 0", key.text())
      .severity(Severity::warning)
      .help("write the number of devices, or remove the line");
}

void check_list(const Corpus& corpus, Reporter& reporter, const AmountList& used) {
  // The configuration of some other program, in a ConfigMap, may count GPUs in its own way.
  const Document& document = *used.list.document();
  const bool is_foreign = document.host && !is_manifest(document) && !are_values(document);
  const bool of_flyte = used.owner.key().text() == "task_resources";
  for (const auto& [key, value] : used.list.fields()) {
    const bool is_device = !is_foreign && used.place != "defaults" && counts_devices(key.text());
    if (!is_device && !(of_flyte && key.text() == "gpu")) continue;
    if (value.is_null()) {
      if (is_device) check_empty(reporter, used, key);
    } else if (!follows_limit(used, key.text(), value)) {
      check_amount(corpus, reporter, key.text(), value);
    }
  }
}

void check_document(const Corpus& corpus, Reporter& reporter, const Document& document) {
  if (!document.errors.empty()) return;
  // What many aliases stand for is judged once for each place and limit beside it.
  std::set<std::tuple<NodeIndex, std::string_view, NodeIndex>> judged;
  walk(root(document), [&](Node owner) {
    if (!owner.is_mapping()) return;
    if (is_served_model(owner)) check_served_model(reporter, owner);
    for (const auto& [key, value] : owner.entries()) {
      const std::string_view place = key.text();
      const Node list = value.resolved();
      if (place != "limits" && place != "requests" && place != "defaults") continue;
      const auto use = std::tuple(list.index(), place, owner.get("limits").index());
      if (value.is_alias() && !judged.insert(use).second) continue;
      check_list(corpus, reporter, {.place = place, .owner = owner, .list = list});
    }
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) check_document(corpus, reporter, *document);
  check_own_words(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "fractional-gpu",
             .category = "resources",
             .summary = "A GPU amount is not a whole number, which Kubernetes refuses.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check,
    .reach = Reach::file};

}  // namespace gpulint::rules::fractional_gpu
