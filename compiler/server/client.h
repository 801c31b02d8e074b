#pragma once

#include "compiler/server/json.h"

namespace gpulint::server {

/// What a client can do, and how it writes positions.
struct Client {
  explicit Client(const Json& initialize_params);

  Units units = Units::utf16;
  bool pulls_diagnostics = false;      ///< It requests the diagnostics of open documents.
  bool refreshes_diagnostics = false;  ///< It pulls again on request of the server.
  bool has_document_changes = false;   ///< Edits may name the version of a document.
  bool resolves_edits = false;         ///< A code action may have its edit later.
  bool has_symbol_tree = false;        ///< DocumentSymbol instead of SymbolInformation.
  bool registers_watchers = false;     ///< It watches the files that a server names.
  bool shows_pods = false;             ///< It has the command `gpulint.showPod`.
  bool has_text_content = false;       ///< It requests the text of documents that have no file.
  bool wants_hints = false;            ///< The user turned inlay hints on.
};

}  // namespace gpulint::server
