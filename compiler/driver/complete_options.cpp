#include "compiler/driver/complete_options.h"

#include <utility>

#include "backends/backend.h"

namespace gpulint {
namespace {

[[nodiscard]] FormatRequest parse_format(const std::string& text, const std::string& output) {
  const std::size_t colon = text.find(':');
  const bool has_file = colon != std::string::npos;
  std::string file = has_file ? text.substr(colon + 1) : output;
  if (file == "-") file.clear();
  return {text.substr(0, colon), std::move(file)};
}

[[nodiscard]] Purpose purpose_of(Command command) {
  switch (command) {
    case Command::check:
    case Command::filter:
    case Command::fix:
      return Purpose::check;
    case Command::place:
    case Command::why:
      return Purpose::place;
    case Command::generate:
    case Command::policy:
      return Purpose::generate;
    default:
      return Purpose::show;
  }
}

/// Fills in what the request has from the options about output.
void complete_request(Options& options) {
  options.purpose = purpose_of(options.command);
  if (!options.output.empty()) options.outputs.push_back(options.output);
  for (const FormatRequest& format : options.formats) {
    if (!format.file.empty()) options.outputs.push_back(format.file);
    if (format.name == "html" || format.name == "markdown") options.shows_every_node = true;
  }
  if (!options.write_baseline.empty()) options.outputs.push_back(options.write_baseline);
}

}  // namespace

std::vector<std::string> formats_of(Command command) {
  switch (command) {
    case Command::check:
    case Command::filter:
    case Command::fix: {
      std::vector<std::string> names;
      for (const Backend& backend : all_backends()) names.emplace_back(backend.name);
      return names;
    }
    case Command::compile:
      return {"yaml", "json"};
    case Command::policy:
      return {"vap", "gatekeeper", "map"};
    case Command::rule:
    case Command::rules:
      return {"text", "json", "markdown"};
    case Command::place:
    case Command::why:
    case Command::nodes:
    case Command::self_check:
      return {"text", "json"};
    default:
      return {};
  }
}

void complete_options(Options& options, const std::vector<std::string>& formats) {
  for (const std::string& text : formats) {
    options.formats.push_back(parse_format(text, options.output));
  }
  if (!options.formats.empty() || (options.output == "-" && options.command != Command::init)) {
    options.output.clear();
  }
  complete_request(options);
}

}  // namespace gpulint
