#include "compiler/project/resource_list.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// The items of a list, or of a text with commas.
[[nodiscard]] std::vector<std::string> words_of(Node value) {
  std::vector<std::string> words;
  if (value.is_sequence()) {
    for (const Node item : value.items()) words.emplace_back(item.text());
    return words;
  }
  std::string_view rest = value.text();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (end > 0) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

[[nodiscard]] Error refused_word(std::string_view key, std::string_view word,
                                 std::string_view words) {
  return {fmt::format("functionConfig: `{}` must be {}, not `{}`", key, words, word)};
}

[[nodiscard]] std::optional<Error> set_fail_on(std::string_view word, FunctionConfig& function) {
  if (!parse_severity(word) && word != "never") {
    return refused_word("failOn", word, "error|warning|info|never");
  }
  function.fail_on = word;
  return std::nullopt;
}

[[nodiscard]] std::optional<Error> set_provider(std::string_view word, FunctionConfig& function) {
  constexpr auto known =
      std::to_array<std::pair<std::string_view, Provider>>({{"gke", Provider::gke},
                                                            {"eks", Provider::eks},
                                                            {"aks", Provider::aks},
                                                            {"generic", Provider::generic}});
  for (const auto& [name, provider] : known) {
    if (name != word) continue;
    function.provider = provider;
    return std::nullopt;
  }
  return refused_word("provider", word, "gke|eks|aks|generic");
}

[[nodiscard]] std::optional<Error> apply(std::string_view key, Node value,
                                         FunctionConfig& function) {
  if (key == "failOn") return set_fail_on(value.text(), function);
  if (key == "provider") return set_provider(value.text(), function);
  if (key == "select") {
    function.select = words_of(value);
  } else if (key == "ignore") {
    function.ignore = words_of(value);
  } else if (key == "nodes") {
    function.nodes = words_of(value);
  } else if (key == "config") {
    function.config = value.text();
  } else {
    return Error{
        fmt::format("functionConfig: unknown key `{}`; the keys are failOn, select, ignore, nodes, "
                    "config, provider",
                    key)};
  }
  return std::nullopt;
}

/// Whether a document is the input of a KRM function: `kind: ResourceList` of
/// `config.kubernetes.io` (KRM functions specification 1.0).
[[nodiscard]] bool is_resource_list(Node document_root) {
  const Node list = document_root.resolved();
  return list.get("kind").text() == "ResourceList" &&
         list.get("apiVersion").text().starts_with("config.kubernetes.io/");
}

[[nodiscard]] std::optional<Error> read_function_config(Node list, FunctionConfig& function) {
  const Node config = list.get("functionConfig");
  const Node settings = config.get(config.get("kind").text() == "ConfigMap" ? "data" : "spec");
  for (const Node::Entry& entry : settings.fields()) {
    if (auto error = apply(entry.key.text(), entry.value, function)) return error;
  }
  return std::nullopt;
}

}  // namespace

Result<PipedStream> read_piped_stream() {
  Result<DecodedBytes> input = read_file("-");
  if (!input.ok()) return input.error();
  PipedStream stream;
  stream.input = std::move(input).value();
  // Other streams are not parsed twice.
  if (stream.input.text.find("ResourceList") == std::string::npos) return stream;
  stream.sources = std::make_unique<SourceSet>();
  const FileId id = stream.sources->add("-", stream.input.text);
  stream.documents = parse_file(stream.sources->file(id));
  const bool is_one = stream.documents.size() == 1 && stream.documents.front()->errors.empty();
  if (!is_one || !is_resource_list(root(*stream.documents.front()))) return stream;
  stream.list = root(*stream.documents.front());
  if (auto error = read_function_config(stream.list, stream.function)) return *error;
  return stream;
}

}  // namespace gpulint
