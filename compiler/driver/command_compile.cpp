#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "backends/compiled_pods.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"

namespace gpulint {
namespace {

/// `yaml` is what `text` prints.
[[nodiscard]] Options with_yaml_as_text(Options options) {
  for (FormatRequest& request : options.formats) {
    if (request.name == "yaml") request.name = "text";
  }
  return options;
}

[[nodiscard]] std::string_view why_nothing(const CompiledPods& pods) {
  if (!pods.has_installation) {
    return "nothing to compile: no Flyte configuration among the inputs; name Flyte's values, or "
           "use --chart for a chart's default values";
  }
  return pods.has_python_tasks ? "nothing to compile: no GPU task could be read from the Python "
                                 "files; `gpulint check` names the lines"
                               : "nothing to compile: propeller is disabled, or its ConfigMap is "
                                 "not among the inputs";
}

}  // namespace

int run_compile(const Options& options) {
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  print_task_hints(*project, options);
  const CompiledPods pods = compile_tasks(*project);
  if (pods.are_defaults) {
    print_error("no Flyte configuration among the inputs: the pods show Flyte's defaults");
  }
  if (pods.all.empty()) print_error(why_nothing(pods));
  const bool has_nothing = pods.all.empty() && !pods.has_installation;
  const int written = write_text(with_yaml_as_text(options), [&](bool is_json, std::ostream& out) {
    if (is_json) {
      emit_compiled_json(pods.all, project->sources, out, options.jobs);
    } else {
      emit_compiled_yaml(pods.all, project->sources, out, options.jobs);
    }
  });
  if (written != 0 || has_nothing || !project->errors.empty()) return 2;
  if (pods.all.empty() && options.require_input) return 2;
  return std::ranges::any_of(pods.all, [](const auto* pod) { return !pod->error.empty(); }) ? 1 : 0;
}

}  // namespace gpulint
