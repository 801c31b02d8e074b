#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// The API server's complaints about a name, in its own words and order; empty: the name is valid.
using NameProblems = std::vector<std::string>;

/// A label key, taint key or resource name: an optional DNS prefix, `/`, and a name.
[[nodiscard]] NameProblems label_key_problems(std::string_view key);
[[nodiscard]] NameProblems label_value_problems(std::string_view value);
[[nodiscard]] NameProblems dns_label_problems(std::string_view name);
[[nodiscard]] NameProblems dns_subdomain_problems(std::string_view name);

[[nodiscard]] inline bool is_label_key(std::string_view key) {
  return label_key_problems(key).empty();
}
[[nodiscard]] inline bool is_label_value(std::string_view value) {
  return label_value_problems(value).empty();
}

/// Whether `domain` is `parent`, or a domain below it.
[[nodiscard]] bool is_domain_under(std::string_view domain, std::string_view parent);

/// A name without `/`, or one that contains `kubernetes.io/`: the API server allows fractions and
/// overcommitment for any such resource.
[[nodiscard]] bool is_native_resource(std::string_view name);
/// A device plugin's resource, as the scheduler and ExtendedResourceToleration define it.
[[nodiscard]] bool is_extended_resource(std::string_view name);
/// Resources that the scheduler counts in addition to cpu, memory, ephemeral storage and pods.
[[nodiscard]] bool is_scalar_resource(std::string_view name);
[[nodiscard]] bool is_hugepages_resource(std::string_view name);

/// A decimal integer as in Go's strconv.ParseInt: optional sign, digits, 64 bits.
[[nodiscard]] std::optional<std::int64_t> parse_go_int(std::string_view text);
/// The same in canonical form only: no `+`, no leading zeros, no `-0`.
[[nodiscard]] std::optional<std::int64_t> parse_canonical_int(std::string_view text);

}  // namespace gpulint
