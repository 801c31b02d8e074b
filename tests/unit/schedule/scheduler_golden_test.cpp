#include <algorithm>
#include <string>
#include <vector>

#include "compiler/model/pools/read_node.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/extended_resource_toleration.h"
#include "compiler/schedule/predicates.h"
#include "tests/unit/model/golden.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using test::Json;
using test::Parsed;

/// A reason as the golden file writes it.
[[nodiscard]] std::string golden_text(const Reason& reason) {
  std::string kind(to_string(reason.kind));
  if (reason.kind == ReasonKind::insufficient_resource) kind = "insufficient";
  return reason.detail.empty() ? kind : kind + ":" + reason.detail;
}

[[nodiscard]] bool is_decode_error(const Json& test_case) {
  return test_case["reasons"].dump().find("decode-error") != std::string::npos;
}

[[nodiscard]] std::string compare_placement(const Json& test_case) {
  if (is_decode_error(test_case)) return {};  // judged by the API validation
  const Parsed pod(test_case["pod"].dump());
  const Parsed node(test_case["node"].dump());
  const PodSpec spec = read_pod_spec(pod.root());
  const NodePool pool = read_node(node.root());
  const PreparedPod prepared = prepare_pod(spec);
  const PreparedNode prepared_node(pool);
  const Assessment assessment = assess(prepared, prepared_node);
  std::vector<std::string> reasons;
  for (const Reason& reason : assessment.reasons) reasons.push_back(golden_text(reason));
  std::ranges::sort(reasons);
  const Json actual{{"fits", assessment.fits == Ternary::yes}, {"reasons", reasons}};
  const Json expected{{"fits", test_case["fits"]}, {"reasons", test_case["reasons"]}};
  if (assessment.fits == Ternary::unknown) return "unknown";
  if (fits(prepared, prepared_node) != assessment.fits) return "fits() and assess() differ";
  if (actual != expected) return actual.dump() + ", expected " + expected.dump();
  Json requests = Json::object();
  for (const PodRequest& request : prepared.requests.resources) {
    const bool is_basic =
        request.name == "cpu" || request.name == "memory" || request.name == "ephemeral-storage";
    if (!is_basic && request.amount != 0) requests[request.name] = request.amount;
  }
  const Json expected_requests = test_case.value("requests", Json::object());
  return requests == expected_requests
             ? ""
             : requests.dump() + ", expected requests " + expected_requests.dump();
}

[[nodiscard]] std::string compare_admission(const Json& test_case) {
  const Parsed pod(test_case["pod"].dump());
  const AdmittedTolerations admitted = admit_extended_resources(read_pod_spec(pod.root()));
  Json tolerations = Json::array();
  for (const Toleration& toleration : admitted.tolerations) {
    Json item = Json::object();
    const auto put = [&](const char* key, const Field<std::string>& field) {
      if (field.is_known() && !field.value().empty()) item[key] = field.value();
    };
    put("key", toleration.key);
    put("operator", toleration.op);
    put("value", toleration.value);
    put("effect", toleration.effect);
    if (toleration.toleration_seconds.is_known()) {
      item["tolerationSeconds"] = toleration.toleration_seconds.value();
    }
    tolerations.push_back(item);
  }
  const Json actual{{"tolerations", tolerations}, {"added", admitted.added}};
  const Json expected{{"tolerations", test_case["tolerations"]}, {"added", test_case["added"]}};
  return actual == expected ? "" : actual.dump() + ", expected " + expected.dump();
}

}  // namespace

TEST_CASE("pods fit nodes as the Kubernetes scheduler decides") {
  test::check_golden("scheduler.jsonl", compare_placement);
}

TEST_CASE("ExtendedResourceToleration adds what the admission plugin adds") {
  test::check_golden("ert.jsonl", compare_admission);
}

}  // namespace gpulint
