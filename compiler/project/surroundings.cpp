#include "compiler/project/surroundings.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/ir/python.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/project/boundary.h"
#include "compiler/project/path_words.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// The path of a file relative to a folder; empty for the folder itself, nullopt outside of it.
[[nodiscard]] std::optional<std::string> path_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative == "." ? std::string() : relative.generic_string();
}

/// Kustomizations count only if another file names them.
[[nodiscard]] bool may_serve_others(std::string_view name) {
  return !python::is_source(name) && !kustomize::is_kustomization_name(name);
}

/// Whether files in the folder `path` below `around` may serve `around`. A folder whose name is not
/// only about machines may be a separate project, which all of its files decide.
[[nodiscard]] bool may_serve_from(std::string_view path, std::string_view around) {
  bool is_cluster = holds_clusters(last_name(around));
  while (true) {
    const bool is_last = path.find('/') == std::string_view::npos;
    const std::string_view name = is_last ? path : take_part(path, '/');
    if (holds_alternatives(name)) return false;
    if (!is_cluster && !holds_machines(name) && !holds_shared_objects(name)) return false;
    if (is_last || (!is_cluster && has_foreign_word(name))) return true;
    is_cluster = holds_clusters(name);
  }
}

/// Converts paths of files that were found below a folder.
class PathsBelow {
 public:
  /// `shown` is the folder as written, `place` its path from the top of the work tree.
  PathsBelow(const std::string& shown, const std::string& place)
      : begin_(shown == "." ? 0 : shown.size() + 1), before_(place.empty() ? "" : place + "/") {}

  [[nodiscard]] std::string place_of(std::string_view path) const {
    return before_ + std::string(path.substr(begin_));
  }

 private:
  std::size_t begin_;
  std::string before_;
};

[[nodiscard]] std::vector<std::string> named_folders(const FileSystem& files,
                                                     const Request& request) {
  if (request.in_tree || (request.paths.empty() && request.values.empty())) return {"."};
  std::vector<std::string> folders;
  for (const std::string& path : request.paths) {
    const bool is_folder = path != "-" && files.status(path).kind == FileStatus::Kind::folder;
    if (is_folder) folders.push_back(path);
  }
  return folders;
}

/// The folders around a named folder, innermost first, up to `top` or to a folder of alternatives.
[[nodiscard]] std::vector<std::string> folders_around(std::string folder, const std::string& top) {
  std::vector<std::string> around;
  while (folder != top && !folder.empty() && !holds_alternatives(last_name(folder))) {
    folder = folder_of(folder);
    if (!holds_alternatives(last_name(folder))) around.push_back(folder);
  }
  return around;
}

}  // namespace

Surroundings::Surroundings(const FileSystem& files, Path root)
    : files_(files), current_(files.current_folder()), root_(std::move(root)) {}

std::optional<Surroundings> Surroundings::find(const FileSystem& files, const Request& request,
                                               const std::string& config_folder) {
  if (request.no_join || !request.reads_around || request.purpose == Purpose::generate) {
    return std::nullopt;
  }
  std::optional<Surroundings> found;
  for (const std::string& folder : named_folders(files, request)) {
    const Path real = resolve_links(files, folder);
    std::optional<Path> root = work_tree_above(files, real);
    if (!root || (found && found->root_ != *root)) return std::nullopt;
    if (!found) {
      found.emplace(Surroundings(files, std::move(*root)));
      found->shows_absolute_ = Path(folder).is_absolute();
    }
    // Removes a slash at the end.
    const Path written = (found->current_ / folder / "x").lexically_normal().parent_path();
    found->links_.emplace_back(written, real);
    found->named_.push_back(path_below(real, found->root_).value_or(""));
  }
  if (found && !config_folder.empty()) {
    const std::string top =
        path_below(resolve_links(files, config_folder), found->root_).value_or("");
    const bool holds_all = std::ranges::all_of(
        found->named_, [&](const std::string& named) { return is_inside(named, top); });
    if (holds_all) found->top_ = top;
  }
  return found;
}

std::vector<std::string> Surroundings::files_around(const IsExcluded& is_excluded) const {
  std::set<std::string> folders;
  for (const std::string& named : named_) {
    for (std::string& folder : folders_around(named, top_)) folders.insert(std::move(folder));
  }
  std::set<std::string> found;
  for (const std::string& around : folders) {
    const std::size_t begin = around.empty() ? 0 : around.size() + 1;
    const auto is_passed_over = [&](std::string_view place) {
      const std::string_view name = last_name(place);
      if (has_read_name(name)) return !may_serve_others(name);
      return !may_serve_from(place.substr(begin), around);
    };
    for (std::string& path : find_below(around, is_excluded, is_passed_over)) {
      found.insert(std::move(path));
    }
  }
  return {found.begin(), found.end()};
}

const std::vector<std::string>& Surroundings::files_elsewhere(const IsExcluded& is_excluded) const {
  if (!elsewhere_) {
    elsewhere_ = find_below(top_, is_excluded, [](std::string_view place) {
      return python::is_source(last_name(place));
    });
  }
  return *elsewhere_;
}

std::vector<std::string> Surroundings::possible_nodes(const IsExcluded& is_excluded) const {
  std::vector<std::string> found;
  const PathsBelow below(shown(top_), top_);
  for (const std::string& path : files_elsewhere(is_excluded)) {
    const std::string place = below.place_of(path);
    const bool may_declare_some = is_named_after_machines(place) &&
                                  may_serve_others(last_name(place)) &&
                                  std::ranges::none_of(folders_in(place), holds_alternatives);
    if (may_declare_some) found.push_back(path);
  }
  return found;
}

bool Surroundings::is_below_kustomization() const {
  const auto has_one = [&](const std::string& folder) {
    return std::ranges::any_of(kustomize::file_names, [&](std::string_view name) {
      return files_.status((Path(shown(folder)) / name).string()).exists();
    });
  };
  return std::ranges::any_of(named_, [&](std::string folder) {
    while (folder != top_ && !folder.empty() && !has_one(folder)) folder = folder_of(folder);
    return has_one(folder);
  });
}

std::vector<std::string> Surroundings::files_served_by(const std::string& place,
                                                       const IsExcluded& is_excluded) const {
  const std::string served = outermost_served(place);
  const auto is_around = [&](const std::string& named) { return is_inside(named, served); };
  if (!is_inside(served, top_) || std::ranges::any_of(named_, is_around)) return {};
  return find_below(served, is_excluded, [](std::string_view) { return false; });
}

std::vector<std::string> Surroundings::possible_flyte_values(const IsExcluded& is_excluded) const {
  return find_below(top_, is_excluded, [](std::string_view place) {
    const std::string_view name = last_name(place);
    if (!has_read_name(name)) return holds_alternatives(name);
    if (!may_serve_others(name)) return true;
    return !name.starts_with("values") && to_lower(place).find("flyte") == std::string::npos;
  });
}

std::string Surroundings::place_of(const std::string& path) const {
  const Path whole = (current_ / path).lexically_normal();
  if (const auto place = path_below(whole, root_)) return *place;
  for (const auto& [written, real] : links_) {
    const auto rest = path_below(whole, written);
    if (rest) return path_below(real / *rest, root_).value_or("");
  }
  return {};
}

bool may_declare_nodes(std::string_view text) {
  constexpr auto words = std::to_array<std::string_view>(
      {"Node", "Provisioner", "ClusterConfig", "InstanceGroup", "Machine", "ContainerCluster",
       "ManagedCluster", "terraform_version"});
  return std::ranges::any_of(words, [&](std::string_view word) { return has_text(text, word); });
}

bool Surroundings::holds(const std::string& path) const { return !leaves(files_, path, root_); }

std::string Surroundings::shown(const std::string& place) const {
  const Path whole = place.empty() ? root_ : root_ / place;
  return (shows_absolute_ ? whole : whole.lexically_proximate(current_)).string();
}

bool Surroundings::is_inside_named(std::string_view place) const {
  return std::ranges::any_of(named_,
                             [&](const std::string& named) { return is_inside(place, named); });
}

std::vector<std::string> Surroundings::find_below(const std::string& folder,
                                                  const IsExcluded& is_excluded,
                                                  const IsPassedOver& is_passed_over) const {
  const std::string top = shown(folder);
  const PathsBelow below(top, folder);
  const auto is_out = [&](std::string_view path) {
    const std::string place = below.place_of(path);
    return is_inside_named(place) || is_passed_over(place) || is_excluded(path);
  };
  return files_.find(top, is_out).paths;
}

}  // namespace gpulint
