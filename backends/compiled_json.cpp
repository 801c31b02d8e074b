#include <string>
#include <utility>

#include "backends/compiled_pods.h"
#include "backends/pod_json.h"
#include "compiler/base/parallel.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json place_json(const SourceFile& file, std::uint32_t offset) {
  const Position at = file.position(offset);
  return {{"line", at.line}, {"column", at.column}, {"offset", offset}};
}

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
  object["range"] = {{"start", place_json(file, span.begin)}, {"end", place_json(file, span.end)}};
}

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
    object["origin"] = Json::object();
    return object;
  }
  object["error"] = nullptr;
  object["errorStage"] = nullptr;
  object["spec"] = pod_spec_json(pod);
  object["labels"] = pod_labels_json(pod);
  Json origins = Json::object();
  for (const flyte::Origin& origin : pod.origins) {
    Json place = Json::object();
    put_place(origin.node, sources, place);
    place["key"] = origin.key;
    origins[origin.pointer] = std::move(place);
  }
  object["origin"] = std::move(origins);
  return object;
}

/// As it stands in the list of a document; strings in JSON hold no line breaks.
[[nodiscard]] std::string item_text(const Json& item) {
  std::string text = "\n    ";
  for (const char c : item.dump(2, ' ', false, Json::error_handler_t::replace)) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text;
}

}  // namespace

void emit_compiled_json(const std::vector<flyte::CompiledPod>& pods, const SourceSet& sources,
                        std::ostream& out, unsigned jobs) {
  const auto text_of = [&](std::size_t i) { return item_text(pod_json(pods[i], sources)); };
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
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpulint
