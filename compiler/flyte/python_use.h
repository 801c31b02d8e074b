#pragma once

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

 private:
  void add(const python::Expression& expression, const PythonScope& scope, int steps);

  std::set<Span> spans_;
};

/// Adds the parts of an expression that configure GPUs with the SDKs: `Resources(gpu=…)`, the value
/// of `accelerator=T4`, a `PodTemplate` whose containers request GPUs.
void add_gpu_calls(const python::Expression& within, const PythonScope& scope,
                   std::vector<Span>& calls);

}  // namespace gpulint::flyte
