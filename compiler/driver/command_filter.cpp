#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/resource_list.h"
#include "compiler/analysis/check.h"
#include "compiler/analysis/project.h"
#include "compiler/answers/finding_filter.h"
#include "compiler/answers/stream_origins.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/function_config.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/inputs/input_files.h"
#include "frontend/load.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

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
  if (const auto error = filter_findings(*project, options, options.changed_since, findings, notes))
    return refuse(*error);
  if (findings.empty()) options.quiet = true;  // a stream that is right goes through without a word
  const int status = report(*project, findings, options, outputs.value());
  if (status == 2) return status;
  if (stream.list()) return pass_on(list_with_results(stream, *project, options, findings), status);
  return status == 0 ? pass_on(stream.bytes(), status) : status;
}

}  // namespace gpulint
