#include <algorithm>
#include <string>
#include <vector>

#include "compiler/model/pools/eksctl.h"
#include "compiler/model/pools/kops.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/taint_spec.h"
#include "tests/unit/model/golden.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using test::Json;
using test::Parsed;

[[nodiscard]] Json taints_json(const std::vector<Taint>& taints) {
  Json list = Json::array();
  for (const Taint& taint : taints) {
    Json item{{"key", taint.key.value_or("")}};
    if (!taint.value.value_or("").empty()) item["value"] = taint.value.value();
    item["effect"] = taint.effect.value_or("");
    list.push_back(item);
  }
  return list;
}

/// Labels that are certain; what a provider adds is none of the golden file's business.
[[nodiscard]] Json labels_json(std::vector<PoolLabel> labels) {
  std::ranges::sort(labels, {}, &PoolLabel::key);
  Json map = Json::object();
  for (const PoolLabel& label : labels) {
    if (label.known == PoolLabel::Known::exact) map[label.key] = label.values.front();
  }
  return map;
}

struct Outcome {
  Json taints = Json::array();
  Json labels = Json::object();
  bool has_error = false;
  bool has_kubelet_error = false;
};

[[nodiscard]] Outcome outcome_of(const NodePool& pool) {
  return {taints_json(pool.taints), labels_json(pool.labels), !pool.error.empty(),
          !pool.kubelet_error.empty()};
}

[[nodiscard]] Outcome read(const Json& test_case) {
  const std::string form = test_case["form"];
  const Json& input = test_case["input"];
  if (form == "kubectl-taint") {
    std::vector<Value<std::string>> specs;
    for (const Json& spec : input) specs.push_back({spec.get<std::string>(), {}});
    const TaintSpecs parsed = parse_taint_specs(specs);
    return {taints_json(parsed.taints), Json::object(), !parsed.error.empty(), false};
  }
  const std::string text = input;
  if (form == "kubelet-node-labels") {
    const LabelMap parsed = parse_node_labels(text, {});
    return {Json::array(), labels_json(parsed.labels), !parsed.error.empty(), false};
  }
  if (form == "kubelet-register-with-taints") {
    const RegisteredTaints parsed = parse_register_with_taints(text, {});
    return {taints_json(parsed.taints), Json::object(), !parsed.error.empty(), false};
  }
  const Parsed document(text);
  if (form == "kubelet-config") return outcome_of(read_kubelet_configuration(document.root()));
  if (form == "kops") return outcome_of(read_kops(document.root()));
  return outcome_of(read_eksctl(document.root()).at(0));
}

[[nodiscard]] std::string compare_pools(const Json& test_case) {
  const Outcome outcome = read(test_case);
  Json expected_labels = Json::object();
  for (const auto& [key, value] : test_case["labels"].items()) expected_labels[key] = value;
  const Json actual{{"taints", outcome.taints},
                    {"labels", outcome.labels},
                    {"error", outcome.has_error},
                    {"kubelet_error", outcome.has_kubelet_error}};
  const Json expected{{"taints", test_case["taints"]},
                      {"labels", expected_labels},
                      {"error", !test_case["error"].get<std::string>().empty()},
                      {"kubelet_error", test_case.contains("kubelet_error")}};
  const bool is_equal = nlohmann::json(actual) == nlohmann::json(expected);
  return is_equal ? "" : actual.dump() + ", expected " + expected.dump();
}

}  // namespace

TEST_CASE("node pools carry the taints and labels that their tools give them") {
  test::check_golden("pools.jsonl", compare_pools);
}

}  // namespace gpulint
