#include "tests/unit/generate/support.h"

#include <catch2/catch.hpp>

#include "compiler/driver/options.h"
#include "compiler/pipeline.h"

namespace gpulint::test {
namespace {

[[nodiscard]] std::unique_ptr<Project> load(const Files& files,
                                            const std::vector<std::string>& arguments,
                                            const std::string& command, Options& options) {
  std::vector<std::string> words{"gpulint", command, "--no-config", "--jobs", "1"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Overlay overlay;
  for (const auto& [name, text] : files) {
    const bool is_layer = name.starts_with("values");
    if (is_layer) words.emplace_back("--values");
    words.push_back(name);
    overlay[name] = text;
  }
  std::vector<const char*> raw;
  for (const std::string& word : words) raw.push_back(word.c_str());
  ParsedOptions parsed = parse_options(static_cast<int>(raw.size()), raw.data());
  REQUIRE(parsed.options);
  options = *parsed.options;
  return load_project(options, overlay);
}

}  // namespace

Generated generate(const Files& files, const std::vector<std::string>& arguments) {
  Options options;
  const auto project = load(files, arguments, "generate", options);
  REQUIRE(project->scopes.size() == 1);
  const Result<Generated> generated = generate_for_scope(project->scopes.front(), options.bare);
  if (!generated.ok()) FAIL(generated.error().message);
  return generated.value();
}

Places places(const Files& files, const std::vector<std::string>& arguments) {
  Options options;
  const auto project = load(files, arguments, "place", options);
  Places result;
  for (const Scope& scope : project->scopes) {
    for (const flyte::Installation& installation : scope.flyte.installations) {
      for (const flyte::CompiledPod& pod : installation.pods) {
        std::vector<std::string>& nodes = result[pod.task];
        if (!pod.error.empty()) continue;
        const Placement placement({&pod.workload}, scope.corpus.cluster,
                                  ExtendedResourceToleration::off);
        for (std::size_t c = 0; c < placement.classes().size(); ++c) {
          if (placement.fits(0, c) == Ternary::no) continue;
          for (const std::size_t pool : placement.classes()[c].pools) {
            nodes.push_back(scope.corpus.cluster.pools[pool].name);
          }
        }
      }
    }
  }
  return result;
}

}  // namespace gpulint::test
