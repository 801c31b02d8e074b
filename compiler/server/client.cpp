#include "compiler/server/client.h"

#include <algorithm>

namespace gpulint::server {
namespace {

[[nodiscard]] bool has_word(const Json& list, std::string_view word) {
  return list.is_array() &&
         std::ranges::any_of(list, [&](const Json& each) { return text_of(each) == word; });
}

}  // namespace

Client::Client(const Json& initialize_params) {
  const Json& can = get(initialize_params, "capabilities");
  if (has_word(get(can, "general", "positionEncodings"), "utf-8")) units = Units::utf8;
  const Json& document = get(can, "textDocument");
  const Json& workspace = get(can, "workspace");
  pulls_diagnostics = get(document, "diagnostic").is_object();
  refreshes_diagnostics = is_true(get(workspace, "diagnostics", "refreshSupport"));
  has_document_changes = is_true(get(workspace, "workspaceEdit", "documentChanges"));
  resolves_edits = has_word(get(document, "codeAction", "resolveSupport", "properties"), "edit");
  has_symbol_tree = is_true(get(document, "documentSymbol", "hierarchicalDocumentSymbolSupport"));
  registers_watchers = is_true(get(workspace, "didChangeWatchedFiles", "dynamicRegistration"));
  const Json& options = get(initialize_params, "initializationOptions");
  shows_pods = has_word(get(options, "commands"), "gpulint.showPod");
  wants_hints = is_true(get(options, "inlayHints"));
  has_text_content = shows_pods || get(workspace, "textDocumentContent").is_object();
}

}  // namespace gpulint::server
