#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"

namespace gpulint {

/// The API server's type of the problem (`causes[].reason`).
enum class ApiErrorType : std::uint8_t {
  decode,           ///< The body cannot be decoded; nothing else is checked.
  duplicate_field,  ///< The same key twice; rejected under strict field validation.
  unknown_field,    ///< Rejected under strict field validation, which kubectl requests.
  no_such_kind,
  invalid,
  required,
  not_supported,
  duplicate,
  forbidden,
  not_found
};
/// `FieldValueInvalid`, `DecodeError` …
[[nodiscard]] std::string_view to_string(ApiErrorType type);

/// The kind of problem, finer than the API server's type; rules select theirs by it.
enum class ApiIssue : std::uint8_t {
  // structure
  wrong_type,
  bad_quantity,
  unknown_field,
  duplicate_field,
  unknown_kind,
  // metadata
  object_name,
  object_namespace,
  label_key,
  label_value,
  annotation_key,
  // tolerations and taints
  toleration_key,
  toleration_key_missing,
  toleration_operator,
  toleration_comparison,
  toleration_value,
  toleration_exists_value,
  toleration_seconds,
  taint_effect,
  taint_key,
  taint_value,
  taint_repeated,
  toleration_repeated,
  // node selectors and affinity
  selector_operator,
  selector_values_missing,
  selector_values_unwanted,
  selector_single_value,
  selector_key,
  selector_value,
  selector_terms_missing,
  field_selector,
  preference_weight,
  topology_key,
  topology_spread,
  // resources
  resource_name,
  resource_negative,
  resource_fraction,
  resource_hugepages,
  resource_unlike_limit,
  resource_above_limit,
  resource_limit_missing,
  resource_claim,
  pod_level_resource,
  quota_name,
  quota_scope,
  // the rest of pods and workloads
  container_missing,
  container_name,
  container_image,
  enumeration,
  reference,
  restart_policy,
  ephemeral_container,
  init_container_field,
  workload_selector,
  template_labels,
  number_range,
  runtime_handler,
  pod_field
};

/// One problem that makes the API server reject the object.
struct ApiProblem {
  ApiIssue issue = ApiIssue::wrong_type;
  ApiErrorType type = ApiErrorType::invalid;
  Node node;           ///< The offending value or key; for a missing key, its mapping.
  std::string path;    ///< As the server prints it: `spec.tolerations[0].key`.
  std::string detail;  ///< The server's words after the path: `Invalid value: "x": …`.
};

/// Collects problems.
class ApiReport {
 public:
  void add(ApiIssue issue, ApiErrorType type, Node node, std::string path, std::string detail);
  /// Prints `value` in quotes.
  void invalid(ApiIssue issue, Node node, std::string path, std::string_view value,
               std::string_view why);
  /// Prints `value` without quotes (numbers, JSON).
  void invalid_raw(ApiIssue issue, Node node, std::string path, std::string_view value,
                   std::string_view why);
  void required(ApiIssue issue, Node node, std::string path, std::string_view why = {});
  void forbidden(ApiIssue issue, Node node, std::string path, std::string_view why);
  void duplicate(ApiIssue issue, Node node, std::string path, std::string_view value);
  void not_supported(ApiIssue issue, Node node, std::string path, std::string_view value,
                     std::span<const std::string_view> supported);

  [[nodiscard]] bool empty() const { return problems_.empty(); }
  [[nodiscard]] std::vector<ApiProblem> take() && { return std::move(problems_); }

 private:
  std::vector<ApiProblem> problems_;
};

/// Text as Go's %q prints it.
[[nodiscard]] std::string go_quote(std::string_view text);

}  // namespace gpulint
