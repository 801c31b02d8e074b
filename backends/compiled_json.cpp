#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "backends/json.h"
#include "backends/pod_json.h"
#include "backends/unicode.h"
#include "compiler/base/parallel.h"
#include "compiler/base/text.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// File and range of a node; null for what is built in or comes from the command line.
void put_place(Node node, const SourceSet& sources, Json& object) {
  if (!node) {
    object["file"] = nullptr;
    object["range"] = nullptr;
    return;
  }
  const Span span = node.span();
  const SourceFile& file = sources.file(span);
  object["file"] = file.path();
  object["range"] = range_json(file, span);
}

/// Without `origin`, which comes last and is printed by print_origins().
[[nodiscard]] Json pod_json(const flyte::CompiledPod& pod, const SourceSet& sources) {
  Json object = {{"task", pod.task},
                 {"flyte", pod.version == FlyteVersion::v2 ? "2" : "1"},
                 {"source", pod.source},
                 {"assumed", pod.assumed}};
  if (!pod.error.empty()) {
    object["error"] = pod.error;
    object["errorStage"] = pod.error_stage;
    Json place = Json::object();
    put_place(pod.error_node, sources, place);
    object["errorPlace"] = std::move(place);
    object["spec"] = nullptr;
    object["labels"] = Json::object();
    return object;
  }
  object["error"] = nullptr;
  object["errorStage"] = nullptr;
  object["spec"] = pod_spec_json(pod);
  object["labels"] = pod_labels_json(pod);
  return object;
}

[[nodiscard]] std::string json_string(std::string_view text) {
  return escape_hidden(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void print_position(const SourceFile& file, std::uint32_t offset, std::string& out) {
  const Position at = file.position(offset);
  fmt::format_to(std::back_inserter(out), R"({{"line": {}, "column": {}, "offset": {}}})", at.line,
                 at.column, file.has_lines() ? offset : 0);
}

/// Most of the text are places. They are printed as they are found, a place a line.
void print_origins(const std::vector<flyte::Origin>& origins, const SourceSet& sources,
                   std::string& out) {
  std::string_view separator = "";
  for (const flyte::Origin& origin : origins) {
    fmt::format_to(std::back_inserter(out), "{}\n        {}: {{\"file\": ", separator,
                   json_string(origin.pointer));
    separator = ",";
    if (origin.node) {
      const Span span = origin.node.span();
      const SourceFile& file = sources.file(span);
      out += json_string(file.path()) + ", \"range\": {\"start\": ";
      print_position(file, span.begin, out);
      out += ", \"end\": ";
      print_position(file, span.end, out);
      out += '}';
    } else {
      out += "null, \"range\": null";
    }
    fmt::format_to(std::back_inserter(out), ", \"key\": {}}}", json_string(origin.key));
  }
  if (!origins.empty()) out += "\n      ";
}

/// The pod as it stands in the document's list.
[[nodiscard]] std::string item_text(const flyte::CompiledPod& pod, const SourceSet& sources) {
  const std::string flat =
      escape_hidden(pod_json(pod, sources).dump(2, ' ', false, Json::error_handler_t::replace));
  std::string text;
  for (std::string_view rest = flat; !rest.empty();) {
    text += "\n    ";
    text += take_part(rest, '\n');
  }
  text.resize(text.size() - std::string_view("\n    }").size());
  text += ",\n      \"origin\": {";
  if (pod.error.empty()) print_origins(pod.origins, sources, text);
  return text + "}\n    }";
}

}  // namespace

void emit_compiled_json(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs) {
  const auto text_of = [&](std::size_t i) { return item_text(*pods[i], sources); };
  const std::vector<std::string> texts = parallel_map(pods.size(), jobs, text_of);
  out << "{\n  \"version\": 1,\n  \"pods\": [";
  for (std::size_t i = 0; i < texts.size(); ++i) out << (i == 0 ? "" : ",") << texts[i];
  out << (texts.empty() ? "" : "\n  ") << "]\n}\n";
}

std::string pod_manifest(const flyte::CompiledPod& pod) {
  Json spec = pod_spec_json(pod);
  for (Json& container : spec["containers"]) {
    if (!container.contains("name")) container["name"] = "task";
    container["image"] = "task";
  }
  const Json document = {{"apiVersion", "v1"},
                         {"kind", "Pod"},
                         {"metadata", {{"name", "task"}, {"labels", pod_labels_json(pod)}}},
                         {"spec", std::move(spec)}};
  return escape_hidden(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace gpulint
