#pragma once

#include <map>
#include <set>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/flyte/python_names.h"
#include "compiler/ir/python.h"

namespace gpulint::flyte {

/// The expressions that tasks are read from, including those that names refer to.
class PythonUse {
 public:
  void add(const python::Expression& expression, const PythonScope& scope);
  [[nodiscard]] const std::set<Span>& spans() const { return spans_; }
  /// By expression: the environment variable whose default is its value, perhaps by way of names.
  [[nodiscard]] const std::map<Span, std::string>& variables() const { return variables_; }

 private:
  void add(const python::Expression& expression, const PythonScope& scope, int steps);
  void pass_on(const python::Expression& from, const python::Expression& to);

  std::set<Span> spans_;
  std::map<Span, std::string> variables_;
};

/// Adds the parts of an expression that configure GPUs with the SDKs: `Resources(gpu=…)`, the value
/// of `accelerator=T4`, a `PodTemplate` whose containers request GPUs.
void add_gpu_calls(const python::Expression& within, const PythonScope& scope,
                   std::vector<Span>& calls);

}  // namespace gpulint::flyte
