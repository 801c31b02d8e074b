#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/resource_list.h"
#include "compiler/base/result.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/ir/node.h"
#include "compiler/pipeline.h"
#include "compiler/project/input_files.h"
#include "compiler/project/project.h"
#include "compiler/project/stream_origins.h"
#include "frontend/load.h"
#include "frontend/yaml_parser.h"

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

/// Whether a document is what KRM functions get: `kind: ResourceList` of `config.kubernetes.io`
/// (KRM functions specification 1.0).
[[nodiscard]] bool is_resource_list(Node document_root) {
  const Node list = document_root.resolved();
  return list.get("kind").text() == "ResourceList" &&
         list.get("apiVersion").text().starts_with("config.kubernetes.io/");
}

/// Takes what the list's `functionConfig` says, under `spec` or, of a ConfigMap, under `data`:
/// `failOn`, `select`, `ignore`, `nodes`, `config`, `provider`; lists may be written as
/// `a,b`. An Error where a key or a word means nothing.
[[nodiscard]] std::optional<Error> apply_function_config(Node list, Options& options) {
  const Node config = list.get("functionConfig");
  const Node settings = config.get(config.get("kind").text() == "ConfigMap" ? "data" : "spec");
  for (const Node::Entry& entry : settings.fields()) {
    if (auto error = apply(entry.key.text(), entry.value, options)) return error;
  }
  return std::nullopt;
}

/// What came in, and the ResourceList in it where that is what it is.
class Stream {
 public:
  explicit Stream(DecodedBytes input) : input_(std::move(input)) {
    // A search spares all other streams a second reading.
    if (input_.text.find("ResourceList") == std::string::npos) return;
    const FileId id = sources_.add("-", input_.text);
    documents_ = parse_file(sources_.file(id));
    const bool is_one = documents_.size() == 1 && documents_.front()->errors.empty();
    if (is_one && is_resource_list(root(*documents_.front()))) list_ = root(*documents_.front());
  }

  [[nodiscard]] const DecodedBytes& input() const { return input_; }
  [[nodiscard]] Node list() const { return list_; }
  [[nodiscard]] const std::string& bytes() const {
    return input_.original.empty() ? input_.text : input_.original;
  }

 private:
  DecodedBytes input_;
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> documents_;
  Node list_;
};

/// Standard output is the stream's: findings go to standard error, unless they have files.
[[nodiscard]] Result<std::vector<Output>> plan_beside_stream(const Options& options) {
  Result<std::vector<Output>> planned = plan_outputs(options);
  if (!planned.ok()) return planned.error();
  std::vector<Output> outputs = std::move(planned).value();
  for (Output& output : outputs) output.on_standard_error = output.file.empty();
  return outputs;
}

[[nodiscard]] std::string list_with_results(const Stream& stream, const Project& project,
                                            const Options& options,
                                            const std::vector<Diagnostic>& findings) {
  std::vector<FunctionResult> results;
  for (const Diagnostic& finding : findings) {
    const bool is_in_list = overlay_name(options, project.sources.file(finding.span)) == "-";
    results.push_back({&finding, is_in_list ? object_at(project, finding.span) : Node{}});
  }
  return with_results(stream.input().text, stream.list(), results);
}

[[nodiscard]] int pass_on(const std::string& bytes, int status) {
  std::cout << bytes;
  return std::cout.flush() ? status : refuse(Error{"standard output cannot be written"});
}

}  // namespace

int run_filter(const Options& given) {
  Options options = given;
  Result<DecodedBytes> input = read_file("-");
  if (!input.ok()) return refuse(input.error());
  const Stream stream(std::move(input).value());
  if (const auto error = apply_function_config(stream.list(), options)) return refuse(*error);
  if (std::ranges::find(options.paths, "-") == options.paths.end()) options.paths.emplace_back("-");
  const Result<std::vector<Output>> outputs = plan_beside_stream(options);
  if (!outputs.ok()) return refuse(outputs.error());
  const auto project = load_project(options, {{"-", stream.input()}});
  if (const auto error = refuse_project(*project, options)) {
    return report_refusal(*project, *error, options, outputs.value());
  }
  std::vector<Diagnostic> findings = check_project(*project, options);
  std::vector<std::string> notes;
  if (const auto error = keep_asked(*project, options, findings, notes)) return refuse(*error);
  if (findings.empty()) options.quiet = true;  // a stream that is right goes through without a word
  const int status = report(*project, findings, options, outputs.value());
  if (status == 2) return status;
  if (stream.list()) return pass_on(list_with_results(stream, *project, options, findings), status);
  return status == 0 ? pass_on(stream.bytes(), status) : status;
}

}  // namespace gpulint
