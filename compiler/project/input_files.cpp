#include "compiler/project/input_files.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/glob.h"
#include "compiler/base/parallel.h"
#include "compiler/ir/package.h"
#include "compiler/ir/python.h"
#include "compiler/model/kustomize/kustomization.h"
#include "compiler/project/boundary.h"
#include "compiler/project/flux_variables.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/path_in_config.h"
#include "compiler/project/python_importers.h"
#include "compiler/project/surroundings.h"
#include "frontend/protobuf/package.h"
#include "frontend/python/imports.h"
#include "frontend/relevance.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

struct FoundInput {
  std::string path;
  InputOrigin origin = InputOrigin::named;
  std::vector<std::string> other_names;
  bool was_found = false;
  bool is_around = false;      // only compared with
  bool is_referenced = false;  // as in InputFile
};

struct FoundInputs {
  std::vector<FoundInput> files;
  std::vector<std::string> errors;
  std::vector<std::string> own_outputs;
  std::set<std::string> excluded;
  std::set<std::string> outside;
};

struct HashIdentity {
  std::size_t operator()(const FileIdentity& file) const {
    return std::hash<std::uint64_t>()(file.number * 31U + file.device);
  }
};

struct ReadInput {
  DecodedBytes bytes;
  std::string error;                                     // empty: none
  std::optional<std::vector<std::string>> imports = {};  // of Python without an SDK
};

/// Lists the inputs without reading them.
class Finder {
 public:
  Finder(const Request& request, const Config& config, const FileSystem& disk,
         const std::optional<Surroundings>& surroundings)
      : request_(request), config_(config), disk_(disk), surroundings_(surroundings) {}

  [[nodiscard]] FoundInputs& find() {
    const bool names_nothing = request_.paths.empty() && request_.values.empty();
    // Standard input is first, so the file with its name is not read as well.
    if (std::ranges::find(request_.paths, "-") != request_.paths.end()) add_standard_input();
    if (request_.in_tree || (names_nothing && !has_generation_options())) add_path(".");
    for (const std::string& path : in_order(request_.paths)) add_path(path);
    for (const std::string& path : request_.values) add_file(path, InputOrigin::layer);
    for (const std::string& path : in_order(request_.nodes)) add_file(path, InputOrigin::node_list);
    add_declared(config_.top);
    for (const ScopeConfig& scope : config_.scopes) add_declared(scope);
    return found_;
  }

  /// Adds a file that a kustomization names. Files outside of the repository (without one: of the
  /// current folder) are not added. Without `is_checked` the file is only compared with.
  void add_referenced(const std::string& path, bool is_checked) {
    const std::string name = normal_path(path);
    const FileStatus status = look_up(name);
    if (status.kind != FileStatus::Kind::file || is_excluded(name)) return;
    const bool is_inside =
        request_.allow_outside ||
        (surroundings_ ? surroundings_->holds(name) : !leaves(disk_, name, disk_.current_folder()));
    if (!is_inside && is_checked) found_.outside.insert(name);
    if (!is_inside) return;
    const std::size_t known = found_.files.size();
    add(name, status, InputOrigin::walked, true);
    if (found_.files.size() == known) return;
    found_.files.back().is_referenced = is_checked;
    found_.files.back().is_around = !is_checked;
  }

  /// Every file of the work tree that is not in a named folder.
  [[nodiscard]] const std::vector<std::string>& files_elsewhere() const {
    return surroundings_->files_elsewhere(is_out());
  }

  /// Adds files that the named folders may be compared with. All other files must be added before.
  void add_surroundings() {
    const bool has_python = std::ranges::any_of(found_.files, [](const FoundInput& file) {
      return file.was_found && python::is_source(file.path);
    });
    add_around(surroundings_->files_around(is_out()));
    if (has_python) add_around(surroundings_->possible_flyte_values(is_out()));
  }

  /// Adds files anywhere in the work tree that may declare nodes.
  void add_possible_nodes() { add_around(surroundings_->possible_nodes(is_out())); }

  /// Adds files that the nodes of a file may serve. `place`: its path from the top of the tree.
  void add_served_by(const std::string& place) {
    add_around(surroundings_->files_served_by(place, is_out()));
  }

  void add_around(const std::vector<std::string>& files) {
    const std::size_t begin = found_.files.size();
    for (const std::string& file : files) {
      const FileStatus status = look_up(file);
      const bool is_left_out = is_output(file) || (status.is_link && !surroundings_->holds(file));
      if (!is_left_out) add(file, status, InputOrigin::walked, true);
    }
    for (std::size_t i = begin; i < found_.files.size(); ++i) found_.files[i].is_around = true;
  }

 private:
  [[nodiscard]] IsExcluded is_out() const {
    return [this](std::string_view path) { return is_excluded(path); };
  }

  /// Sorts by name: the order of arguments has no meaning. Layers of `--values` keep their order.
  [[nodiscard]] static std::vector<std::string> in_order(std::vector<std::string> paths) {
    std::ranges::sort(paths, {}, normal_path);
    return paths;
  }

  /// Standard input replaces the file with its name, even if that file is found in another way.
  void add_standard_input() {
    add_file("-", request_.in_tree ? InputOrigin::walked : InputOrigin::named);
    if (request_.stdin_filename.empty()) return;
    const std::string name = normal_path(request_.stdin_filename);
    const std::size_t at = found_.files.size() - 1;
    seen_.try_emplace(name, at);
    const FileStatus status = look_up(name);
    if (status.exists()) by_identity_.try_emplace(status.identity, at);
  }

  void add_path(const std::string& path) {
    if (path == "-" || disk_.status(path).kind != FileStatus::Kind::folder) {
      if (request_.force_exclude && excludes(path)) return;
      add_file(path, request_.in_tree ? InputOrigin::walked : InputOrigin::named);
      return;
    }
    // Values are generated for one cluster, so the files of a folder belong together.
    const InputOrigin origin =
        request_.purpose == Purpose::generate ? InputOrigin::named : InputOrigin::walked;
    add_walked(files_below(normal_path(path)), boundary_of(disk_, path), origin);
  }

  /// If a file in a folder has several names, the name that is not a link counts.
  void add_walked(const std::vector<std::string>& files, const fs::path& boundary,
                  InputOrigin origin) {
    const std::vector<FileStatus> statuses =
        parallel_map(files.size(), request_.jobs, [&](std::size_t i) { return look_up(files[i]); });
    std::unordered_set<FileIdentity, HashIdentity> real;
    for (const FileStatus& status : statuses) {
      if (status.exists() && !status.is_link) real.insert(status.identity);
    }
    std::vector<std::pair<std::string, FileStatus>> links;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string& file = files[i];
      const FileStatus& status = statuses[i];
      if (is_output(file)) {
        found_.own_outputs.push_back(file);
      } else if (status.is_link && status.exists() && real.contains(status.identity)) {
        links.emplace_back(file, status);
      } else if (status.is_link && leads_out(file, boundary)) {
        refuse_outside(file, boundary);
      } else {
        add(file, status, origin, true);
      }
    }
    for (const auto& [file, status] : links) add(file, status, origin, true);
  }

  [[nodiscard]] bool leads_out(const std::string& path, const fs::path& boundary) const {
    return !request_.allow_outside && leaves(disk_, path, boundary);
  }

  void refuse_outside(const std::string& path, const fs::path& boundary) {
    found_.errors.push_back(fmt::format("{}: outside of {}; not read (--allow-outside permits it)",
                                        path, boundary.string()));
  }

  /// Whether the file is an output or the baseline of this run. Unless it is named, it is not an
  /// input.
  [[nodiscard]] bool is_output(const std::string& path) const {
    const auto is_same = [&](const std::string& other) {
      return path.ends_with(fs::path(other).filename().native()) &&
             is_same_file(disk_, path, other);
    };
    return std::ranges::any_of(request_.outputs, is_same) ||
           (!request_.baseline.empty() && is_same(request_.baseline));
  }

  /// Whether options alone describe the nodes, without any file.
  [[nodiscard]] bool has_generation_options() const {
    return request_.purpose == Purpose::generate &&
           (!request_.nodes.empty() || request_.provider != Provider::unknown);
  }

  [[nodiscard]] bool is_excluded(std::string_view path) const {
    if (config_.top.exclude.empty()) return false;
    const std::string inside = path_in_config(disk_, config_, std::string(path));
    return std::ranges::any_of(config_.top.exclude,
                               [&](const auto& glob) { return glob_matches(glob, inside); });
  }

  [[nodiscard]] bool excludes(std::string_view path) {
    const bool is_out = is_excluded(path);
    if (is_out) found_.excluded.insert(normal_path(std::string(path)));
    return is_out;
  }

  /// Adds files that the scopes of gpulint.yaml name, even if the command line does not name them.
  void add_declared(const ScopeConfig& scope) {
    const fs::path boundary = boundary_of(disk_, config_.folder);
    for (const auto* globs : {&scope.nodes, &scope.settings.values_layers}) {
      for (const std::string& glob : *globs) add_matching(glob, boundary);
    }
    // Named sources count in any folder.
    for (const std::string& glob : scope.workloads) {
      if (python::is_source(glob) || package::has_name(glob)) add_matching(glob, boundary);
    }
  }

  void add_matching(const std::string& glob, const fs::path& boundary) {
    const fs::path path = (fs::path(config_.folder) / glob).lexically_normal();
    if (glob.find_first_of("*?[") == std::string::npos) {
      if (disk_.status(path).kind != FileStatus::Kind::file) return;
      if (leads_out(path, boundary)) return refuse_outside(path, boundary);
      add_file(path, InputOrigin::declared);
      return;
    }
    std::vector<std::string> files = files_below(config_.folder);
    std::erase_if(files, [&](const std::string& file) {
      return !glob_matches(glob, path_in_config(disk_, config_, file));
    });
    add_walked(files, boundary, InputOrigin::declared);
  }

  [[nodiscard]] std::vector<std::string> files_below(const std::string& folder) {
    FoundFiles found = disk_.find(folder, [this](std::string_view path) { return excludes(path); });
    for (const Error& error : found.errors) found_.errors.push_back(error.message);
    return std::move(found.paths);
  }

  [[nodiscard]] FileStatus look_up(const std::string& path) const {
    return path == "-" ? FileStatus{} : disk_.status(path);
  }

  void add_file(const std::string& path, InputOrigin origin) {
    const std::string name = normal_path(path);
    add(name, look_up(name), origin);
  }

  void add(const std::string& path, const FileStatus& status, InputOrigin origin,
           bool was_found = false) {
    const auto [named, is_new_name] = seen_.try_emplace(path, found_.files.size());
    if (!is_new_name) return read_as(found_.files[named->second], origin);
    if (status.exists()) {
      const auto [known, is_new] = by_identity_.try_emplace(status.identity, found_.files.size());
      named->second = known->second;
      if (!is_new) {
        found_.files[known->second].other_names.push_back(path);
        return read_as(found_.files[known->second], origin);
      }
    }
    found_.files.push_back({path, origin, {}, was_found});
  }

  /// Nodes of --nodes are for all files, even if the walked folder contains the file.
  static void read_as(FoundInput& known, InputOrigin origin) {
    if (origin == InputOrigin::node_list) known.origin = origin;
  }

  const Request& request_;
  const Config& config_;
  const FileSystem& disk_;
  const std::optional<Surroundings>& surroundings_;
  FoundInputs found_;
  std::unordered_map<std::string, std::size_t> seen_;                        // in found_.files
  std::unordered_map<FileIdentity, std::size_t, HashIdentity> by_identity_;  // in found_.files
};

/// Whether a path of the command line names the file or a folder around it.
[[nodiscard]] bool is_named(const FoundInput& input, const Request& request) {
  if (request.paths.empty()) return true;
  return std::ranges::any_of(request.paths, [&](const std::string& path) {
    const std::string asked = normal_path(path);
    const auto is_within = [&](const std::string& name) {
      return asked == "." || name == asked ||
             name.starts_with(asked.ends_with('/') ? asked : asked + "/");
    };
    return is_within(input.path) || std::ranges::any_of(input.other_names, is_within);
  });
}

[[nodiscard]] std::string source_name(const std::string& path, const Request& request) {
  return path == "-" ? stdin_name(request) : path;
}

[[nodiscard]] FileId add_source(const std::string& path, const Request& request, DecodedBytes bytes,
                                SourceSet& sources) {
  return sources.add(source_name(path, request), std::move(bytes.text), bytes.encoding);
}

/// Converts a package to text. `bytes` are decoded as text.
[[nodiscard]] ReadInput read_package(const std::string& name, DecodedBytes bytes) {
  if (bytes.encoding == SourceFile::Encoding::told) return {std::move(bytes), {}};
  const bool is_changed = bytes.encoding != SourceFile::Encoding::utf8;
  Result<std::string> text = package::unpack(is_changed ? bytes.original : bytes.text);
  if (!text.ok()) {
    return {{},
            fmt::format("{}: cannot be read as output of `pyflyte package`: {}", name,
                        text.error().message)};
  }
  return {DecodedBytes(std::move(text).value(), SourceFile::Encoding::told), {}};
}

[[nodiscard]] ReadInput read_input(const FoundInput& input, const Request& request,
                                   const FileSystem& files) {
  Result<DecodedBytes> bytes = files.read(input.path);
  if (!bytes.ok()) return {{}, bytes.error().message};
  const std::string name = source_name(input.path, request);
  if (package::has_name(name)) return read_package(name, std::move(bytes).value());
  if (input.was_found && python::is_source(input.path) &&
      !python::may_declare_tasks(bytes.value().text)) {
    return {{}, {}, python::imported_words(bytes.value().text)};
  }
  return {std::move(bytes).value(), {}};
}

/// Reads the files of the finder, and files elsewhere that these need.
class Reader {
 public:
  Reader(const Request& request, const Config& config, const FileSystem& files, SourceSet& sources)
      : request_(request),
        files_(files),
        sources_(sources),
        surroundings_(Surroundings::find(files, request, config.folder)),
        finder_(request, config, files, surroundings_) {}

  [[nodiscard]] Inputs read() && {
    FoundInputs& found = finder_.find();
    while (next_ < found.files.size()) {
      read_new(found);
      if (!request_.no_join && request_.reads_around) follow_kustomizations();
    }
    if (surroundings_) {
      read_overlays(found);
      finder_.add_surroundings();
      read_new(found);
      if (declares_nodes()) read_other_clusters(found);
      read_flux_variables(found);
    }
    read_importers();
    inputs_.own_outputs = std::move(found.own_outputs);
    inputs_.excluded.assign(found.excluded.begin(), found.excluded.end());
    inputs_.outside.assign(found.outside.begin(), found.outside.end());
    inputs_.errors.insert(inputs_.errors.begin(), found.errors.begin(), found.errors.end());
    return std::move(inputs_);
  }

 private:
  /// Reads the files that were found since the last call.
  void read_new(FoundInputs& found) {
    const std::size_t begin = std::exchange(next_, found.files.size());
    auto all = parallel_map(next_ - begin, request_.jobs, [&](std::size_t i) {
      return read_input(found.files[begin + i], request_, files_);
    });
    for (std::size_t i = begin; i < next_; ++i) add(found.files[i], std::move(all[i - begin]));
  }

  /// Whether an input may declare nodes. The last inputs are the most likely ones.
  [[nodiscard]] bool declares_nodes() const {
    return std::ranges::any_of(std::views::reverse(inputs_.files), [&](const InputFile& input) {
      return may_declare_nodes(sources_.file(input.id).text());
    });
  }

  /// Reads nodes elsewhere in the work tree, and the files that they may serve.
  void read_other_clusters(FoundInputs& found) {
    const std::size_t first = inputs_.files.size();
    finder_.add_possible_nodes();
    read_new(found);
    const std::size_t last = inputs_.files.size();
    for (std::size_t i = first; i < last; ++i) {
      const InputFile& input = inputs_.files[i];
      if (may_declare_nodes(sources_.file(input.id).text())) finder_.add_served_by(input.place);
    }
    read_new(found);
  }

  void add(FoundInput& input, ReadInput read) {
    if (read.imports) {
      if (input.is_around) return;
      python_imports_.push_back({input.path, std::move(*read.imports)});
      return other_python_.push_back(std::move(input));
    }
    if (!read.error.empty()) {
      inputs_.errors.push_back(std::move(read.error));
      return;
    }
    if (input.path == "-") inputs_.original_stdin = std::move(read.bytes.original);
    const FileId id = add_source(input.path, request_, std::move(read.bytes), sources_);
    inputs_.files.push_back(
        {.id = id,
         .origin = input.origin,
         .is_checked = is_checked(input),
         .is_referenced = input.is_referenced,
         .was_found = input.was_found,
         .other_names = input.other_names,
         .place = surroundings_ ? surroundings_->place_of(sources_.file(id).path()) : ""});
  }

  /// Adds Python files that import an SDK through modules of the project.
  void read_importers() {
    std::vector<std::string> sources;
    for (const InputFile& input : inputs_.files) {
      const std::string& path = sources_.file(input.id).path();
      if (python::is_source(path)) sources.push_back(path);
    }
    for (const std::size_t i : find_python_importers(sources, python_imports_)) {
      Result<DecodedBytes> bytes = files_.read(other_python_[i].path);
      if (bytes.ok()) add(other_python_[i], {std::move(bytes).value(), {}});
    }
    for (FoundInput& each : other_python_) inputs_.other_python.push_back(std::move(each.path));
  }

  [[nodiscard]] bool is_checked(const FoundInput& input) const {
    if (input.is_around) return false;
    const bool is_told = surroundings_ && input.origin == InputOrigin::declared;
    return (!request_.in_tree && !is_told) || is_named(input, request_);
  }

  /// Adds files that a named kustomization uses, anywhere in the repository.
  void follow_kustomizations() {
    for (; followed_ < inputs_.files.size(); ++followed_) {
      const InputFile& input = inputs_.files[followed_];
      if (!input.was_found || !input.is_checked) continue;
      for (const std::string& path : files_of_kustomization(sources_.file(input.id), files_)) {
        finder_.add_referenced(path, true);
      }
    }
  }

  [[nodiscard]] std::vector<std::string> texts_elsewhere(
      const std::vector<std::string>& paths) const {
    return parallel_map(paths.size(), request_.jobs, [&](std::size_t i) {
      Result<DecodedBytes> bytes = files_.read(paths[i]);
      return bytes.ok() ? std::move(bytes).value().text : std::string();
    });
  }

  /// Reads kustomizations elsewhere that use the inputs, and all files that they name: their output
  /// is what is applied.
  void read_overlays(FoundInputs& found) {
    const auto is_kustomization = [&](const InputFile& input) {
      return input.was_found && kustomize::is_kustomization_name(sources_.file(input.id).path());
    };
    if (!surroundings_->is_below_kustomization() &&
        std::ranges::none_of(inputs_.files, is_kustomization)) {
      return;
    }
    for (const std::string& path : overlays_elsewhere()) finder_.add_referenced(path, false);
    for (std::size_t i = inputs_.files.size(); next_ < found.files.size();) {
      read_new(found);
      for (; i < inputs_.files.size(); ++i) {
        const SourceFile& file = sources_.file(inputs_.files[i].id);
        for (const std::string& path : files_of_kustomization(file, files_)) {
          finder_.add_referenced(path, false);
        }
      }
    }
  }

  [[nodiscard]] std::vector<std::string> overlays_elsewhere() {
    std::vector<std::string> paths = finder_.files_elsewhere();
    std::erase_if(paths, [](const auto& path) { return !kustomize::is_kustomization_name(path); });
    std::vector<std::string> texts = texts_elsewhere(paths);
    SourceSet sources;
    std::map<std::string, std::vector<std::size_t>> named_by;  // indexes of `paths`
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const FileId id = sources.add(paths[i], std::move(texts[i]));
      for (const std::string& path : files_of_kustomization(sources.file(id), files_)) {
        named_by[surroundings_->place_of(path)].push_back(i);
      }
    }
    std::vector<std::string> places;
    for (const InputFile& input : inputs_.files) places.push_back(input.place);
    std::set<std::size_t> found;
    while (!places.empty()) {
      const auto at = named_by.find(places.back());
      places.pop_back();
      if (at == named_by.end()) continue;
      for (const std::size_t each : at->second) {
        if (found.insert(each).second) places.push_back(surroundings_->place_of(paths[each]));
      }
    }
    std::vector<std::string> overlays;
    for (const std::size_t each : found) overlays.push_back(paths[each]);
    return overlays;
  }

  /// If an input has variables: reads the Flux Kustomizations and ConfigMaps that set them.
  void read_flux_variables(FoundInputs& found) {
    const auto has_variable = [&](const InputFile& input) {
      const std::string_view text = sources_.file(input.id).text();
      return text.find("${") != std::string_view::npos && may_concern_gpus(text);
    };
    if (std::ranges::none_of(inputs_.files, has_variable)) return;
    const std::vector<std::string>& paths = finder_.files_elsewhere();
    const std::vector<std::string> texts = texts_elsewhere(paths);
    const auto add = [&](const auto& is_wanted) {
      std::vector<std::string> wanted;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        if (is_wanted(texts[i])) wanted.push_back(paths[i]);
      }
      finder_.add_around(wanted);
      read_new(found);
    };
    add(may_set_variables);
    std::set<std::string> names;
    for (const InputFile& input : inputs_.files) {
      const SourceFile& file = sources_.file(input.id);
      if (may_set_variables(file.text())) names.merge(config_maps_of_variables(file));
    }
    add([&](const std::string& text) {
      return std::ranges::any_of(
          names, [&](const std::string& name) { return may_hold_config_map(text, name); });
    });
  }

  const Request& request_;
  const FileSystem& files_;
  SourceSet& sources_;
  std::optional<Surroundings> surroundings_;
  Finder finder_;
  Inputs inputs_;
  std::vector<FoundInput> other_python_;
  std::vector<PythonImports> python_imports_;  // of other_python_
  std::size_t next_ = 0;                       // the first of the found files to read
  std::size_t followed_ = 0;                   // number of inputs_.files
};

}  // namespace

Inputs read_inputs(const Request& request, const Config& config, const FileSystem& files,
                   SourceSet& sources) {
  return Reader(request, config, files, sources).read();
}

Result<FileId> read_source(const std::string& path, const Request& request, const FileSystem& files,
                           SourceSet& sources) {
  Result<DecodedBytes> bytes = files.read(path);
  if (!bytes.ok()) return bytes.error();
  return add_source(path, request, std::move(bytes).value(), sources);
}

std::string overlay_name(const Request& request, const SourceFile& file) {
  const bool reads_stdin = std::ranges::find(request.paths, "-") != request.paths.end();
  return reads_stdin && file.path() == stdin_name(request) ? "-" : file.path();
}

std::string normal_path(const std::string& path) {
  return path == "-" ? path : fs::path(path).lexically_normal().string();
}

}  // namespace gpulint
