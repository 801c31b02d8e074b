#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "compiler/driver/options.h"
#include "compiler/ir/read.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "frontend/yaml_parser.h"

// The worked examples of testdata/projects: silent as they stand, one error for each mistake.

namespace {

namespace fs = std::filesystem;
using gpulint::Diagnostic;

const std::vector<std::string> projects = {"gke", "eks-karpenter", "aks", "bare-metal-mig"};

struct Mistake {
  std::string name;
  std::string file;
  std::string old_text;
  std::string new_text;
  std::string at;  ///< On the line of the finding; the first line of `new_text` by default.
  std::string rule;
};

[[nodiscard]] std::vector<Mistake> read_mistakes(const fs::path& path) {
  gpulint::SourceSet sources;
  const gpulint::FileId id = sources.add(path.string(), gpulint::test::read_file(path));
  std::vector<Mistake> mistakes;
  for (const auto& document : parse_file(sources.file(id))) {
    for (const gpulint::Node entry : root(*document).items()) {
      const auto text = [&](std::string_view key) {
        return gpulint::read_string(entry, key).value_or("");
      };
      Mistake mistake{text("mistake"), text("file"), text("old"),
                      text("new"),     text("at"),   text("rule")};
      if (mistake.at.empty()) mistake.at = mistake.new_text.substr(0, mistake.new_text.find('\n'));
      mistakes.push_back(std::move(mistake));
    }
  }
  return mistakes;
}

/// Findings as `file:line: severity[rule]`, of the project in a folder.
struct Found {
  std::vector<std::string> lines;
  std::vector<std::string> messages;
};

[[nodiscard]] Found check_folder(const fs::path& folder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const std::vector<const char*> argv = {"gpulint", "check", "."};
  const auto options = gpulint::parse_options(static_cast<int>(argv.size()), argv.data()).options;
  REQUIRE(options);
  const auto project = gpulint::load_project(*options);
  CHECK(project->errors.empty());
  Found found;
  for (const Diagnostic& finding : check_project(*project, *options)) {
    const gpulint::SourceFile& file = project->sources.file(finding.span);
    found.lines.push_back(fmt::format(
        "{}:{}: {}[{}]", fs::path(file.path()).lexically_normal().string(),
        file.position(finding.span.begin).line, to_string(finding.severity), finding.rule->id));
    found.messages.push_back(finding.message);
  }
  fs::current_path(before);
  return found;
}

[[nodiscard]] std::size_t line_of(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

[[nodiscard]] fs::path project_path(const std::string& name) {
  return fs::path(GPULINT_SOURCE_DIR) / "testdata" / "projects" / name;
}

}  // namespace

TEST_CASE("the worked examples are silent under every rule") {
  for (const std::string& name : projects) {
    CAPTURE(name);
    const Found found = check_folder(project_path(name));
    CAPTURE(found.messages);
    CHECK(found.lines == std::vector<std::string>{});
  }
}

TEST_CASE("each mistake in a worked example gives one error, at its line") {
  for (const std::string& name : projects) {
    const std::vector<Mistake> mistakes = read_mistakes(project_path(name) / "mistakes.yaml");
    CHECK(mistakes.size() >= 10);
    for (const Mistake& mistake : mistakes) {
      CAPTURE(name, mistake.name);
      const fs::path folder =
          fs::temp_directory_path() / fmt::format("gpulint-projects-{}", ::getpid()) / name;
      fs::remove_all(folder);
      fs::create_directories(folder);
      fs::copy(project_path(name), folder, fs::copy_options::recursive);
      fs::remove(folder / "mistakes.yaml");
      std::string text = gpulint::test::read_file(folder / mistake.file);
      const std::size_t at = text.find(mistake.old_text);
      REQUIRE(at != std::string::npos);
      CHECK(text.find(mistake.old_text, at + 1) == std::string::npos);
      text.replace(at, mistake.old_text.size(), mistake.new_text);
      std::ofstream(folder / mistake.file, std::ios::binary) << text;
      const Found found = check_folder(folder);
      CAPTURE(found.messages);
      CHECK(found.lines ==
            std::vector<std::string>{fmt::format("{}:{}: error[{}]", mistake.file,
                                                 line_of(text, mistake.at), mistake.rule)});
      fs::remove_all(folder.parent_path());
    }
  }
}
