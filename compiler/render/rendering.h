#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpulint::render {

/// A file of values that is not part of the chart.
struct ValuesLayer {
  std::string name;
  std::string text;
};

/// Texts by path. They replace files in memory; nothing is written.
using Replacements = std::map<std::string, std::string>;

enum class SchemaCheck : std::uint8_t { on, off };

struct ChartRequest {
  std::string chart;                ///< The absolute path of its folder.
  std::vector<ValuesLayer> values;  ///< Lowest layer first.
  std::string release;
  std::string name_space;
  std::string kube_version;
  Replacements files;  ///< By path relative to the chart.
  SchemaCheck schema = SchemaCheck::on;
};

struct BuildRequest {
  std::string kustomization;  ///< The absolute path of its folder.
  std::string root;           ///< Nothing outside of this folder is read.
  Replacements files;         ///< By absolute path.
};

/// What one template rendered. Of a kustomization: the whole build, without a name.
struct RenderedTemplate {
  std::string name;  ///< `chart/templates/x.yaml`, beginning with the chart's name.
  std::string text;
};

struct Rendering {
  std::vector<RenderedTemplate> templates;  ///< Sorted by name.
  std::vector<std::string> missing;         ///< Dependencies that are declared and not there.
};

}  // namespace gpulint::render
