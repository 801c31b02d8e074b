#include "compiler/driver/input_files.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "compiler/base/glob.h"
#include "compiler/base/parallel.h"
#include "frontend/load.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

struct FoundInput {
  std::string path;
  InputOrigin origin = InputOrigin::named;
};

struct FoundInputs {
  std::vector<FoundInput> files;
  std::vector<std::string> errors;
};

struct ReadInput {
  DecodedBytes bytes;
  std::string error;  // empty: none
};

/// Lists the inputs without reading them.
class Finder {
 public:
  Finder(const Options& options, const Config& config) : options_(options), config_(config) {}

  [[nodiscard]] FoundInputs find() && {
    if (options_.paths.empty() && options_.values.empty() && !is_generation_told()) add_path(".");
    for (const std::string& path : options_.paths) add_path(path);
    for (const std::string& path : options_.values) add_file(path, InputOrigin::layer);
    for (const std::string& path : options_.nodes) add_file(path, InputOrigin::node_list);
    add_declared(config_.top);
    for (const ScopeConfig& scope : config_.scopes) add_declared(scope);
    return std::move(found_);
  }

 private:
  void add_path(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!options_.force_exclude || !is_excluded(path)) add_file(path, InputOrigin::named);
      return;
    }
    // Values are made for one cluster: there a folder's files belong together.
    const InputOrigin origin =
        options_.command == Command::generate ? InputOrigin::named : InputOrigin::walked;
    for (const std::string& file : files_below(normal_path(path))) {
      if (!is_output(file)) add(file, origin);
    }
  }

  /// Whether this run writes the file, or keeps its records there: what an earlier run left is no
  /// input of the next, unless it is named.
  [[nodiscard]] bool is_output(const std::string& path) const {
    const auto is_same = [&](const std::string& other) {
      if (other.empty() || !path.ends_with(fs::path(other).filename().native())) return false;
      std::error_code error;
      return fs::equivalent(path, other, error);
    };
    return is_same(options_.output) || is_same(options_.baseline) ||
           is_same(options_.write_baseline) ||
           std::ranges::any_of(options_.formats, is_same, &FormatRequest::file);
  }

  /// Flags alone say what to generate for.
  [[nodiscard]] bool is_generation_told() const {
    return options_.command == Command::generate &&
           (!options_.nodes.empty() || options_.provider != Provider::unknown);
  }

  [[nodiscard]] bool is_excluded(std::string_view path) const {
    if (config_.exclude.empty()) return false;
    const std::string inside = path_in_config(config_, std::string(path));
    return std::ranges::any_of(config_.exclude,
                               [&](const auto& glob) { return glob_matches(glob, inside); });
  }

  /// Files that gpulint.yaml needs for its scopes, whatever the command line names.
  void add_declared(const ScopeConfig& scope) {
    for (const auto* globs : {&scope.nodes, &scope.settings.values_layers}) {
      for (const std::string& glob : *globs) add_matching(glob);
    }
  }

  void add_matching(const std::string& glob) {
    const fs::path path = (fs::path(config_.folder) / glob).lexically_normal();
    if (glob.find_first_of("*?[") == std::string::npos) {
      if (fs::is_regular_file(path)) add_file(path, InputOrigin::declared);
      return;
    }
    for (const std::string& file : files_below(config_.folder)) {
      if (glob_matches(glob, path_in_config(config_, file))) add_file(file, InputOrigin::declared);
    }
  }

  [[nodiscard]] std::vector<std::string> files_below(const std::string& folder) {
    FoundFiles found =
        find_files(folder, [this](std::string_view path) { return is_excluded(path); });
    for (const Error& error : found.errors) found_.errors.push_back(error.message);
    return std::move(found.paths);
  }

  void add_file(const std::string& path, InputOrigin origin) { add(normal_path(path), origin); }

  void add(const std::string& normal_path, InputOrigin origin) {
    if (seen_.insert(normal_path).second) found_.files.push_back({normal_path, origin});
  }

  const Options& options_;
  const Config& config_;
  FoundInputs found_;
  std::unordered_set<std::string> seen_;
};

[[nodiscard]] std::string source_name(const std::string& path, const Options& options) {
  return path == "-" ? stdin_name(options) : path;
}

[[nodiscard]] Result<DecodedBytes> read_text(const std::string& path, const Options& options,
                                             const Overlay& overlay) {
  const auto text = overlay.find(source_name(path, options));
  if (text == overlay.end()) return read_file(path);
  return DecodedBytes{text->second, SourceFile::Encoding::utf8};
}

[[nodiscard]] FileId add_source(const std::string& path, const Options& options, DecodedBytes bytes,
                                SourceSet& sources) {
  return sources.add(source_name(path, options), std::move(bytes.text), bytes.encoding);
}

}  // namespace

Inputs read_inputs(const Options& options, const Config& config, const Overlay& overlay,
                   SourceSet& sources) {
  FoundInputs found = Finder(options, config).find();
  Inputs inputs{.files = {}, .errors = std::move(found.errors)};
  auto all = parallel_map(found.files.size(), options.jobs, [&](std::size_t i) {
    Result<DecodedBytes> bytes = read_text(found.files[i].path, options, overlay);
    return bytes.ok() ? ReadInput{std::move(bytes).value(), {}}
                      : ReadInput{{}, bytes.error().message};
  });
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    auto& [bytes, error] = all[i];
    if (error.empty()) {
      const FileId id = add_source(found.files[i].path, options, std::move(bytes), sources);
      inputs.files.push_back({id, found.files[i].origin});
    } else {
      inputs.errors.push_back(std::move(error));
    }
  }
  return inputs;
}

Result<FileId> read_source(const std::string& path, const Options& options, const Overlay& overlay,
                           SourceSet& sources) {
  Result<DecodedBytes> bytes = read_text(path, options, overlay);
  if (!bytes.ok()) return bytes.error();
  return add_source(path, options, std::move(bytes).value(), sources);
}

std::string stdin_name(const Options& options) {
  return options.stdin_filename.empty() ? "<stdin>" : options.stdin_filename;
}

std::string normal_path(const std::string& path) {
  return path == "-" ? path : fs::path(path).lexically_normal().string();
}

std::string path_in_config(const Config& config, const std::string& path) {
  std::error_code error;
  const fs::path relative = fs::proximate(path, config.folder.empty() ? "." : config.folder, error);
  return error ? path : relative.generic_string();
}

}  // namespace gpulint
