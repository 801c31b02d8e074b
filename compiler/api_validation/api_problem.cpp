#include "compiler/api_validation/api_problem.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint {

std::string_view to_string(ApiErrorType type) {
  switch (type) {
    case ApiErrorType::decode:
      return "DecodeError";
    case ApiErrorType::duplicate_field:
      return "DuplicateField";
    case ApiErrorType::unknown_field:
      return "StrictError";
    case ApiErrorType::no_such_kind:
      return "NoSuchKind";
    case ApiErrorType::invalid:
      return "FieldValueInvalid";
    case ApiErrorType::required:
      return "FieldValueRequired";
    case ApiErrorType::not_supported:
      return "FieldValueNotSupported";
    case ApiErrorType::duplicate:
      return "FieldValueDuplicate";
    case ApiErrorType::forbidden:
      return "FieldValueForbidden";
    case ApiErrorType::not_found:
      return "FieldValueNotFound";
  }
  return {};
}

void ApiReport::add(ApiIssue issue, ApiErrorType type, Node node, std::string path,
                    std::string detail) {
  problems_.push_back({issue, type, node, std::move(path), std::move(detail)});
}

void ApiReport::invalid(ApiIssue issue, Node node, std::string path, std::string_view value,
                        std::string_view why) {
  invalid_raw(issue, node, std::move(path), go_quote(value), why);
}

void ApiReport::invalid_raw(ApiIssue issue, Node node, std::string path, std::string_view value,
                            std::string_view why) {
  add(issue, ApiErrorType::invalid, node, std::move(path),
      fmt::format("Invalid value: {}: {}", value, why));
}

void ApiReport::required(ApiIssue issue, Node node, std::string path, std::string_view why) {
  add(issue, ApiErrorType::required, node, std::move(path),
      why.empty() ? "Required value" : fmt::format("Required value: {}", why));
}

void ApiReport::forbidden(ApiIssue issue, Node node, std::string path, std::string_view why) {
  add(issue, ApiErrorType::forbidden, node, std::move(path), fmt::format("Forbidden: {}", why));
}

void ApiReport::duplicate(ApiIssue issue, Node node, std::string path, std::string_view value) {
  add(issue, ApiErrorType::duplicate, node, std::move(path),
      fmt::format("Duplicate value: {}", go_quote(value)));
}

void ApiReport::not_supported(ApiIssue issue, Node node, std::string path, std::string_view value,
                              std::span<const std::string_view> supported) {
  std::vector<std::string> quoted;
  for (const std::string_view name : supported) quoted.push_back(go_quote(name));
  add(issue, ApiErrorType::not_supported, node, std::move(path),
      fmt::format("Unsupported value: {}: supported values: {}", go_quote(value),
                  fmt::join(quoted, ", ")));
}

std::string go_quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '\r') {
      quoted += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace gpulint
