#include "compiler/model/kubernetes_names.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

constexpr std::size_t max_label_length = 63;
constexpr std::size_t max_subdomain_length = 253;
constexpr std::string_view native_prefix = "kubernetes.io/";
constexpr std::string_view quota_prefix = "requests.";

// The API server's own texts: users search for them.
constexpr std::string_view key_complaint =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view value_complaint =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view subdomain_complaint =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view dns_label_complaint =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

[[nodiscard]] bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
/// Non-empty, letters, digits, `-`, `_`, `.`; the ends alphanumeric.
[[nodiscard]] bool is_label_name(std::string_view name) {
  return !name.empty() && is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::ranges::all_of(
             name, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

[[nodiscard]] bool is_dns_label(std::string_view name) {
  const auto is_end = [](char c) { return is_lower(c) || is_digit(c); };
  return !name.empty() && is_end(name.front()) && is_end(name.back()) &&
         std::ranges::all_of(name, [&](char c) { return is_end(c) || c == '-'; });
}

[[nodiscard]] bool is_dns_subdomain(std::string_view name) {
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_dns_label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

[[nodiscard]] std::string too_long(std::size_t limit) {
  return fmt::format("must be no more than {} bytes", limit);
}

[[nodiscard]] NameProblems prefixed(NameProblems problems, std::string_view prefix) {
  for (std::string& problem : problems) problem.insert(0, prefix);
  return problems;
}

/// Whether it contains `kubernetes.io/`.
[[nodiscard]] bool is_prefixed_native_resource(std::string_view name) {
  return name.find(native_prefix) != std::string_view::npos;
}

}  // namespace

NameProblems dns_label_problems(std::string_view name) {
  NameProblems problems;
  if (name.size() > max_label_length) problems.push_back(too_long(max_label_length));
  if (is_dns_label(name)) return problems;
  problems.emplace_back(is_dns_subdomain(name) ? "must not contain dots" : dns_label_complaint);
  return problems;
}

NameProblems dns_subdomain_problems(std::string_view name) {
  NameProblems problems;
  if (name.size() > max_subdomain_length) problems.push_back(too_long(max_subdomain_length));
  if (!is_dns_subdomain(name)) problems.emplace_back(subdomain_complaint);
  return problems;
}

NameProblems label_value_problems(std::string_view value) {
  NameProblems problems;
  if (value.size() > max_label_length) problems.push_back(too_long(max_label_length));
  if (!value.empty() && !is_label_name(value)) problems.emplace_back(value_complaint);
  return problems;
}

NameProblems label_key_problems(std::string_view key) {
  NameProblems problems;
  std::string_view name = key;
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos) {
    name = key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' "
                      "(e.g. 'example.com/MyName')",
                      key_complaint)};
    }
    problems = slash == 0 ? NameProblems{"must be non-empty"}
                          : dns_subdomain_problems(key.substr(0, slash));
    problems = prefixed(std::move(problems), "prefix part ");
  }
  if (name.empty()) {
    problems.emplace_back("name part must be non-empty");
  } else if (name.size() > max_label_length) {
    problems.push_back("name part " + too_long(max_label_length));
  }
  if (!is_label_name(name)) problems.push_back(fmt::format("name part {}", key_complaint));
  return problems;
}

bool is_domain_under(std::string_view domain, std::string_view parent) {
  if (domain == parent) return true;
  return domain.ends_with(parent) && domain.substr(0, domain.size() - parent.size()).ends_with('.');
}

bool is_native_resource(std::string_view name) {
  return name.find('/') == std::string_view::npos || is_prefixed_native_resource(name);
}

bool is_extended_resource(std::string_view name) {
  if (is_native_resource(name) || name.starts_with(quota_prefix)) return false;
  return is_label_key(fmt::format("{}{}", quota_prefix, name));
}

bool is_hugepages_resource(std::string_view name) { return name.starts_with("hugepages-"); }

bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || is_hugepages_resource(name) ||
         is_prefixed_native_resource(name) || name.starts_with("attachable-volumes-");
}

std::optional<std::int64_t> parse_go_int(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_canonical_int(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  const bool is_zero = text == "0";
  if (!is_zero && (digits.empty() || digits.front() < '1' || digits.front() > '9')) {
    return std::nullopt;
  }
  return text.starts_with('+') ? std::nullopt : parse_go_int(text);
}

}  // namespace gpulint
