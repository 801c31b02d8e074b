#include "compiler/driver/changed_files.h"

#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/driver/process.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// Runs git in `folder` with everything off through which a repository's configuration could run
/// another program.
[[nodiscard]] Result<std::string> git(const std::string& folder, std::vector<std::string> words) {
  std::vector<std::string> command = {
      "git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"};
  std::move(words.begin(), words.end(), std::back_inserter(command));
  const Result<ProcessOutput> ran = run_process(command);
  if (!ran.ok()) return ran.error();
  if (ran.value().status == 0) return ran.value().out;
  return Error{std::string(trim(ran.value().err))};
}

void add_paths(const fs::path& top, std::string_view list, std::set<std::string>& paths) {
  while (!list.empty()) {
    std::error_code error;
    const fs::path path = top / fs::path(take_part(list, '\0'));
    paths.insert(fs::weakly_canonical(path, error).string());
  }
}

}  // namespace

Result<std::set<std::string>> changed_files(const std::string& folder,
                                            const std::string& revision) {
  const Result<std::string> top = git(folder, {"rev-parse", "--show-toplevel"});
  if (!top.ok()) return top.error();
  const std::string root(trim(top.value()));
  const Result<std::string> commit =
      git(root, {"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
  if (!commit.ok()) return Error{fmt::format("no git revision `{}`", revision)};
  const Result<std::string> changed =
      git(root, {"diff", "--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
                 std::string(trim(commit.value())), "--"});
  if (!changed.ok()) return changed.error();
  const Result<std::string> added =
      git(root, {"ls-files", "-z", "--others", "--exclude-standard", "--full-name"});
  if (!added.ok()) return added.error();
  std::set<std::string> paths;
  add_paths(root, changed.value(), paths);
  add_paths(root, added.value(), paths);
  return paths;
}

}  // namespace gpulint
