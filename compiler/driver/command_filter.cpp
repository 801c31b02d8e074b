#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "backends/resource_list.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

/// The function's configuration takes precedence over the command line.
void apply(const FunctionConfig& function, Options& options) {
  if (function.fail_on) options.fail_on = parse_severity(*function.fail_on);  // `never`: nothing
  if (function.provider) options.provider = *function.provider;
  if (function.select) options.select = *function.select;
  if (function.ignore) options.ignore = *function.ignore;
  if (function.nodes) options.nodes = *function.nodes;
  if (function.config) options.config = *function.config;
}

/// Standard output carries the stream: findings go to standard error unless a format has a file.
[[nodiscard]] Result<std::vector<Output>> plan_beside_stream(const Options& options) {
  Result<std::vector<Output>> planned = plan_outputs(options);
  if (!planned.ok()) return planned.error();
  std::vector<Output> outputs = std::move(planned).value();
  for (Output& output : outputs) output.on_standard_error = output.file.empty();
  return outputs;
}

[[nodiscard]] std::string list_with_results(const PipedStream& stream, const Project& project,
                                            const Options& options,
                                            const std::vector<Diagnostic>& findings) {
  const std::vector<Node> objects = find_places(project, options, findings).piped;
  std::vector<FunctionResult> results;
  for (std::size_t i = 0; i < findings.size(); ++i) results.push_back({&findings[i], objects[i]});
  return with_results(stream.input.text, stream.list, results);
}

[[nodiscard]] int pass_on(const std::string& bytes, int status) {
  std::cout << bytes;
  return std::cout.flush() ? status : refuse(Error{"standard output cannot be written"});
}

}  // namespace

int run_filter(const Options& given) {
  Options options = given;
  const Result<PipedStream> read = read_stream();
  if (!read.ok()) return refuse(read.error());
  const PipedStream& stream = read.value();
  apply(stream.function, options);
  if (std::ranges::find(options.paths, "-") == options.paths.end()) options.paths.emplace_back("-");
  const Result<std::vector<Output>> outputs = plan_beside_stream(options);
  if (!outputs.ok()) return refuse(outputs.error());
  const auto project = load_project(options, {{"-", stream.input}});
  if (const auto error = refuse_project(*project, options)) {
    return report_refusal(*project, *error, options, outputs.value());
  }
  std::vector<Diagnostic> findings = check_project(*project, options);
  std::vector<std::string> notes;
  if (const auto error = keep_asked(*project, options, findings, notes)) return refuse(*error);
  if (findings.empty()) options.quiet = true;  // a correct stream prints nothing else
  const int status = report(*project, findings, options, outputs.value());
  if (status == 2) return status;
  if (stream.list) return pass_on(list_with_results(stream, *project, options, findings), status);
  return status == 0 ? pass_on(stream.bytes(), status) : status;
}

}  // namespace gpulint
