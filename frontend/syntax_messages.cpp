#include "frontend/syntax_messages.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace gpulint {
namespace {

struct Wording {
  std::string_view parser;
  std::string_view ours;
};

constexpr std::array<Wording, 21> wordings{{
    {"alias not found after *", "no name behind `*`"},
    {"aliases can't have any content, *including* tags", "an alias cannot have a tag or an anchor"},
    {"anchor not found after &", "no name behind `&`"},
    {"cannot assign multiple anchors to the same node", "a second anchor for one value"},
    {"cannot assign multiple tags to the same node", "a second tag for one value"},
    {"cannot set zero indentation for a block scalar", "`0` is no indentation for a block scalar"},
    {"end of map flow not found", "expected `,` or `}`"},
    {"end of map not found", "expected a `key:` of the mapping above, or less indentation"},
    {"end of sequence flow not found", "expected `,` or `]`"},
    {"end of sequence not found",
     "expected a `- ` item of the sequence above, or less indentation"},
    {"end of verbatim tag not found", "this tag lacks its `>`"},
    {"illegal EOF in scalar", "the text ends inside quotes"},
    {"illegal block entry", "a `- ` item is not allowed here"},
    {"illegal character found while scanning alias", "this character cannot be in an alias"},
    {"illegal character found while scanning anchor", "this character cannot be in an anchor"},
    {"illegal document indicator in scalar", "the document ends inside quotes"},
    {"illegal flow end", "this bracket does not match an open one"},
    {"illegal map key", "a `? ` key is not allowed here"},
    {"illegal map value", "a `key: value` is not allowed here"},
    {"illegal tab when looking for indentation", "a tab where only spaces can indent"},
    {"unexpected character in block scalar", "only a comment may follow `|` or `>` on its line"},
}};
static_assert(std::ranges::is_sorted(wordings, {}, &Wording::parser));

constexpr std::string_view unknown_anchor = "the referenced anchor is not defined";

}  // namespace

std::string syntax_message(std::string_view message) {
  if (message == "unknown token") return "an unquoted value cannot begin with this character";
  if (message.starts_with("unknown escape character")) return "no known escape follows this `\\`";
  if (message.starts_with(unknown_anchor)) {
    return fmt::format("no anchor `&{}` stands above", message.substr(unknown_anchor.size()));
  }
  const auto* const known = std::ranges::lower_bound(wordings, message, {}, &Wording::parser);
  return std::string(known != wordings.end() && known->parser == message ? known->ours : message);
}

}  // namespace gpulint
