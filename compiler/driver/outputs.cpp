#include "compiler/driver/outputs.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "compiler/driver/inputs_read.h"
#include "compiler/driver/terminal.h"
#include "compiler/driver/write_file.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string format_names() {
  std::vector<std::string_view> names;
  for (const Backend& backend : all_backends()) names.push_back(backend.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// `--statistics` puts the table in the place of findings that people would read.
[[nodiscard]] bool is_for_people(const Backend& backend) {
  return backend.name == "text" || backend.name == "concise";
}

void write_standard_output(const Output& output, const Options& options, const Run& run) {
  if (!options.statistics) return output.backend->emit(run, std::cout);
  if (is_for_people(*output.backend)) return write_statistics(run, std::cout);
  output.backend->emit(run, std::cout);
  write_statistics(run, std::cerr);
}

}  // namespace

Result<std::vector<Output>> plan_outputs(const Options& options) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"text", ""});
  std::vector<Output> outputs;
  std::set<std::string> places;
  for (const FormatRequest& request : requests) {
    const Backend* backend = find_backend(request.name);
    if (backend == nullptr) {
      return Error{fmt::format("unknown format `{}`; there are {}", request.name, format_names())};
    }
    std::string file = request.file.empty() ? options.output : request.file;
    if (!places.insert(file).second) {
      return Error{fmt::format("two formats would go to {}; give one a file: --format {}:FILE",
                               file.empty() ? "standard output" : file, request.name)};
    }
    outputs.push_back({backend, std::move(file)});
  }
  return outputs;
}

std::optional<Error> refuse_input(const Project& project, const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error)) return std::nullopt;
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const std::string& input = project.sources.file(id).path();
    if (!fs::equivalent(path, input, error) || error) continue;
    // A report of an earlier run that lies in the folder to check is no input: nothing is read.
    const bool is_json = fs::path(path).extension() == ".json";
    if (is_json && !reads_anything(project, id)) continue;
    return Error{fmt::format("{}: is an input; it will not be overwritten", path)};
  }
  return std::nullopt;
}

std::vector<std::string> write_outputs(const std::vector<Output>& outputs, const Options& options,
                                       Run& run) {
  std::vector<std::string> errors;
  const Presentation on_terminal = run.presentation;
  for (const Output& output : outputs) {
    if (output.file.empty()) {
      run.presentation = on_terminal;
      write_standard_output(output, options, run);
      continue;
    }
    run.presentation = {.color = options.color == When::always, .summary = on_terminal.summary};
    std::ostringstream text;
    output.backend->emit(run, text);
    if (const auto error = write_file(output.file, std::move(text).str())) {
      errors.push_back(fmt::format("{}: {}", output.file, error->message));
    }
  }
  std::cout.flush();
  if (!std::cout) errors.emplace_back("standard output cannot be written");
  return errors;
}

}  // namespace gpulint
