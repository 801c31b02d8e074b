#include "compiler/render/template_lines.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "compiler/base/text.h"

namespace gpulint::render {
namespace {

[[nodiscard]] bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// The first word of an action, without `{{`, `-` and blanks.
[[nodiscard]] std::string_view first_word(std::string_view action) {
  while (!action.empty() && (action.front() == '{' || action.front() == '-')) {
    action.remove_prefix(1);
  }
  action = trim(action);
  const auto end = std::ranges::find_if(action, [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '/' && c != '$';
  });
  return action.substr(0, static_cast<std::size_t>(end - action.begin()));
}

/// Whether an action writes nothing itself.
[[nodiscard]] bool is_control(std::string_view action) {
  constexpr auto words = std::to_array<std::string_view>(
      {"if", "else", "end", "range", "with", "define", "block", "break", "continue"});
  const std::string_view word = first_word(action);
  const bool is_assignment = word.starts_with('$') && (action.find(":=") != action.npos ||
                                                       action.find(" = ") != action.npos);
  return word.starts_with('/') || is_assignment || std::ranges::find(words, word) != words.end();
}

[[nodiscard]] bool may_write_several(std::string_view action) {
  constexpr auto words =
      std::to_array<std::string_view>({"toYaml", "include", "tpl", "indent", "nindent", "template",
                                       "Files", "toPrettyJson", "toYamlPretty"});
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(action, word); });
}

/// `key:` or `- item`, perhaps after blanks.
[[nodiscard]] bool begins_entry(std::string_view line) {
  line = trim(line);
  if (line.starts_with("- ")) return true;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view key = line.substr(0, colon);
  const bool is_followed = colon + 1 == line.size() || line[colon + 1] == ' ';
  return is_followed && std::ranges::all_of(key, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("./_-\"'").find(c) != std::string_view::npos;
         });
}

/// Reads a template line by line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  [[nodiscard]] std::vector<TemplateLine> read() {
    std::vector<TemplateLine> lines;
    for (std::uint32_t number = 1; at_ < text_.size(); ++number) {
      std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::size_t next = std::min(end + 1, text_.size());
      if (end > at_ && text_[end - 1] == '\r') --end;
      const bool was_in_define = define_depth_ > 0;
      const TemplateLine line{number, end, false};
      scan(at_, end);
      if (is_commentable(text_.substr(at_, end - at_), was_in_define)) {
        lines.push_back(line);
        lines.back().writes_several = writes_several_;
      }
      at_ = next;
    }
    return lines;
  }

 private:
  /// Reads the actions of a line.
  void scan(std::size_t begin, std::size_t end) {
    own_.clear();
    has_output_ = false;
    writes_several_ = false;
    began_inside_ = is_inside_;
    for (std::size_t i = begin; i < end;) {
      if (!is_inside_ && text_.substr(i, 2) == "{{") {
        is_inside_ = true;
        action_ = i;
        i += 2;
      } else if (is_inside_) {
        i = scan_action(i, end);
      } else {
        own_ += text_[i++];
      }
    }
  }

  /// One step inside of an action.
  [[nodiscard]] std::size_t scan_action(std::size_t i, std::size_t end) {
    const char c = text_[i];
    const bool is_comment = first_word(text_.substr(action_, 8)).starts_with('/');
    if (!is_comment && (c == '"' || c == '`')) {
      std::size_t close = i + 1;
      while (close < end && text_[close] != c) close += c == '"' && text_[close] == '\\' ? 2 : 1;
      return std::min(close + 1, end);
    }
    if (text_.substr(i, 2) != "}}") return i + 1;
    close_action(text_.substr(action_, i + 2 - action_));
    return i + 2;
  }

  void close_action(std::string_view action) {
    is_inside_ = false;
    writes_several_ = writes_several_ || may_write_several(action);
    const std::string_view word = first_word(action);
    if (!is_control(action)) has_output_ = true;
    if (word == "define") {
      define_depth_ = 1;
    } else if (define_depth_ > 0 && (word == "if" || word == "range" || word == "with")) {
      ++define_depth_;
    } else if (define_depth_ > 0 && word == "end") {
      --define_depth_;
    }
  }

  [[nodiscard]] bool is_commentable(std::string_view line, bool was_in_define) const {
    const std::string_view own = trim(own_);
    if (is_inside_ || (own.empty() && !has_output_)) return false;
    if (own.starts_with("---") || own.starts_with('#')) return false;
    if (trim(line).ends_with("-}}")) return false;
    if (!was_in_define && define_depth_ == 0) return !began_inside_;
    return !began_inside_ && begins_entry(line);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_inside_ = false;     // of an action
  bool began_inside_ = false;  // the current line did
  std::size_t action_ = 0;     // where the current action begins
  int define_depth_ = 0;       // 0: outside of a `define`
  std::string own_;            // of the line, without actions
  bool has_output_ = false;
  bool writes_several_ = false;
};

}  // namespace

std::vector<TemplateLine> commentable_lines(std::string_view text) {
  return LineReader(text).read();
}

bool may_be_random(std::string_view text) {
  constexpr auto words = std::to_array<std::string_view>({"randAlphaNum",
                                                          "randAlpha",
                                                          "randNumeric",
                                                          "randAscii",
                                                          "randBytes",
                                                          "randInt",
                                                          "shuffle",
                                                          "uuidv4",
                                                          "now",
                                                          "ago",
                                                          "genCA",
                                                          "genCAWithKey",
                                                          "genSelfSignedCert",
                                                          "genSelfSignedCertWithKey",
                                                          "genSignedCert",
                                                          "genSignedCertWithKey",
                                                          "genPrivateKey",
                                                          "htpasswd",
                                                          "bcrypt",
                                                          "encryptAES"});
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

}  // namespace gpulint::render
