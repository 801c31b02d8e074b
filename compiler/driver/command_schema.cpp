#include <iostream>

#include "backends/schema_documents.h"
#include "compiler/driver/commands.h"

namespace gpulint {
int run_schema(const Options& options) {
  const bool of_values = !options.paths.empty() && options.paths.front() == "flyte-values";
  write_json_schema(of_values ? flyte_values_schema() : config_schema(), std::cout);
  std::cout.flush();
  return std::cout ? 0 : 2;
}

}  // namespace gpulint
