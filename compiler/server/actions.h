#pragma once

#include <string>

#include "compiler/server/ranges.h"

namespace gpulint::server {

inline constexpr std::string_view fix_all_kind = "source.fixAll.gpulint";

/// What code actions need to know of the document and the client.
struct ActionContext {
  CheckedRoot& root;
  FileId file = 0;
  Ranges& ranges;
  const Client& client;
  const std::string& homepage;
};

/// The code actions for CodeActionParams: fixes and suppressions of the findings in the range, and
/// all safe fixes of the document.
[[nodiscard]] Json code_actions(const ActionContext& context, const Json& params);

/// The WorkspaceEdit of all safe fixes that touch the document, as `gpulint fix` writes them.
[[nodiscard]] Json fix_all_edit(const ActionContext& context);

}  // namespace gpulint::server
