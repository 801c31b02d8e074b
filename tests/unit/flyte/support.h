#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "compiler/base/source_file.h"
#include "compiler/flyte/decode.h"
#include "compiler/flyte/flyte_config.h"
#include "compiler/ir/document.h"

namespace gpulint::flyte::test {

using Json = nlohmann::ordered_json;

/// Texts parsed for one test; documents live as long as this.
class Inputs {
 public:
  /// The first document of a YAML text, an empty one where there is none.
  const Document& parse(std::string path, std::string text);
  /// The first document in a string of `host`, which came from parse().
  const Document& embedded(const Document& host);
  /// A configuration file as Flyte reads it.
  ConfigFile config_file(std::string name, std::string text);
  [[nodiscard]] const SourceSet& sources() const { return sources_; }

 private:
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> documents_;
};

/// Calls `run` for each case of testdata/golden/NAME, of which there is at least one.
void for_each_golden(std::string_view name, const std::function<void(const Json&)>& run);

/// A file in testdata/python; fails the test if it is missing.
[[nodiscard]] std::string read_python_recording(const std::string& name);

[[nodiscard]] FlyteVersion version_of(const Json& golden);

/// Collects the ids of differing cases and fails once, with all of them.
class Differences {
 public:
  explicit Differences(std::string name) : name_(std::move(name)) {}
  ~Differences() = default;
  void add(const Json& golden, const std::string& detail);
  void count() { ++cases_; }
  /// Fails the test where there were differences; `known` ids are excused.
  void require_none() const;

 private:
  std::string name_;
  std::size_t cases_ = 0;
  std::vector<std::string> texts_;
};

/// A decoded value as Go prints it as JSON: fields without a value have their zero value.
[[nodiscard]] Json to_json(const ConfigValue& value, GoType type, const TypeTable& types);

/// `json` without nulls, empty lists and empty objects below the top.
[[nodiscard]] Json without_empty(const Json& json);

}  // namespace gpulint::flyte::test
