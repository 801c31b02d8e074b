#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api_validation/api_validation.h"
#include "compiler/api_validation/validate_pod.h"
#include "compiler/ir/kubernetes_json.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"
#include "tests/unit/model/golden.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint {
namespace {

using test::Json;
using test::Parsed;

/// The kinds that the golden cases' server knew.
constexpr std::array<std::string_view, 8> recorded_kinds{
    "DaemonSet", "Deployment",    "Job",          "Node",
    "Pod",       "ResourceQuota", "RuntimeClass", "StatefulSet"};

[[nodiscard]] bool is_decode_error(const ApiProblem& problem) {
  return problem.type == ApiErrorType::decode;
}

[[nodiscard]] std::string quoted(const std::set<std::string>& items) {
  return Json(std::vector<std::string>(items.begin(), items.end())).dump();
}

/// What the recorded server says of a manifest, as `type path`.
struct Answer {
  std::multiset<std::string> errors;
  std::multiset<std::string> unknown_fields;
  std::multiset<std::string> details;
};

[[nodiscard]] Answer answer_of(const Parsed& parsed) {
  Answer answer;
  if (parsed.size() == 0) return {{"NoSuchKind "}, {}, {}};
  const KubernetesJson json = to_kubernetes_json(parsed.document());
  if (json.error) return {{"DecodeError "}, {}, {}};
  const auto objects = find_objects(parsed.root());
  const KubernetesObject object = objects.empty() ? KubernetesObject{} : objects.front();
  if (object.api_version.is_mistyped() || object.kind.is_mistyped())
    return {{"DecodeError "}, {}, {}};
  const bool is_recorded =
      is_validated(object) &&
      std::ranges::find(recorded_kinds, object.kind.value()) != recorded_kinds.end();
  if (!is_recorded) return {{"NoSuchKind "}, {}, {}};
  const std::vector<ApiProblem> problems = validate_object(object);
  if (std::ranges::any_of(problems, is_decode_error)) return {{"DecodeError "}, {}, {}};
  if (json.strict_error) answer.errors.insert("DuplicateField ");
  for (const ApiProblem& problem : problems) {
    if (problem.type == ApiErrorType::unknown_field) {
      answer.unknown_fields.insert(problem.path);
    } else if (problem.type != ApiErrorType::duplicate_field) {
      answer.errors.insert(std::string(to_string(problem.type)) + " " + problem.path);
      answer.details.insert(problem.path + ": " + problem.detail);
    }
  }
  return answer;
}

[[nodiscard]] Json list(const std::multiset<std::string>& items) {
  return Json(std::vector<std::string>(items.begin(), items.end()));
}

[[nodiscard]] std::string compare_manifest(const Json& test_case) {
  const Parsed parsed(test_case["manifest"].get<std::string>());
  const Answer actual = answer_of(parsed);
  Answer expected;
  bool has_details = true;
  for (const Json& error : test_case["errors"]) {
    const std::string type = error["type"];
    const std::string path = error["path"];
    const std::string detail = error["detail"];
    expected.errors.insert(type + " " + path);
    // Details with a recorded object's random identifier cannot agree.
    has_details = has_details && !path.empty() && detail.find("00000000-0000") == std::string::npos;
    if (!path.empty()) expected.details.insert(path + ": " + detail);
  }
  for (const Json& field : test_case["unknown_fields"]) expected.unknown_fields.insert(field);
  const bool valid = actual.errors.empty() && actual.unknown_fields.empty();
  if (valid != test_case["valid"].get<bool>()) {
    return "valid is " + Json(valid).dump() + "; " + list(actual.errors).dump() +
           list(actual.unknown_fields).dump() + ", expected " + list(expected.errors).dump();
  }
  if (actual.errors != expected.errors || actual.unknown_fields != expected.unknown_fields) {
    return list(actual.errors).dump() + list(actual.unknown_fields).dump() + ", expected " +
           list(expected.errors).dump() + list(expected.unknown_fields).dump();
  }
  if (has_details && actual.details != expected.details) {
    return list(actual.details).dump() + ", expected " + list(expected.details).dump();
  }
  return {};
}

/// `invalid` of the scheduler cases: a bare PodSpec, created as a Pod.
[[nodiscard]] std::string compare_pod(const Json& test_case) {
  const Parsed pod(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":)" +
                   test_case["pod"].dump() + "}");
  const std::vector<ApiProblem> problems = validate_object(find_objects(pod.root()).front());
  std::set<std::string> actual;
  for (const ApiProblem& problem : problems) {
    if (problem.type == ApiErrorType::decode) {
      actual = {"decode"};
      break;
    }
    if (problem.type == ApiErrorType::unknown_field) {
      actual.insert("strict: unknown field \"" + problem.path.substr(5) + "\"");
    } else {
      actual.insert(problem.path + ": " + problem.detail);
    }
  }
  std::set<std::string> expected;
  for (const Json& text : test_case.value("invalid", Json::array())) {
    const std::string complaint = text;
    expected.insert(complaint.starts_with("decode:") ? "decode" : complaint);
  }
  if (test_case["valid"].get<bool>() != actual.empty()) return "valid differs: " + quoted(actual);
  return actual == expected ? "" : quoted(actual) + ", expected " + quoted(expected);
}

/// Cases that agree, of all, by a name.
struct Tally {
  std::map<std::string, std::pair<int, int>> counts;

  void count(const std::string& name, bool agrees) {
    auto& [agreeing, all] = counts[name];
    agreeing += agrees ? 1 : 0;
    ++all;
  }
  [[nodiscard]] std::string text() const {
    std::string result;
    for (const auto& [name, count] : counts) {
      result +=
          name + " " + std::to_string(count.first) + "/" + std::to_string(count.second) + ", ";
    }
    return result.substr(0, result.size() - std::min<std::size_t>(result.size(), 2));
  }
};

[[nodiscard]] std::string kind_of(const Json& test_case) {
  const Parsed parsed(test_case["manifest"].get<std::string>());
  if (parsed.size() == 0) return "none";
  const auto objects = find_objects(parsed.root());
  const std::string kind = objects.empty() ? "" : objects.front().kind.value_or("");
  return kind.empty() ? "none" : kind;
}

}  // namespace

TEST_CASE("manifests are accepted and refused as by the API server") {
  Tally by_kind;
  Tally by_error;
  test::check_golden("api-validation.jsonl", [&](const Json& test_case) {
    const std::string difference = compare_manifest(test_case);
    by_kind.count(kind_of(test_case), difference.empty());
    std::set<std::string> types;
    for (const Json& error : test_case["errors"]) types.insert(error["type"]);
    if (!test_case["unknown_fields"].empty()) types.insert("unknown field");
    if (types.empty()) types.insert("accepted");
    for (const std::string& type : types) by_error.count(type, difference.empty());
    return difference;
  });
  std::cerr << "api-validation.jsonl, agreeing by kind: " << by_kind.text()
            << "\napi-validation.jsonl, agreeing by answer: " << by_error.text() << '\n';
}

TEST_CASE("pods are accepted and refused as by the API server") {
  test::check_golden("scheduler.jsonl", compare_pod);
}

}  // namespace gpulint
