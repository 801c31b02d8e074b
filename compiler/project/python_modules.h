#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_names.h"
#include "compiler/ir/python.h"
#include "compiler/project/file_system.h"

namespace gpulint {

/// Finds the modules that sources among the inputs import from one another, and from the Python
/// beside them that a walk found: `gpu.py` for `import gpu`, `a/b.py` or `a/b/__init__.py` for
/// `a.b`, in the folder of the source or one around it, if there is but one. Files that are no
/// inputs are read when they are asked for. Not thread-safe.
class ModuleFinder final : public flyte::PythonModules {
 public:
  /// `inputs` were parsed; `others` are paths. All must outlive it, and its `sources` grow.
  ModuleFinder(SourceSet& sources, const FileSystem& files,
               const std::vector<python::Module>& inputs, const std::vector<std::string>& others);

  [[nodiscard]] const flyte::PythonScope* find(FileId from, std::uint32_t dots,
                                               std::string_view module) override;

 private:
  struct Known {
    const python::Module* module = nullptr;
    std::unique_ptr<const python::Module> own;  ///< Of a file that is no input.
    std::unique_ptr<const flyte::PythonScope> scope;
    bool is_unreadable = false;
  };

  using ByPath = std::map<std::string, Known, std::less<>>;

  [[nodiscard]] ByPath::iterator look_up(const std::string& folder, std::string_view module);
  [[nodiscard]] const flyte::PythonScope* scope_of(ByPath::value_type& file);

  SourceSet& sources_;
  const FileSystem& files_;
  ByPath known_;
};

}  // namespace gpulint
