#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/flyte/python_names.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/ir/python.h"
#include "compiler/model/sdk_remark.h"
#include "compiler/model/settings.h"

namespace gpulint::flyte {

/// A task in a Python source whose declaration is not known well enough.
struct OpenPythonTask {
  std::string name;
  Span span;
  std::string_view because;  ///< "the code computes its resources"; empty if only the GPU number.
};

/// The tasks of a Python source, or of a package.
struct PythonTasks {
  /// A list of task entries for read_task(); version_of_entry() returns their SDK's version. Null
  /// if there are none. Every node has the span of its Python text.
  std::unique_ptr<Document> document;
  /// The comments and every statement's place, for suppressions: a list, where a function is again
  /// a list that begins with its header. Not null if there is a document.
  std::unique_ptr<Document> outline;
  std::vector<OpenPythonTask> open;
  std::vector<SdkRemark> remarks;
  std::vector<Span> unused;       ///< Calls that configure GPUs, but for no task of this source.
  std::set<Span> used_of_others;  ///< Expressions of other sources that its tasks use.
  /// By expression that tasks use: the environment variable whose default is its value.
  std::map<Span, std::string> variables;
  bool is_packaged = false;  ///< The Python code has already run (packaged_tasks.h); no
                             ///< outline.
};

/// Reads the requests in decorators of flytekit, Union and Flyte 2 (flytekit 1.16, flyte 2.12):
/// `@task`, `@dynamic`, partials of them, `@env.task` of a TaskEnvironment or ActorEnvironment and
/// their clones; `with_overrides` and `override` make a variant. Only imports give names a meaning.
/// Only tasks that request GPUs or an accelerator are returned. `modules` may be null: then the
/// user's own modules are unknown.
[[nodiscard]] PythonTasks read_python_tasks(const python::Module& module, const SourceFile& file,
                                            PythonModules* modules = nullptr);
/// One remark for all, on the first task that is left out; nullopt if there is none.
[[nodiscard]] std::optional<SdkRemark> remark_on_open(const std::vector<OpenPythonTask>& open);
/// Adds a remark to each source without a remark on tasks left out, if no task of any source uses
/// its GPU calls.
void add_unused_remarks(const std::vector<PythonTasks*>& sources);

}  // namespace gpulint::flyte
