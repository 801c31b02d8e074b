#include "compiler/api_validation/api_validation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/api_validation/api_problem.h"
#include "compiler/api_validation/validate_pod.h"
#include "compiler/api_validation/validate_resources.h"
#include "compiler/api_validation/validate_scheduling.h"
#include "compiler/api_validation/validate_workload.h"
#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/quantity.h"

namespace gpulint {
namespace {

// The fields of the Kubernetes API's types, made at build time from facts/kubernetes-api.json.

enum class ApiFieldKind : std::uint8_t {
  string,
  boolean,
  int32,
  int64,
  number,
  quantity,
  int_or_string,
  time,
  bytes,
  any,
  structure
};

enum class ApiContainer : std::uint8_t { single, list, map };

struct ApiField {
  std::string_view name;  ///< As in JSON.
  ApiFieldKind kind = ApiFieldKind::any;
  ApiContainer container = ApiContainer::single;
  std::uint16_t type = 0;  ///< Of structures: index for api_type().
};

struct ApiType {
  std::string_view name;             ///< As in Go: `PodSpec`.
  std::span<const ApiField> fields;  ///< Sorted by name.
};

struct ApiObject {
  std::string_view api_version;
  std::string_view kind;
};

#include "tables/kubernetes_api.inc"

/// In the order of ApiFieldKind.
constexpr std::array<std::string_view, 11> kind_names{
    "string", "boolean", "integer", "integer", "number", "quantity", "integer or string",
    "string", "string",  "value",   "mapping"};

template <class Rows>
[[nodiscard]] auto find_by_name(const Rows& sorted, std::string_view name) -> decltype(&sorted[0]) {
  const auto found =
      std::ranges::lower_bound(sorted, name, {}, [](const auto& row) { return row.name; });
  return found != std::end(sorted) && found->name == name ? &*found : nullptr;
}

/// The structure of a field.
[[nodiscard]] const ApiType& api_type(const ApiField& field) { return api_types[field.type]; }

/// Null if there is none with this name.
[[nodiscard]] const ApiType* find_api_type(std::string_view name) {
  return find_by_name(api_types, name);
}

[[nodiscard]] const ApiField* find_api_field(const ApiType& type, std::string_view name) {
  return find_by_name(type.fields, name);
}

/// The type that a field accepts, for messages: `integer or string`.
[[nodiscard]] std::string_view kind_name(ApiFieldKind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

/// The type of an object; null if apiVersion and kind are not both known.
[[nodiscard]] const ApiType* find_object_type(std::string_view api_version, std::string_view kind) {
  const bool is_known = std::ranges::any_of(api_objects, [&](const ApiObject& known) {
    return known.api_version == api_version && known.kind == kind;
  });
  return is_known ? find_api_type(kind) : nullptr;
}

using Type = KubernetesScalar::Type;

[[nodiscard]] std::string_view name_of(Type type) {
  switch (type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "boolean";
    case Type::integer:
    case Type::floating:
      return "number";
    case Type::string:
      return "string";
  }
  return {};
}

[[nodiscard]] std::string_view name_of(Node node, const std::optional<KubernetesScalar>& scalar) {
  if (node.is_sequence()) return "list";
  if (node.is_mapping()) return "mapping";
  return scalar ? name_of(scalar->type) : "number that JSON cannot hold";
}

/// `2006-01-02T15:04:05Z`, with fractions and offsets (RFC 3339).
[[nodiscard]] bool is_time(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 'd' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  text.remove_prefix(shape.size());
  if (text.starts_with('.')) {
    const std::size_t end = text.find_first_not_of("0123456789", 1);
    if (end == 1 || end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  if (text == "Z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && is_digit(text[1]) &&
         is_digit(text[2]) && text[3] == ':' && is_digit(text[4]) && is_digit(text[5]);
}

/// Whether the JSON number is a whole number within the bounds.
[[nodiscard]] bool is_integer(const KubernetesScalar& scalar, std::int64_t least,
                              std::int64_t most) {
  if (scalar.type != Type::integer && scalar.type != Type::floating) return false;
  std::int64_t value = 0;
  const char* const end = scalar.text.data() + scalar.text.size();
  const auto [stop, error] = std::from_chars(scalar.text.data(), end, value);
  return error == std::errc{} && stop == end && value >= least && value <= most;
}

[[nodiscard]] bool fits(const KubernetesScalar& scalar, ApiFieldKind kind) {
  constexpr auto int32_least = std::numeric_limits<std::int32_t>::min();
  constexpr auto int32_most = std::numeric_limits<std::int32_t>::max();
  switch (kind) {
    case ApiFieldKind::string:
    case ApiFieldKind::bytes:
      return scalar.type == Type::string;
    case ApiFieldKind::boolean:
      return scalar.type == Type::boolean;
    case ApiFieldKind::int32:
      return is_integer(scalar, int32_least, int32_most);
    case ApiFieldKind::int64:
      return is_integer(scalar, std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::int64_t>::max());
    case ApiFieldKind::number:
      return scalar.type == Type::integer || scalar.type == Type::floating;
    case ApiFieldKind::quantity:
      return scalar.type != Type::boolean && Quantity::parse(scalar.text).has_value();
    case ApiFieldKind::int_or_string:
      return scalar.type == Type::string || is_integer(scalar, int32_least, int32_most);
    case ApiFieldKind::time:
      return scalar.type == Type::string && is_time(scalar.text);
    case ApiFieldKind::any:
      return true;
    case ApiFieldKind::structure:
      return false;
  }
  return true;
}

/// The path of a value. It becomes text only for a problem, because most values are right.
class Path {
 public:
  enum class Step : std::uint8_t { field, item, entry };

  explicit Path(std::string_view root) : name_(root) {}
  Path(const Path& above, Step step, std::string_view name)
      : above_(&above), step_(step), name_(name) {}
  Path(const Path& above, std::size_t item) : above_(&above), step_(Step::item), item_(item) {}

  [[nodiscard]] std::string text() const {
    if (above_ == nullptr) return std::string(name_);
    const std::string above = above_->text();
    if (step_ == Step::item) return fmt::format("{}[{}]", above, item_);
    if (step_ == Step::entry) return fmt::format("{}[{}]", above, name_);
    return above.empty() ? std::string(name_) : fmt::format("{}.{}", above, name_);
  }

 private:
  const Path* above_ = nullptr;
  Step step_ = Step::field;
  std::string_view name_;
  std::size_t item_ = 0;
};

void decode(Node node, const ApiType& type, const std::string& path, ApiReport& report);

class Decoder {
 public:
  explicit Decoder(ApiReport& report) : report_(report) {}

  void read_structure(Node node, const ApiType& type, const Path& path) {
    for (const Node::Entry& entry : read_fields(node, path)) {
      if (entry.key.is_opaque()) continue;
      const std::string_view key = entry.key.text();
      const Path field_path(path, Path::Step::field, key);
      if (const ApiField* const field = find_api_field(type, key)) {
        read_field(entry.value, *field, field_path);
      } else {
        report_.add(ApiIssue::unknown_field, ApiErrorType::unknown_field, entry.key,
                    field_path.text(), fmt::format("unknown field \"{}\"", field_path.text()));
      }
    }
  }

 private:
  /// null is the zero value of everything.
  [[nodiscard]] static bool is_open(Node node) {
    return !node || node.is_null() || (node.is_scalar() && node.is_opaque());
  }

  void read_field(Node node, const ApiField& field, const Path& path) {
    if (is_open(node)) return;
    switch (field.container) {
      case ApiContainer::single:
        read_value(node, field, path);
        return;
      case ApiContainer::list:
        read_list(node, field, path);
        return;
      case ApiContainer::map:
        read_map(node, field, path);
        return;
    }
  }

  void read_list(Node node, const ApiField& field, const Path& path) {
    if (!node.is_sequence()) {
      refuse(node, "list", path);
      return;
    }
    std::size_t index = 0;
    for (const Node item : node.items()) {
      if (!is_open(item)) read_value(item, field, Path(path, index));
      ++index;
    }
  }

  /// Empty for a node that is not a mapping, which is rejected.
  [[nodiscard]] std::vector<Node::Entry> read_fields(Node node, const Path& path) {
    if (!node.is_mapping()) {
      refuse(node, "mapping", path);
      return {};
    }
    std::vector<Node::Entry> fields = node.fields();
    report_repeated_keys(node, fields.size(), path);
    return fields;
  }

  void read_map(Node node, const ApiField& field, const Path& path) {
    for (const Node::Entry& entry : read_fields(node, path)) {
      if (is_open(entry.value)) continue;
      read_value(entry.value, field, Path(path, Path::Step::entry, entry.key.text()));
    }
  }

  void read_value(Node node, const ApiField& field, const Path& path) {
    if (field.kind == ApiFieldKind::any) return;
    if (field.kind == ApiFieldKind::structure) {
      read_structure(node, api_type(field), path);
      return;
    }
    const auto scalar = node.is_scalar() ? read_kubernetes_scalar(node) : std::nullopt;
    if (scalar && fits(*scalar, field.kind)) return;
    const bool is_bad_quantity =
        field.kind == ApiFieldKind::quantity && scalar && scalar->type != Type::boolean;
    if (is_bad_quantity) {
      report_.add(ApiIssue::bad_quantity, ApiErrorType::decode, node, path.text(),
                  fmt::format("{} is not a quantity", go_quote(scalar->text)));
      return;
    }
    refuse(node, kind_name(field.kind), path);
  }

  void refuse(Node node, std::string_view wanted, const Path& path) {
    const auto scalar = node.is_scalar() ? read_kubernetes_scalar(node) : std::nullopt;
    report_.add(ApiIssue::wrong_type, ApiErrorType::decode, node, path.text(),
                fmt::format("cannot read a {} as a {}", name_of(node, scalar), wanted));
  }

  [[nodiscard]] static bool is_merge(const Node::Entry& entry) {
    return entry.key.resolved().text() == "<<";
  }

  void report_repeated_keys(Node node, std::size_t distinct_keys, const Path& path) {
    const std::vector<Node::Entry> entries = node.entries();
    const bool merges = std::ranges::any_of(entries, is_merge);
    if (!merges && distinct_keys == entries.size()) return;
    std::unordered_set<std::string_view> seen;
    for (const Node::Entry& entry : entries) {
      const Node key = entry.key.resolved();
      if (is_merge(entry) || seen.insert(key.text()).second) continue;
      report_.add(ApiIssue::duplicate_field, ApiErrorType::duplicate_field, entry.key, path.text(),
                  fmt::format("key {} already set in map", go_quote(key.text())));
    }
  }

  ApiReport& report_;
};

/// Reads `node` as the API server decodes it into `type`, with strict field validation: reports
/// values of the wrong type, bad quantities, unknown fields and repeated keys. Placeholders fit
/// everywhere.
void decode(Node node, const ApiType& type, const std::string& path, ApiReport& report) {
  Decoder(report).read_structure(node, type, Path(path));
}

[[nodiscard]] bool is_decode_error(const ApiProblem& problem) {
  return problem.type == ApiErrorType::decode;
}

[[nodiscard]] bool is_strict_only(const ApiProblem& problem) {
  return problem.type == ApiErrorType::unknown_field ||
         problem.type == ApiErrorType::duplicate_field;
}

void validate(const KubernetesObject& object, std::string_view kind, ApiReport& report) {
  if (kind == "Pod") {
    validate_pod_object(object.node, report);
  } else if (facts_of_kind(kind).traits.selects) {
    validate_controller(object.node, kind, report);
  } else if (kind == "Job") {
    validate_job(object.node, report);
  } else if (kind == "CronJob") {
    validate_cron_job(object.node, report);
  } else if (kind == "PodTemplate") {
    validate_pod_template_object(object.node, report);
  } else if (kind == "Node") {
    validate_node_object(object.node, report);
  } else if (kind == "RuntimeClass") {
    validate_runtime_class(object.node, report);
  } else if (kind == "ResourceQuota") {
    validate_resource_quota(object.node, report);
  }
}

/// The kind's type, if the tables contain its apiVersion and kind.
[[nodiscard]] const ApiType* type_of(const KubernetesObject& object) {
  const bool is_known = object.kind.is_known() && object.api_version.is_known();
  return is_known ? find_object_type(object.api_version.value(), object.kind.value()) : nullptr;
}

/// Only the decode errors, if there are any; else empty, and the caller continues.
[[nodiscard]] std::vector<ApiProblem> keep_decode_errors(std::vector<ApiProblem> problems) {
  std::erase_if(problems, [](const ApiProblem& problem) { return !is_decode_error(problem); });
  return problems;
}

/// What a controller sets or adds: the image, a container, a mounted volume, a used claim. What an
/// item of a list lacks (a toleration's key, a mount's path) stays missing.
[[nodiscard]] bool may_be_completed(const ApiProblem& problem) {
  const bool is_missing =
      problem.type == ApiErrorType::required || problem.type == ApiErrorType::not_found;
  switch (problem.issue) {
    case ApiIssue::container_missing:
    case ApiIssue::container_name:
    case ApiIssue::container_image:
    case ApiIssue::object_name:
    case ApiIssue::restart_policy:
      return is_missing;
    case ApiIssue::reference:
    case ApiIssue::resource_claim:
      return problem.type == ApiErrorType::not_found;
    default:
      return false;
  }
}

[[nodiscard]] std::vector<ApiProblem> without_completed(std::vector<ApiProblem> problems) {
  std::erase_if(problems, may_be_completed);
  return problems;
}

/// Values are merged over the chart's, which may have the limit, or `cpu` for huge pages.
[[nodiscard]] bool may_be_mended_by_chart(const ApiProblem& problem) {
  const bool is_resources = problem.path.find(".resources") != std::string::npos;
  return is_resources &&
         (problem.type == ApiErrorType::required || problem.type == ApiErrorType::forbidden);
}

}  // namespace

bool is_validated(const KubernetesObject& object) { return type_of(object) != nullptr; }

std::vector<ApiProblem> validate_object(const KubernetesObject& object) {
  const ApiType* const type = type_of(object);
  if (type == nullptr) return {};
  ApiReport decoding;
  decode(object.node, *type, "", decoding);
  std::vector<ApiProblem> problems = std::move(decoding).take();
  if (std::ranges::any_of(problems, is_decode_error)) {
    return keep_decode_errors(std::move(problems));
  }
  ApiReport report;
  validate(object, type->name, report);
  std::ranges::move(std::move(report).take(), std::back_inserter(problems));
  return problems;
}

std::vector<ApiProblem> validate_pod_template(const PodSpec& pod, const std::string& path) {
  const ApiType* const type = find_api_type("PodSpec");
  ApiReport decoding;
  decode(pod.node, *type, path, decoding);
  std::vector<ApiProblem> problems = std::move(decoding).take();
  if (std::ranges::any_of(problems, is_decode_error)) {
    return keep_decode_errors(std::move(problems));
  }
  ApiReport report;
  validate_pod_spec(pod, path, {}, report);
  return without_completed(std::move(report).take());
}

std::vector<ApiProblem> validate_values_part(const PodSpec& pod) {
  ApiReport report;
  decode(pod.node, *find_api_type("PodSpec"), "spec", report);
  std::vector<ApiProblem> problems = keep_decode_errors(std::move(report).take());
  const auto is_of_chart = [](const ApiProblem& problem) {
    constexpr std::array<std::string_view, 5> parts{
        "spec.tolerations", "spec.nodeSelector", "spec.affinity.nodeAffinity",
        "spec.resources.limits", "spec.resources.requests"};
    return std::ranges::none_of(
        parts, [&](std::string_view part) { return problem.path.starts_with(part); });
  };
  std::erase_if(problems, is_of_chart);
  ApiReport rest;
  validate_labels(pod.node_selector, "spec.nodeSelector", rest);
  validate_node_affinity(pod.node_affinity, "spec.affinity.nodeAffinity", rest);
  validate_tolerations(pod.tolerations, "spec.tolerations", rest);
  for (const Container& container : pod.containers) {
    validate_container_resources(container.resources, "spec.containers[0].resources",
                                 RequestDefaulting::none, rest);
  }
  std::ranges::move(std::move(rest).take(), std::back_inserter(problems));
  std::erase_if(problems, may_be_mended_by_chart);
  return problems;
}

std::vector<ApiProblem> validate_workload(const Workload& workload, const std::string& path) {
  const KubernetesObject object{workload.object, workload.api_version, workload.kind};
  if (workload.origin != Workload::Origin::manifest || !is_validated(object)) {
    return validate_pod_template(workload.pod, path);
  }
  std::vector<ApiProblem> problems = validate_object(object);
  return is_completed_later(workload) ? without_completed(std::move(problems)) : problems;
}

bool is_accepted(const std::vector<ApiProblem>& problems) {
  return std::ranges::all_of(problems, is_strict_only);
}

}  // namespace gpulint
