#include "backends/resource_list.h"

#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>

#include "backends/unicode.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

void put_text(const char* key, std::string_view text, Json& object) {
  if (!text.empty()) object[key] = text;
}

[[nodiscard]] Json resource_ref_json(Node object) {
  Json json = Json::object();
  put_text("apiVersion", object.get("apiVersion").text(), json);
  put_text("kind", object.get("kind").text(), json);
  put_text("name", object.at("metadata", "name").text(), json);
  put_text("namespace", object.at("metadata", "namespace").text(), json);
  return json;
}

/// The annotation with the object's file; kpt writes the `internal.` one.
[[nodiscard]] std::string_view file_note(Node object, std::string_view name) {
  const Node annotations = object.at("metadata", "annotations");
  const Node internal = annotations.get("internal.config.kubernetes.io/" + std::string(name));
  return (internal ? internal : annotations.get("config.kubernetes.io/" + std::string(name)))
      .text();
}

[[nodiscard]] Json file_json(Node object) {
  Json json = Json::object();
  put_text("path", file_note(object, "path"), json);
  const std::string_view index = file_note(object, "index");
  int number = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), number);
  if (error == std::errc() && !json.empty()) json["index"] = number;
  return json;
}

/// The path within the item: `items[0].spec.x` as `spec.x`.
[[nodiscard]] std::string_view path_in_item(std::string_view path) {
  constexpr std::string_view items = "items[";
  if (!path.starts_with(items)) return path;
  const std::size_t end = path.find("].");
  return end == std::string_view::npos ? std::string_view{} : path.substr(end + 2);
}

[[nodiscard]] Json result_json(const FunctionResult& result) {
  const Diagnostic& finding = *result.finding;
  Json json = {{"message", finding.message}, {"severity", to_string(finding.severity)}};
  if (Json ref = resource_ref_json(result.object); !ref.empty()) {
    json["resourceRef"] = std::move(ref);
  }
  const std::string_view path = path_in_item(finding.path);
  if (!path.empty()) json["field"] = {{"path", path}};
  if (Json file = file_json(result.object); !file.empty()) json["file"] = std::move(file);
  json["tags"] = {{"rule", finding.rule->id}};
  return json;
}

/// JSON is YAML: one line for each result, whatever the messages contain.
[[nodiscard]] std::string result_line(const FunctionResult& result) {
  return escape_hidden(result_json(result).dump(-1, ' ', false, Json::error_handler_t::replace),
                       EscapeSyntax::yaml);
}

}  // namespace

std::string with_results(std::string_view text, Node list,
                         std::span<const FunctionResult> results) {
  if (results.empty() || list.get("results")) return std::string(text);
  if (list.style() == Style::flow) {
    std::string all;
    for (const FunctionResult& each : results) all += (all.empty() ? "" : ", ") + result_line(each);
    const std::size_t end = list.span().end - 1;
    return std::string(text.substr(0, end)) + ", \"results\": [" + all + "]" +
           std::string(text.substr(end));
  }
  const std::size_t first = list.children().front().span().begin;
  const std::size_t line = text.rfind('\n', first);
  const std::string indentation(first - (line == std::string_view::npos ? 0 : line + 1), ' ');
  const std::size_t end = list.document()->span.end;
  std::string all(text.substr(0, end));
  if (!all.ends_with('\n')) all += '\n';
  all += indentation + "results:\n";
  for (const FunctionResult& each : results) all += indentation + "- " + result_line(each) + '\n';
  return all + std::string(text.substr(end));
}

}  // namespace gpulint
