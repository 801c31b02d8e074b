#pragma once

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

/// A task that a Python source declares, of which not enough is known.
struct OpenPythonTask {
  std::string name;
  Span span;
  std::string_view because;  ///< «its resources are computed».
};

/// The tasks of a Python source, or of a package.
struct PythonTasks {
  /// A list of task entries as read_task() takes them, of which version_of_entry() tells the SDK;
  /// null where there is none. Every node's span is that of what it was written as.
  std::unique_ptr<Document> document;
  /// The comments, and every statement's place, for suppressions: a list, of functions again with
  /// the header first. Never null where there is a document.
  std::unique_ptr<Document> outline;
  std::vector<OpenPythonTask> open;
  std::vector<SdkRemark> remarks;
  std::vector<Span> unused;       ///< Calls that configure GPUs for no task of this source.
  std::set<Span> used_of_others;  ///< Expressions of other sources that its tasks are read from.
  bool is_packaged = false;       ///< All Python has run (packaged_tasks.h); no outline.
};

/// Reads what flytekit's, Union's and Flyte 2's decorators ask for (flytekit 1.16, flyte 2.12):
/// `@task`, `@dynamic`, partials of them, `@env.task` of a TaskEnvironment or ActorEnvironment and
/// their clones; `with_overrides` and `override` make a variant of their own. Names mean something
/// by imports alone. Only tasks that ask for GPUs or an accelerator are told.
/// `modules` may be null: then the user's own modules mean nothing.
[[nodiscard]] PythonTasks read_python_tasks(const python::Module& module, const SourceFile& file,
                                            PythonModules* modules = nullptr);
/// One remark for all, on the first task that is left out; nullopt where there is none.
[[nodiscard]] std::optional<SdkRemark> remark_on_open(const std::vector<OpenPythonTask>& open);
/// Adds a remark to each source that has no other on tasks left out, and whose GPU calls no task of
/// any of the sources uses.
void add_unused_remarks(const std::vector<PythonTasks*>& sources);

}  // namespace gpulint::flyte
