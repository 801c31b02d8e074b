// What documents are taken for: at most one thing each, and by nothing that resembles it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "compiler/ir/node.h"
#include "compiler/model/scope/document_role.h"
#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"

namespace {

namespace fs = std::filesystem;
using namespace gpulint;
using Roles = std::vector<DocumentRole>;

/// A text with its documents, those in strings included.
struct Read {
  explicit Read(const std::string& path, std::string text) : file(0, path, std::move(text)) {
    for (auto& document : parse_file(file)) {
      auto inner = embedded_documents(*document, file);
      documents.push_back(std::move(document));
      std::ranges::move(inner, std::back_inserter(documents));
    }
  }

  SourceFile file;
  std::vector<std::unique_ptr<Document>> documents;
};

[[nodiscard]] std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every YAML and JSON file of a folder that is not huge, in order; none where it is missing.
[[nodiscard]] std::vector<fs::path> find_files(const fs::path& folder) {
  constexpr std::uintmax_t most_bytes = 100'000;
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const bool is_data = extension == ".yaml" || extension == ".yml" || extension == ".json";
    if (entry.is_regular_file() && is_data && entry.file_size() <= most_bytes) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

[[nodiscard]] std::vector<fs::path> all_files() {
  std::vector<fs::path> files = find_files(GPULINT_SHARED_DIR "/corpus");
  for (const char* folder : {"/testdata", "/rules"}) {
    const std::vector<fs::path> more = find_files(std::string(GPULINT_SOURCE_DIR) + folder);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

[[nodiscard]] Roles roles_of_text(const std::string& text) {
  const Read read("a.yaml", text);
  return read.documents.empty() ? Roles{} : roles_of(*read.documents.front());
}

[[nodiscard]] bool are_of_flyte(const Roles& roles) {
  return std::ranges::any_of(roles, [](DocumentRole role) {
    return role == DocumentRole::flyte_core_values || role == DocumentRole::flyte_binary_values ||
           role == DocumentRole::flyte_config;
  });
}

[[nodiscard]] std::string with_key(const Read& read, Node key, std::string_view name) {
  std::string text(read.file.text());
  const Span span = key.span();
  return text.replace(span.begin, span.end - span.begin, name);
}

}  // namespace

TEST_CASE("a document is at most one thing") {
  std::size_t with_role = 0;
  for (const fs::path& path : all_files()) {
    const Read read(path.string(), read_text(path));
    for (const auto& document : read.documents) {
      const Roles roles = roles_of(*document);
      CAPTURE(path.string(), document->index);
      CHECK(roles.size() <= 1);
      with_role += roles.size();
    }
  }
  CHECK(with_role > 500);
}

TEST_CASE("no name of a key makes a document something that it is not") {
  // Like the keys that tell what a document is, and of other programs.
  constexpr std::string_view names[] = {"mpiConfig",  "log_config", "modelConfigs", "sharings",
                                        "flag",       "plugin",     "configMap",    "pool",
                                        "resourcing", "unrelated"};
  std::size_t renamed = 0;
  for (const fs::path& path : all_files()) {
    const Read read(path.string(), read_text(path));
    if (read.documents.size() != 1 || !read.documents.front()->errors.empty()) continue;
    const Roles before = roles_of(*read.documents.front());
    if (before == Roles{DocumentRole::objects}) continue;  // by apiVersion and kind alone
    std::size_t at = 0;
    for (const Node::Entry& entry : root(*read.documents.front()).entries()) {
      const std::string_view name = names[at++ % std::size(names)];
      const Roles after = roles_of_text(with_key(read, entry.key, name));
      CAPTURE(path.string(), std::string(entry.key.text()), std::string(name));
      // It was evidence, and nothing is left; or it was not, and nothing changes. Values of Flyte
      // below any key are those of a parent chart.
      if (!after.empty() && !(are_of_flyte(before) && are_of_flyte(after))) CHECK(after == before);
      ++renamed;
    }
  }
  CHECK(renamed > 100);
}

TEST_CASE("keys that belong to nothing do not change what a document is") {
  struct Example {
    const char* text;
    DocumentRole role;
  };
  const Example examples[] = {
      {"apiVersion: v1\nkind: Pod\nspec: {}\n", DocumentRole::objects},
      {"format_version: '1.2'\nterraform_version: 1.9.5\nconfiguration: {root_module: {}}\n",
       DocumentRole::terraform},
      {"version: v1\nmig-configs: {a: [{devices: all, mig-enabled: false}]}\n",
       DocumentRole::mig_config},
      {"version: v1\nsharing: {timeSlicing: {}}\n", DocumentRole::device_plugin_config},
      {"configmap: {k8s: {plugins: {}}}\n", DocumentRole::flyte_core_values},
      {"configuration: {inline: {plugins: {k8s: {}}}}\n", DocumentRole::flyte_binary_values},
      {"plugins: {k8s: {default-cpus: 1}}\n", DocumentRole::flyte_config}};
  for (const Example& example : examples) {
    for (const char* name : {"mpiConfig", "image", "service", "log_config", "values", "nodes"}) {
      const std::string text = std::string(example.text) + name + ": {a: 1}\n";
      CAPTURE(text);
      CHECK(roles_of_text(text) == Roles{example.role});
      CHECK(roles_of_text(std::string(name) + ": {a: 1}\n") == Roles{});
    }
  }
}
