#include "compiler/render/own_program.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gpulint::render {
namespace {

using Json = nlohmann::ordered_json;

/// The program limits the processor time of each request itself; this ends one that does not.
constexpr Limits own_limits{.cpu_seconds = 1200};

[[nodiscard]] Json files_json(const Replacements& files) {
  Json json = Json::object();
  for (const auto& [path, text] : files) json[path] = text;
  return json;
}

[[nodiscard]] std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

[[nodiscard]] std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

/// nullopt if the line is not an answer to this request.
[[nodiscard]] std::optional<Result<Rendering>> read_answer(const std::string& line, int id) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || json.value("id", -1) != id) return std::nullopt;
  if (const auto error = json.find("error"); error != json.end() && error->is_string()) {
    return Error{on_one_line(error->get<std::string>())};
  }
  Rendering rendering;
  std::size_t size = 0;
  const auto templates = json.find("templates");
  if (templates == json.end()) return std::nullopt;
  for (const Json& each : *templates) {
    if (!each.is_object()) return std::nullopt;
    rendering.templates.push_back({each.value("name", ""), each.value("text", "")});
    size += rendering.templates.back().text.size();
  }
  if (size > own_limits.output_bytes) return Error{"more than 64 MiB of output"};
  if (const auto missing = json.find("missing"); missing != json.end() && missing->is_array()) {
    for (const Json& name : *missing) {
      if (name.is_string()) rendering.missing.push_back(name.get<std::string>());
    }
  }
  return rendering;
}

}  // namespace

bool OwnProgram::start() {
  if (process_) return true;
  process_ =
      std::make_unique<ConfinedProcess>(std::vector<std::string>{path_}, home_.path(), own_limits);
  if (!process_->is_started()) process_.reset();
  return process_ != nullptr;
}

Result<Rendering> OwnProgram::ask(const std::string& line, int id) {
  if (home_.path().empty() || !start()) return Error{fmt::format("cannot run {}", path_)};
  if (!process_->write(line)) {
    process_.reset();
    return Error{"gpulint-render ended"};
  }
  Result<std::string> answer = process_->read_line();
  if (!answer.ok()) {
    process_.reset();
    return answer.error();
  }
  if (auto rendering = read_answer(answer.value(), id)) return *std::move(rendering);
  process_.reset();
  return Error{"gpulint-render gave an answer that is not one"};
}

Result<Rendering> OwnProgram::render(const ChartRequest& request) {
  Json values = Json::array();
  for (const ValuesLayer& layer : request.values) {
    values.push_back({{"name", layer.name}, {"text", layer.text}});
  }
  const int id = ++last_id_;
  return ask(line_of({{"id", id},
                      {"chart", request.chart},
                      {"values", std::move(values)},
                      {"release", request.release},
                      {"namespace", request.name_space},
                      {"kubeVersion", request.kube_version},
                      {"files", files_json(request.files)},
                      {"checkSchema", request.schema == SchemaCheck::on}}),
             id);
}

Result<Rendering> OwnProgram::build(const BuildRequest& request) {
  const int id = ++last_id_;
  return ask(line_of({{"id", id},
                      {"kustomization", request.kustomization},
                      {"root", request.root},
                      {"files", files_json(request.files)}}),
             id);
}

}  // namespace gpulint::render
