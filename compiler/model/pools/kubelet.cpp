#include "compiler/model/pools/kubelet.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/taint_spec.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] std::optional<std::uint32_t> base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

/// nullopt if the text is not base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text) {
  std::string decoded;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') break;
    const auto digit = base64_digit(c);
    if (!digit) return std::nullopt;
    bits = (bits << 6) | *digit;
    if (++count % 4 == 0) {
      for (const int shift : {16, 8, 0}) decoded += static_cast<char>((bits >> shift) & 0xff);
      bits = 0;
    }
  }
  if (count % 4 == 3) {
    decoded += static_cast<char>((bits >> 10) & 0xff);
    decoded += static_cast<char>((bits >> 2) & 0xff);
  } else if (count % 4 == 2) {
    decoded += static_cast<char>((bits >> 4) & 0xff);
  }
  return decoded;
}

/// The value of the flag's last occurrence: up to a blank or a quote.
[[nodiscard]] std::string flag_value(std::string_view script, std::string_view flag) {
  const std::size_t found = script.rfind(flag);
  if (found == std::string_view::npos) return {};
  std::string_view rest = script.substr(found + flag.size());
  if (!rest.starts_with('=') && !rest.starts_with(' ')) return {};
  rest.remove_prefix(1);
  if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
  const std::string_view value = rest.substr(0, rest.find_first_of(" \t\r\n\"'\\"));
  return value.find('$') == std::string_view::npos ? std::string(value) : std::string{};
}

// k8s.io/kubelet/pkg/apis: labels that a kubelet may set on its own node.
constexpr std::array<std::string_view, 11> allowed_labels{
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone"};

constexpr std::array<std::string_view, 2> allowed_domains{"kubelet.kubernetes.io",
                                                          "node.kubernetes.io"};

/// Whether a key is in `kubernetes.io` or `k8s.io` and not among those that a kubelet may set.
[[nodiscard]] bool is_forbidden_node_label(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view domain = key.substr(0, slash);
  if (!is_domain_under(domain, "kubernetes.io") && !is_domain_under(domain, "k8s.io")) return false;
  if (std::ranges::find(allowed_labels, key) != allowed_labels.end()) return false;
  return std::ranges::none_of(
      allowed_domains, [&](std::string_view allowed) { return is_domain_under(domain, allowed); });
}

}  // namespace

KubeletFlags find_kubelet_flags(std::string_view user_data) {
  const std::optional<std::string> decoded = decode_base64(user_data);
  const std::string_view script = decoded ? std::string_view(*decoded) : user_data;
  return {flag_value(script, "--node-labels"), flag_value(script, "--register-with-taints")};
}

std::span<const std::string_view> kubelet_labels() { return allowed_labels; }

std::string node_label_error(const std::vector<PoolLabel>& labels) {
  std::vector<std::string_view> forbidden;
  std::vector<std::string> invalid;
  for (const PoolLabel& label : labels) {
    if (is_forbidden_node_label(label.key)) forbidden.push_back(label.key);
    for (const std::string& problem : label_key_problems(label.key)) {
      invalid.push_back(fmt::format("'{}' - {}", label.key, problem));
    }
    for (const std::string& value : label.values) {
      for (const std::string& problem : label_value_problems(value)) {
        invalid.push_back(fmt::format("'{}' - {}", value, problem));
      }
    }
  }
  if (!forbidden.empty()) {
    return fmt::format("unknown 'kubernetes.io' or 'k8s.io' labels: {}", fmt::join(forbidden, " "));
  }
  if (!invalid.empty()) return fmt::format("invalid node labels: {}", fmt::join(invalid, "; "));
  return {};
}

LabelMap parse_node_labels(std::string_view text, Node node) {
  std::map<std::string, std::string> labels;
  for (const std::string_view entry : split(text, ',')) {
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : entry.substr(equals + 1);
    labels[std::string(trim(entry.substr(0, equals)))] = trim(value);
  }
  LabelMap result;
  for (auto& [key, value] : labels) {
    result.labels.push_back({key, PoolLabel::Known::exact, {std::move(value)}, node});
  }
  result.error = node_label_error(result.labels);
  return result;
}

RegisteredTaints parse_register_with_taints(std::string_view text, Node node) {
  if (text.empty()) return {};
  std::vector<Value<std::string>> specs;
  for (const std::string_view spec : split(text, ',')) specs.push_back({std::string(spec), node});
  TaintSpecs parsed = parse_taint_specs(specs);
  return {std::move(parsed.taints), std::move(parsed.error)};
}

NodePool read_kubelet_configuration(Node object) {
  NodePool pool;
  pool.source = NodePool::Source::kubelet;
  pool.name = object_name(object);
  pool.node = object;
  const Node list = object.get("registerWithTaints");
  bool decodes = !list || list.is_null() || list.is_sequence();
  for (const Node item : list.items()) {
    decodes = decodes && (item.is_mapping() || item.is_null());
  }
  for (Taint& taint : read_taints(list)) {
    decodes = decodes && !taint.key.is_mistyped() && !taint.value.is_mistyped() &&
              !taint.effect.is_mistyped();
    pool.taints.push_back(std::move(taint));
  }
  pool.error = decodes ? kubelet_taint_error(pool.taints)
                       : "decode: registerWithTaints is a list of {key, value, effect}";
  if (!decodes) pool.taints.clear();
  return pool;
}

}  // namespace gpulint
