// golden/yaml-read.jsonl: what sigs.k8s.io/yaml made of each text.
#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/ir/kubernetes_json.h"
#include "tests/unit/model/golden.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using test::Json;

/// Refused by yaml-cpp, read by Kubernetes: it takes no empty node for a key that has only a tag.
constexpr std::array<std::string_view, 1> unreadable_for_yaml_cpp{"yaml-read-d211"};

[[nodiscard]] KubernetesJson read(const std::string& text) {
  const test::Parsed parsed(text);
  return parsed.size() == 0 ? KubernetesJson{"null", {}, {}, false}
                            : to_kubernetes_json(parsed.document());
}

[[nodiscard]] std::string difference(const Json& expected) {
  const KubernetesJson json = read(expected["manifest"].get<std::string>());
  const bool refused = expected.contains("error");
  if (refused != json.error.has_value()) {
    return refused ? "accepted: " + json.text : "refused: " + json.error->message;
  }
  if (expected.contains("strict_error") != json.strict_error.has_value()) return "strict differs";
  if (expected.contains("unstable")) return json.unstable ? "" : "not seen as unstable";
  if (!refused && Json::parse(json.text) != Json(expected["json"])) return json.text;
  return "";
}

}  // namespace

TEST_CASE("Kubernetes' reading of YAML agrees with the recorded one") {
  test::check_golden("yaml-read.jsonl", [](const Json& expected) {
    const std::string id = expected["id"].get<std::string>();
    const bool is_known =
        std::ranges::find(unreadable_for_yaml_cpp, id) != unreadable_for_yaml_cpp.end();
    const std::string seen = difference(expected);
    if (is_known) return std::string(seen.empty() ? "no longer refused: take it off the list" : "");
    return seen;
  });
}

TEST_CASE("Numbers become JSON as Go writes them") {
  CHECK(read("{a: 010, b: 0x1F, c: 1_000, d: 1e3, e: 0.1, f: 1e21, g: 0b11}").text ==
        R"({"a":8,"b":31,"c":1000,"d":1000,"e":0.1,"f":1e+21,"g":3})");
}

}  // namespace gpulint
