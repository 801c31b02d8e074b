#include "compiler/project/changed_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/project/boundary.h"
#include "compiler/project/process.h"
#include "frontend/repository.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] bool is_hash(std::string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() >= 40 && std::ranges::all_of(text, is_digit);
}

[[nodiscard]] std::string line_of(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return std::string(trim(line));
}

/// Finds `<hash> <name>` in `packed-refs`, where git moves branches that do not change for a while.
[[nodiscard]] std::string packed(const fs::path& common, std::string_view name) {
  std::ifstream in(common / "packed-refs");
  for (std::string line; std::getline(in, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos || trim(line).substr(blank + 1) != name) continue;
    line.resize(blank);
    return line;
  }
  return {};
}

/// Runs git without the settings and attributes of a repository that could start another program
/// (git-config(1) and gitattributes(5) of git 2.39).
class Git {
 public:
  explicit Git(std::string folder) : folder_(std::move(folder)) {}

  /// Returns the output of git, or its error output if it fails.
  [[nodiscard]] Result<std::string> run(std::vector<std::string> words) const {
    std::vector<std::string> command = {"git", "--no-optional-locks", "-C", folder_};
    for (const std::string& setting : settings_) command.insert(command.end(), {"-c", setting});
    std::ranges::move(words, std::back_inserter(command));
    const Result<ProcessOutput> ran = run_process(command, variables());
    if (!ran.ok()) return ran.error();
    if (ran.value().status == 0) return ran.value().out;
    return Error{std::string(trim(ran.value().err))};
  }

  /// Switches each filter off by name. An attribute of the repository can use a filter from any
  /// configuration.
  [[nodiscard]] std::optional<Error> switch_filters_off() {
    // Status 1 without output: there are no filters.
    const Result<std::string> keys =
        run({"config", "-z", "--name-only", "--get-regexp", "^filter\\."});
    if (!keys.ok() && !keys.error().message.empty()) return keys.error();
    std::set<std::string> names;
    std::string_view list = keys.ok() ? std::string_view(keys.value()) : std::string_view();
    while (!list.empty()) {
      const std::string_view key = take_part(list, '\0');
      names.emplace(key.substr(0, key.rfind('.')));
    }
    for (const std::string& name : names) {
      // `-c` would read the name only up to its `=`.
      if (name.find('=') != std::string::npos) {
        return Error{fmt::format("the git filter `{}` cannot be switched off", name)};
      }
      for (const char* setting : {".clean=", ".smudge=", ".process=", ".required=false"}) {
        settings_.push_back(name + setting);
      }
    }
    return std::nullopt;
  }

 private:
  /// No hooks (a refreshed index would run one) and no transport (for objects that a partial clone
  /// lacks).
  [[nodiscard]] static std::vector<std::string> variables() {
    return {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"};
  }

  std::string folder_;
  std::vector<std::string> settings_ = {"core.fsmonitor=false", "core.quotePath=false",
                                        "core.hooksPath=/dev/null"};
};

void add_paths(const fs::path& top, std::string_view list, std::set<std::string>& paths) {
  while (!list.empty()) {
    std::error_code error;
    const fs::path path = top / fs::path(take_part(list, '\0'));
    paths.insert(fs::weakly_canonical(path, error).string());
  }
}

[[nodiscard]] std::string revision_of(const fs::path& work_tree) {
  const fs::path git = git_folder_of(work_tree);
  const fs::path common = common_folder_of(git);
  std::string head = line_of(git / "HEAD");
  constexpr std::string_view mark = "ref: ";
  if (head.starts_with(mark)) {
    const std::string name = head.substr(mark.size());
    const bool leads_out = name.find("..") != std::string::npos || name.starts_with('/');
    if (leads_out) return {};
    head = line_of(common / name);
    if (head.empty()) head = packed(common, name);
  }
  return is_hash(head) ? head : "";
}

}  // namespace

Result<std::set<std::string>> changed_files(const std::string& folder,
                                            const std::string& revision) {
  const Result<std::string> top = Git(folder).run({"rev-parse", "--show-toplevel"});
  if (!top.ok()) return top.error();
  const std::string root(trim(top.value()));
  Git git(root);
  if (auto error = git.switch_filters_off()) return *error;
  const Result<std::string> commit =
      git.run({"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
  if (!commit.ok()) return Error{fmt::format("unknown git revision `{}`", revision)};
  // In submodules git would start another git with their own settings.
  const Result<std::string> changed =
      git.run({"diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
               "--ignore-submodules=all", std::string(trim(commit.value())), "--"});
  if (!changed.ok()) return changed.error();
  const Result<std::string> added =
      git.run({"ls-files", "-z", "--others", "--exclude-standard", "--full-name"});
  if (!added.ok()) return added.error();
  std::set<std::string> paths;
  add_paths(root, changed.value(), paths);
  add_paths(root, added.value(), paths);
  return paths;
}

std::string revision_of_current_folder() {
  const auto tree = work_tree_above(disk(), disk().current_folder());
  return tree ? revision_of(*tree) : std::string{};
}

}  // namespace gpulint
