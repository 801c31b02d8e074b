#include "rules/support/command_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "compiler/base/text.h"

namespace gpulint::rules {
namespace {

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

/// What stands before a flag on its line.
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

/// Blanks in place of what continues a line inside of double quotes: `\\\n`.
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

/// What may stand behind a flag in a list of flags.
[[nodiscard]] bool continues_flags(std::string_view after) {
  const std::string_view word = strip(first_word(after));
  return word.empty() || word.starts_with('-') || word.starts_with('$') || word.starts_with('#');
}

}  // namespace

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

}  // namespace gpulint::rules
