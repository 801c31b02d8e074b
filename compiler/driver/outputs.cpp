#include "compiler/driver/outputs.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/terminal.h"
#include "compiler/pipeline.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Backend& backend : all_backends()) names.push_back(backend.name);
  return names;
}

/// `--statistics` prints its table instead of findings in these formats.
[[nodiscard]] bool is_for_people(const Backend& backend) {
  return backend.name == "text" || backend.name == "concise";
}

void write_standard_output(const Output& output, const Options& options, const Run& run) {
  std::ostream& out = output.on_standard_error ? std::cerr : std::cout;
  if (!options.statistics) return output.backend->emit(run, out);
  if (is_for_people(*output.backend)) return write_statistics(run, out);
  output.backend->emit(run, out);
  write_statistics(run, std::cerr);
}

}  // namespace

Error unknown_format(std::string_view name, std::span<const std::string_view> names) {
  const auto meant = nearest(name, names);
  return {fmt::format("unknown format `{}`; {}available: {}", name,
                      meant ? fmt::format("did you mean `{}`? ", *meant) : "",
                      fmt::join(names, ", "))};
}

Result<std::vector<Output>> plan_outputs(const Options& options) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"text", ""});
  std::vector<Output> outputs;
  std::set<std::string> places;
  for (const FormatRequest& request : requests) {
    const Backend* backend = find_backend(request.name);
    if (backend == nullptr) {
      return unknown_format(request.name, format_names());
    }
    std::string file = options.formats.empty() ? options.output : request.file;
    if (!places.insert(file).second) {
      return Error{
          fmt::format("two formats would be written to {}; give one a file: --format {}:FILE",
                      file.empty() ? "standard output" : file, request.name)};
    }
    outputs.push_back({backend, std::move(file), false});
  }
  return outputs;
}

std::vector<std::string> write_outputs(const std::vector<Output>& outputs, const Options& options,
                                       Run& run) {
  std::vector<std::string> errors;
  const Presentation on_terminal = run.presentation;
  const Presentation in_file{.color = options.color == When::always,
                             .summary = on_terminal.summary};
  for (const Output& output : outputs) {
    if (output.file.empty()) {
      run.presentation = output.on_standard_error ? in_file : on_terminal;
      write_standard_output(output, options, run);
      continue;
    }
    run.presentation = in_file;
    std::ostringstream text;
    output.backend->emit(run, text);
    if (const auto error = write_file(output.file, std::move(text).str())) {
      errors.push_back(fmt::format("{}: {}", output.file, error->message));
    }
  }
  const bool is_in_files = std::ranges::none_of(outputs, &std::string::empty, &Output::file);
  if (options.statistics && is_in_files) {
    run.presentation = on_terminal;
    write_statistics(run, std::cout);
  }
  std::cout.flush();
  if (!std::cout) errors.emplace_back("standard output cannot be written");
  return errors;
}

int write_text(const Options& options,
               const std::function<void(bool is_json, std::ostream&)>& emit) {
  std::vector<FormatRequest> requests = options.formats;
  if (requests.empty()) requests.push_back({"text", ""});
  for (const FormatRequest& request : requests) {
    const bool is_json = request.name == "json";
    if (!is_json && request.name != "text") {
      static constexpr std::array<std::string_view, 2> names{"text", "json"};
      return refuse(unknown_format(request.name, names));
    }
    const std::string& file = options.formats.empty() ? options.output : request.file;
    if (file.empty()) {
      emit(is_json, std::cout);
      std::cout.flush();
      if (!std::cout) return 2;
      continue;
    }
    std::ostringstream text;
    emit(is_json, text);
    if (const auto error = write_file(file, std::move(text).str())) {
      return refuse(Error{fmt::format("{}: {}", file, error->message)});
    }
  }
  return 0;
}

}  // namespace gpulint
