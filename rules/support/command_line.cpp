#include "rules/support/command_line.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {
namespace {

/// A scalar that may contain commands: arguments, a script, a systemd drop-in, a file of flags.
/// Distinguishes flags of a command from flags in comments, tables and prose.
class CommandText {
 public:
  /// `file` is the text of the scalar's file.
  CommandText(std::string_view file, Node scalar);

  /// Whether the flag from `begin` to `end` is part of a command: after the name of a Kubernetes
  /// component, in a variable (`KUBELET_EXTRA_ARGS=…`) or among only flags.
  [[nodiscard]] bool is_given(std::size_t begin, std::size_t end);

 private:
  [[nodiscard]] std::size_t line_begin(std::size_t at) const;
  [[nodiscard]] std::size_t line_end(std::size_t at) const;
  [[nodiscard]] std::size_t backslashes_before(std::size_t at) const;
  [[nodiscard]] bool is_break(std::size_t at) const;
  [[nodiscard]] bool has_only_flags();

  std::string_view text_;  ///< Of the file, up to the end of the scalar.
  std::size_t begin_;      ///< Of the scalar's text, behind its quote.
  Style style_;
  std::optional<bool> has_only_flags_;
};

constexpr std::string_view blanks = " \t\r\n";

constexpr std::string_view quotes = "\"'\\`";

constexpr std::size_t longest_line = 4096;  ///< No more is read before a flag.

constexpr std::array<std::string_view, 10> programs = {"kubelet",
                                                       "kube-apiserver",
                                                       "kube-controller-manager",
                                                       "kube-scheduler",
                                                       "kube-proxy",
                                                       "hyperkube",
                                                       "minikube",
                                                       "kubeadm",
                                                       "k3s",
                                                       "rke2"};

constexpr std::array<std::string_view, 9> subcommands = {
    "start",     "server", "agent", "init", "join", "apiserver", "controller-manager",
    "scheduler", "proxy"};

[[nodiscard]] std::string_view strip(std::string_view word) {
  constexpr std::string_view around = "\"'\\`[](){},;";
  const std::size_t first = word.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  return word.substr(first, word.find_last_not_of(around) - first + 1);
}

/// The program's name: `ExecStart=-/usr/bin/kubelet` runs `kubelet`.
[[nodiscard]] bool is_program(std::string_view word) {
  const std::size_t cut = word.find_last_of("/=");
  const std::string_view name = cut == std::string_view::npos ? word : word.substr(cut + 1);
  return std::ranges::find(programs, name) != programs.end();
}

/// Takes the last word off `text`.
[[nodiscard]] std::string_view pop_word(std::string_view& text) {
  const std::size_t end = text.find_last_not_of(blanks);
  if (end == std::string_view::npos) return text = {};
  const std::size_t blank = text.find_last_of(blanks, end);
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = text.substr(begin, end - begin + 1);
  text = text.substr(0, begin);
  return word;
}

[[nodiscard]] std::string_view first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_first_of(blanks, begin) - begin);
}

enum class Before : std::uint8_t { command, flags_only, prose };

/// Classifies the text before a flag on its line.
[[nodiscard]] Before judge(std::string_view before) {
  const std::size_t blank = before.find_last_of(blanks);
  std::string_view attached = blank == std::string_view::npos ? before : before.substr(blank + 1);
  before.remove_suffix(attached.size());
  while (!attached.empty() && quotes.find(attached.back()) != std::string_view::npos) {
    attached.remove_suffix(1);
  }
  if (attached.ends_with('=')) return Before::command;
  if (!strip(attached).empty()) return Before::prose;
  while (true) {
    const std::string_view word = strip(pop_word(before));
    if (before.empty() && word.empty()) return Before::flags_only;
    if (word.find("extra-args") != std::string_view::npos) return Before::command;
    if (word.empty() || word.starts_with('-') || word.starts_with('$')) continue;
    if (word.starts_with('#')) return Before::prose;
    if (is_program(word) || word.find('=') != std::string_view::npos) return Before::command;
    std::string_view rest = before;
    const std::string_view previous = strip(pop_word(rest));
    const bool is_value = previous.starts_with("-") && previous.find('=') == std::string_view::npos;
    const bool is_subcommand =
        is_program(previous) && std::ranges::find(subcommands, word) != subcommands.end();
    if (is_subcommand) return Before::command;
    if (!is_value) return Before::prose;
  }
}

/// Replaces escaped line continuations in double quotes, `\\\n`, by blanks.
[[nodiscard]] std::string without_continuations(std::string_view text, Style style) {
  constexpr std::string_view continuation = R"(\\\n)";
  std::string result(text);
  std::size_t at = style == Style::double_quoted ? result.find(continuation) : std::string::npos;
  while (at != std::string::npos) {
    result.replace(at, continuation.size(), continuation.size(), ' ');
    at = result.find(continuation, at);
  }
  return result;
}

[[nodiscard]] bool is_comment(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with('#') || text.starts_with("//") || text.starts_with(';') ||
         text.starts_with('!');
}

/// Whether the text can follow a flag in a list of flags.
[[nodiscard]] bool continues_flags(std::string_view after) {
  const std::string_view word = strip(first_word(after));
  return word.empty() || word.starts_with('-') || word.starts_with('$') || word.starts_with('#');
}

CommandText::CommandText(std::string_view file, Node scalar)
    : text_(file.substr(0, scalar.span().end)),
      begin_(scalar.span().begin),
      style_(scalar.style()) {
  const bool quoted = style_ == Style::single_quoted || style_ == Style::double_quoted;
  if (style_ == Style::literal || style_ == Style::folded) {
    begin_ = std::min(text_.find('\n', begin_), text_.size() - 1) + 1;  // behind the header
  } else if (quoted) {
    ++begin_;
    text_.remove_suffix(1);
  }
}

/// Values are not read beyond this many bytes, so that unclosed quotes cost little.
constexpr std::size_t longest_value = 4096;

/// Part of a text of `scalar`'s file, by offsets into `text`, which starts at `base`.
[[nodiscard]] Span span_at(Node scalar, std::size_t begin, std::size_t end) {
  return {scalar.span().file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

/// The quote at `at`, escaped or not; empty where there is none.
[[nodiscard]] std::string_view quote_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  for (const std::string_view quote : {"\\\"", "\"", "'"}) {
    if (rest.starts_with(quote)) return rest.substr(0, quote.size());
  }
  return {};
}

/// Reads the value that begins at `at`; nothing where there is none.
[[nodiscard]] FlagUse read_value(std::string_view text, std::size_t at, std::size_t end,
                                 Node scalar) {
  const std::string_view quote = quote_at(text, at);
  const std::size_t begin = at + quote.size();
  text = text.substr(0, std::min(end, begin + longest_value));
  const std::size_t found =
      quote.empty() ? text.find_first_of(" \t\r\n\"'\\;|&", begin) : text.find(quote, begin);
  const std::size_t stop = std::min(found, text.size());
  const std::size_t after = quote.empty() ? stop : std::min(stop + quote.size(), end);
  return {scalar, {}, span_at(scalar, at, after), span_at(scalar, begin, stop)};
}

/// The scalar's text between its quotes.
[[nodiscard]] Span inner_span(Node scalar) {
  Span span = scalar.span();
  const bool quoted =
      scalar.style() == Style::single_quoted || scalar.style() == Style::double_quoted;
  if (quoted && span.size() >= 2) {
    ++span.begin;
    --span.end;
  }
  return span;
}

void find_in_text(std::string_view text, Node scalar, std::string_view name,
                  std::vector<FlagUse>& found) {
  const std::string flag = "--" + std::string(name);
  std::optional<CommandText> commands;  // made for the few scalars that hold the flag
  const std::size_t end = inner_span(scalar).end;
  text = text.substr(0, end);  // so that no search runs beyond the scalar
  for (std::size_t at = text.find(flag, scalar.span().begin); at < end;
       at = text.find(flag, at + 1)) {
    const std::size_t after = at + flag.size();
    if (after >= end || (text[after] != '=' && text[after] != ' ')) continue;
    FlagUse use = read_value(text, after + 1, end, scalar);
    if (use.value.empty()) continue;
    if (!commands) commands.emplace(text, scalar);
    if (!commands->is_given(at, use.flag.end)) continue;
    use.flag.begin = static_cast<std::uint32_t>(at);
    found.push_back(use);
  }
}

[[nodiscard]] bool is_flag_name(std::string_view text, std::string_view name) {
  return text == name || (text.starts_with("--") && text.substr(2) == name);
}

/// A flag alone on one line of a longer command goes with its line; as the last one with the
/// backslash that leads to it.
[[nodiscard]] Span with_continuation(std::string_view text, Span flag, Node scalar) {
  const Span own = scalar.span();
  text = text.substr(0, own.end);
  const std::size_t begin = text.rfind('\n', flag.begin) + 1;
  if (scalar.style() != Style::literal || begin <= own.begin + 1) return flag;
  if (!trim(text.substr(begin, flag.begin - begin)).empty()) return flag;
  const std::size_t end = std::min(text.find('\n', flag.end), text.size());
  const std::string_view after = trim(text.substr(flag.end, end - flag.end));
  if (after == "\\") return span_at(scalar, begin, std::min(end + 1, text.size()));
  const std::size_t last = text.find_last_not_of(" \t\r\n", begin - 1);
  if (!after.empty() || last <= own.begin || text[last] != '\\') return flag;
  return span_at(scalar, text.find_last_not_of(" \t", last - 1) + 1, flag.end);
}

[[nodiscard]] bool is_editable(const SourceSet& sources, const FlagUse& use) {
  return sources.file(use.value).encoding() == SourceFile::Encoding::utf8;
}

}  // namespace

std::size_t CommandText::backslashes_before(std::size_t at) const {
  std::size_t first = at;
  while (first > begin_ && text_[first - 1] == '\\') --first;
  return at - first;
}

/// Whether a line ends at `at`: not where a backslash continues it, nor where YAML folds it.
bool CommandText::is_break(std::size_t at) const {
  if (style_ == Style::double_quoted) {
    if (text_[at] != 'n') return false;
    const std::size_t count = backslashes_before(at);  // one: a break; three: the line goes on
    return count % 2 == 1 && count / 2 % 2 == 0;
  }
  if (style_ != Style::literal || text_[at] != '\n') return false;
  const std::size_t last = text_.find_last_not_of('\r', at == 0 ? 0 : at - 1);
  return last == std::string_view::npos || text_[last] != '\\';
}

std::size_t CommandText::line_begin(std::size_t at) const {
  const std::size_t least = at - std::min(at - begin_, longest_line);
  while (at > least && !is_break(at - 1)) --at;
  return at;
}

std::size_t CommandText::line_end(std::size_t at) const {
  const std::size_t most = std::min(text_.size(), at + longest_line);
  while (at < most && !is_break(at)) ++at;
  return at;
}

bool CommandText::has_only_flags() {
  if (has_only_flags_) return *has_only_flags_;
  has_only_flags_ = true;
  const std::string_view line_break = style_ == Style::double_quoted ? "\\n" : "\n";
  std::string_view rest = text_.substr(begin_);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(line_break), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + line_break.size(), rest.size()));
    if (!line.empty() && !line.starts_with("--") && !is_comment(line)) has_only_flags_ = false;
  }
  return *has_only_flags_;
}

bool CommandText::is_given(std::size_t begin, std::size_t end) {
  end = std::min(end, text_.size());  // an unclosed quote may take the scalar's own
  const std::size_t line = line_begin(begin);
  const std::string text = without_continuations(text_.substr(line, begin - line), style_);
  const std::string_view before = text;
  const std::size_t physical = before.find_last_of('\n');
  const std::string_view own =
      physical == std::string_view::npos ? before : before.substr(physical + 1);
  if (is_comment(before) || is_comment(own)) return false;
  const std::string_view after = text_.substr(end, line_end(end) - end);
  const std::string_view command = first_word(before);
  const bool prints = command == "echo" || command == "printf";
  if (prints && after.find('>') == std::string_view::npos) return false;
  switch (judge(before)) {
    case Before::command:
      return true;
    case Before::flags_only:
      return has_only_flags() && continues_flags(after);
    case Before::prose:
      break;
  }
  return false;
}

std::vector<FlagUse> find_flag(const SourceSet& sources, Node root, std::string_view name) {
  std::vector<FlagUse> found;
  if (!root) return found;
  const std::string_view text = sources.file(root.span()).text();
  Node before;  // the scalar met last, which is the item before where items are scalars
  walk(root, [&](Node node) {
    if (!node.is_scalar()) return;
    const bool follows = is_flag_name(before.text(), name) && node.parent().is_sequence() &&
                         before.parent() == node.parent();
    const Node named = follows ? before : Node{};
    before = node;
    if (is_flag_name(node.key().text(), name) || named) {
      const Span value = inner_span(node);
      const Span no_flag = span_at(node, value.begin, value.begin);
      if (!value.empty()) found.push_back({node, named, no_flag, value});
      return;
    }
    find_in_text(text, node, name, found);
  });
  return found;
}

std::vector<Edit> remove_flag(const SourceSet& sources, const FlagUse& use) {
  if (!is_editable(sources, use)) return {};
  if (use.flag.empty()) {
    std::vector<Edit> edits = remove_entry(sources, use.scalar);
    if (!use.name || edits.empty()) return edits;
    std::vector<Edit> name = remove_entry(sources, use.name);
    if (name.empty()) return {};
    std::ranges::copy(edits, std::back_inserter(name));
    return name;
  }
  if (use.flag == inner_span(use.scalar)) return remove_entry(sources, use.scalar);
  const std::string_view text = sources.file(use.flag).text();
  Span gone = with_continuation(text, use.flag, use.scalar);
  if (gone != use.flag) return {{gone, ""}};
  if (gone.begin > use.scalar.span().begin && text[gone.begin - 1] == ' ') --gone.begin;
  return {{gone, ""}};
}

std::vector<Span> flag_items(const SourceSet& sources, const FlagUse& use) {
  const std::string_view text = sources.file(use.value).text();
  std::vector<Span> items;
  std::size_t begin = use.value.begin;
  while (begin <= use.value.end) {
    const std::size_t end = std::min<std::size_t>(text.find(',', begin), use.value.end);
    const std::string_view item = trim(text.substr(begin, end - begin));
    if (!item.empty()) {
      const auto at = static_cast<std::size_t>(item.data() - text.data());
      items.push_back(span_at(use.scalar, at, at + item.size()));
    }
    begin = end + 1;
  }
  return items;
}

std::vector<Edit> remove_flag_item(const SourceSet& sources, const FlagUse& use,
                                   const std::vector<Span>& items, std::size_t index) {
  if (!is_editable(sources, use)) return {};
  if (items.size() <= 1) return remove_flag(sources, use);
  Span gone = items[index];
  if (index + 1 < items.size()) {
    gone.end = items[index + 1].begin;
  } else {
    gone.begin = items[index - 1].end;
  }
  return {{gone, ""}};
}

}  // namespace gpulint::rules
