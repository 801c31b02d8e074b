#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/model/read_pod.h"

namespace gpulint::rules {
namespace {

/// What is wrong with the amount, as the rest of a sentence; empty if nothing is.
[[nodiscard]] std::string_view flaw_of(const Field<Quantity>& amount) {
  if (amount.is_mistyped()) return "which is no quantity";
  if (!amount.is_known()) return {};
  if (amount.value().is_negative()) return "which is negative";
  return amount.value().is_whole() ? std::string_view{} : "and devices are whole";
}

/// Names that count devices or their parts; misspelt and removed ones are other rules' business.
[[nodiscard]] bool counts_devices(std::string_view name) {
  using Kind = GpuResource::Kind;
  const Kind kind = classify_resource(name).kind;
  return kind != Kind::none && kind != Kind::removed && kind != Kind::near_miss &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

/// Whether the limit beside a request says the same and is reported instead.
[[nodiscard]] bool follows_limit(Node value, std::string_view name) {
  const Node list = value.parent();
  if (list.key().text() != "requests") return false;
  const Node limit = list.parent().at("limits", name);
  return limit && limit != value && limit.text() == value.text();
}

void check_amount(const Corpus& corpus, Reporter& reporter, std::string_view name, Node value) {
  const std::string_view flaw = flaw_of(read_quantity(value));
  if (flaw.empty() || follows_limit(value, name)) return;
  std::string written(value.is_scalar() ? value.text() : corpus.sources->text(value.span()));
  written.resize(std::min<std::size_t>(written.size(), 40));
  reporter.report(value, "`{}` asks for `{}`, {}", name, written, flaw)
      .help(
          "ask for a whole device; for a part of one the cluster needs MIG, MPS or time-slicing, "
          "and the pod asks for the resource that these offer");
}

[[nodiscard]] bool is_manifest(const Document& document) {
  return root(document).get("apiVersion") && root(document).get("kind");
}

/// Kubernetes counts no value as 0. In Helm values and in patches (whose containers name no image)
/// null removes the key.
void check_empty(Reporter& reporter, const Document& document, Node key, Node value) {
  const Node list = value.parent();
  if (!is_manifest(document) || list.key().text() != "limits") return;
  if (!list.parent().parent().get("image")) return;
  reporter.report(key, "`{}` has no value, which counts as 0", key.text())
      .severity(Severity::warning)
      .help("write the number of devices, or remove the line");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    // The configuration of some other program, in a ConfigMap, may count GPUs in its own way.
    const bool is_foreign = document->host != nullptr && !is_manifest(*document);
    walk(root(*document), [&](Node node) {
      const std::string_view place = node.key().text();
      if (!node.is_mapping() || (place != "limits" && place != "requests" && place != "defaults")) {
        return;
      }
      const bool of_flyte = node.parent().key().text() == "task_resources";
      for (const auto& [key, value] : node.fields()) {
        const bool is_device = !is_foreign && place != "defaults" && counts_devices(key.text());
        if (!is_device && !(of_flyte && key.text() == "gpu")) continue;
        if (!value.is_null()) check_amount(corpus, reporter, key.text(), value);
        if (value.is_null() && is_device) check_empty(reporter, *document, key, value);
      }
    });
  }
}

}  // namespace

extern constinit const Rule fractional_gpu;
constinit const Rule fractional_gpu{
    .info = {.id = "fractional-gpu",
             .category = "resources",
             .summary = "A GPU amount is not a whole number, which Kubernetes refuses.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules
