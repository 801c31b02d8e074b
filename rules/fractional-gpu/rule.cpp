#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/kinds/chart_values.h"
#include "compiler/model/read_pod.h"

namespace gpulint::rules::fractional_gpu {
namespace {

constexpr std::string_view not_whole = "is not a whole number";

/// What is wrong with the amount, as the end of a sentence; empty if it is valid.
[[nodiscard]] std::string_view flaw_of(const Field<Quantity>& amount) {
  if (amount.is_mistyped()) return "is not a quantity";
  if (!amount.is_known()) return {};
  if (amount.value().is_negative()) return "is negative";
  return amount.value().is_whole() ? std::string_view{} : not_whole;
}

/// Names that count devices or their parts; other rules report misspelt and removed names.
[[nodiscard]] bool counts_devices(std::string_view name) {
  using Kind = GpuResource::Kind;
  const Kind kind = classify_resource(name).kind;
  return kind != Kind::none && kind != Kind::removed && kind != Kind::near_miss &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

/// Reports an amount of a resource that is not a whole number of devices; `name` as written.
void check_amount(const Corpus& corpus, Reporter& reporter, std::string_view name, Node value,
                  std::string_view resource) {
  const std::string_view flaw = flaw_of(read_quantity(value));
  if (flaw.empty()) return;
  std::string written(value.is_scalar() ? value.text() : corpus.sources->text(value.span()));
  written.resize(std::min<std::size_t>(written.size(), 40));
  const bool is_nvidia = resource.starts_with("nvidia.com/") || resource == "gpu";
  Finding finding = reporter.report(value, "`{}: {}` {}", name, written, flaw);
  if (flaw != not_whole) {
    finding.help("write a whole number of devices, or remove the line");
  } else if (is_nvidia) {
    finding.help(
        "request a whole number of devices, or configure MIG, MPS or time-slicing to share a GPU");
  } else {
    finding.help("request a whole number of devices");
  }
}

/// Checks amounts in fields of operators: `quantity` of Spark, `gpu` of Dynamo.
void check_own_words(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest) continue;
    for (const Container& container : workload.pod.containers) {
      for (const ResourceEntry& limit : container.resources.limits) {
        const Node value = limit.amount.node();
        const bool is_own = !container.resources.limits_node ||
                            workload.api_version.value_or("").starts_with("nvidia.com/");
        if (is_own && counts_devices(limit.name.value)) {
          check_amount(corpus, reporter, value.key() ? value.key().text() : limit.name.value, value,
                       limit.name.value);
        }
      }
    }
  }
}

/// `requestGPU` of a model of vLLM's production stack. The chart makes no request if its whole part
/// is 0 (helm/templates/_helpers.tpl, a6c01db05f65: `gt (int $modelSpec.requestGPU) 0`).
void check_served_model(Reporter& reporter, Node model) {
  const Node value = model.get("requestGPU");
  const Field<Quantity> amount = value ? read_quantity(value) : Field<Quantity>{};
  if (!amount.is_known() || amount.value().is_negative() || amount.value().is_whole()) return;
  const bool is_none = amount.value().milli_value() < 1000;
  reporter
      .report(value, "`requestGPU: {}` {}", value.text(),
              is_none ? "requests no GPU, because the chart rounds the value down to 0"
                      : "is not a whole number")
      .help(
          "set `requestGPU` to a whole number, or configure MIG, MPS or time-slicing to share a "
          "GPU. Otherwise {}",
          is_none ? "the scheduler allocates no GPU to the pods" : "Kubernetes rejects the pods");
}

/// Amounts where they are used; an alias may refer to a list under another key.
struct AmountList {
  std::string_view place;  ///< `limits`, `requests`, `defaults`.
  Node owner;              ///< The mapping with the list under this name.
  Node list;
};

/// Whether the limit next to a request has the same amount and is reported instead.
[[nodiscard]] bool follows_limit(const AmountList& used, std::string_view name, Node value) {
  if (used.place != "requests") return false;
  const Node limit = used.owner.at("limits", name);
  return limit && limit != value && limit.text() == value.text();
}

[[nodiscard]] bool is_manifest(const Document& document) {
  return root(document).get("apiVersion") && root(document).get("kind");
}

/// Kubernetes reads a missing value as 0. In Helm values, and in patches (containers without an
/// image), null removes the key.
void check_empty(Reporter& reporter, const AmountList& used, Node key) {
  if (used.place != "limits" || !is_manifest(*key.document())) return;
  if (!used.owner.parent().get("image")) return;
  reporter
      .report(key, "Kubernetes sets the limit `{}` to 0, because the line has no value", key.text())
      .severity(Severity::warning)
      .help("write the number of devices, or remove the line");
}

void check_list(const Corpus& corpus, Reporter& reporter, const AmountList& used) {
  // The configuration of another program in a ConfigMap may count GPUs differently.
  const Document& document = *used.list.document();
  const bool is_foreign = document.host && !is_manifest(document) && !are_values(document);
  const bool of_flyte = used.owner.key().text() == "task_resources";
  for (const auto& [key, value] : used.list.fields()) {
    const bool is_device = !is_foreign && used.place != "defaults" && counts_devices(key.text());
    if (!is_device && !(of_flyte && key.text() == "gpu")) continue;
    if (value.is_null()) {
      if (is_device) check_empty(reporter, used, key);
    } else if (!follows_limit(used, key.text(), value)) {
      check_amount(corpus, reporter, key.text(), value, key.text());
    }
  }
}

void check_document(const Corpus& corpus, Reporter& reporter, const Document& document) {
  if (!document.errors.empty()) return;
  // A list with many aliases is checked once for each place and limit next to it.
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

extern constinit const Rule rule{
    .info = {.category = "resources"}, .check = check, .depends_on = DependsOn::file};

}  // namespace gpulint::rules::fractional_gpu
