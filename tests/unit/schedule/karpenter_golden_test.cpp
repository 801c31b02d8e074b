#include <string>

#include "compiler/model/read_pod.h"
#include "compiler/schedule/karpenter.h"
#include "tests/unit/model/golden.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using test::Json;
using test::Parsed;

[[nodiscard]] std::string compare(const Json& test_case) {
  const Parsed nodepool(test_case["nodepool"].dump());
  const Parsed pod(test_case["pod"].dump());
  const KarpenterProvider provider =
      test_case["provider"] == "aws" ? KarpenterProvider::aws : KarpenterProvider::core;
  const KarpenterPool pool = read_karpenter_pool(nodepool.root(), provider);
  const KarpenterVerdict verdict = check_karpenter(read_pod_spec(pod.root()), pool);
  if (verdict.compatible == Ternary::unknown) return "unknown";
  const Json actual{{"compatible", verdict.compatible == Ternary::yes},
                    {"reasons", verdict.reasons},
                    {"relaxed", verdict.relaxed},
                    {"pod_refused", verdict.pod_refused},
                    {"nodepool_invalid", pool.invalid},
                    {"provisionable", verdict.provisionable() == Ternary::yes}};
  Json expected = Json::object();
  for (const auto& [key, value] : actual.items()) expected[key] = test_case[key];
  return actual == expected ? "" : actual.dump() + ", expected " + expected.dump();
}

}  // namespace

TEST_CASE("pods are compatible with NodePools as Karpenter decides") {
  test::check_golden("karpenter.jsonl", compare);
}

}  // namespace gpulint
