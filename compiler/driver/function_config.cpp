#include "compiler/driver/function_config.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gpulint {
namespace {

/// The words of a list, or of a text that separates them by commas.
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
  return {fmt::format("functionConfig: `{}` takes {}, not `{}`", key, words, word)};
}

[[nodiscard]] std::optional<Error> set_fail_on(std::string_view word, Options& options) {
  const auto severity = parse_severity(word);
  if (!severity && word != "never") return refused_word("failOn", word, "error|warning|info|never");
  options.fail_on = severity;
  return std::nullopt;
}

[[nodiscard]] std::optional<Error> set_provider(std::string_view word, Options& options) {
  constexpr auto known =
      std::to_array<std::pair<std::string_view, Provider>>({{"gke", Provider::gke},
                                                            {"eks", Provider::eks},
                                                            {"aks", Provider::aks},
                                                            {"generic", Provider::generic}});
  for (const auto& [name, provider] : known) {
    if (name != word) continue;
    options.provider = provider;
    return std::nullopt;
  }
  return refused_word("provider", word, "gke|eks|aks|generic");
}

[[nodiscard]] std::optional<Error> apply(std::string_view key, Node value, Options& options) {
  if (key == "failOn") return set_fail_on(value.text(), options);
  if (key == "provider") return set_provider(value.text(), options);
  if (key == "select") {
    options.select = words_of(value);
  } else if (key == "ignore") {
    options.ignore = words_of(value);
  } else if (key == "nodes") {
    options.nodes = words_of(value);
  } else if (key == "config") {
    options.config = value.text();
  } else {
    return Error{
        fmt::format("functionConfig: unknown key `{}`; there are failOn, select, ignore, nodes, "
                    "config, provider",
                    key)};
  }
  return std::nullopt;
}

}  // namespace

bool is_resource_list(Node document_root) {
  const Node list = document_root.resolved();
  return list.get("kind").text() == "ResourceList" &&
         list.get("apiVersion").text().starts_with("config.kubernetes.io/");
}

std::optional<Error> apply_function_config(Node list, Options& options) {
  const Node config = list.get("functionConfig");
  const Node settings = config.get(config.get("kind").text() == "ConfigMap" ? "data" : "spec");
  for (const Node::Entry& entry : settings.fields()) {
    if (auto error = apply(entry.key.text(), entry.value, options)) return error;
  }
  return std::nullopt;
}

}  // namespace gpulint
