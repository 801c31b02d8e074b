#include "compiler/driver/program_name.h"

#include <cstdlib>
#include <filesystem>

#include "compiler/driver/complete_words.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string file_name(std::string_view program) {
  return std::filesystem::path(program).filename().string();
}

}  // namespace

std::string name_as_typed(std::string_view program) {
  if (file_name(program).starts_with("kubectl-")) return "kubectl gpulint";
  const char* const helm_plugin = std::getenv("HELM_PLUGIN_NAME");
  if (helm_plugin != nullptr && std::string_view(helm_plugin) == "gpulint") return "helm gpulint";
  return "gpulint";
}

std::vector<std::string> words_of_name(std::string_view program) {
  const std::string name = file_name(program);
  if (name == "gpulint-krm") return {"filter"};
  if (name == "kubectl_complete-gpulint") return {std::string(completion_command)};
  return {};
}

}  // namespace gpulint
