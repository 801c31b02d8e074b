#include "backends/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "backends/unicode.h"
#include "compiler/edit/fixer.h"

namespace gpulint {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t lines_around = 3;

/// Lines with their line breaks; the last may lack one.
[[nodiscard]] Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t found = text.find('\n');
    const std::size_t length = found == std::string_view::npos ? text.size() : found + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// A run of lines [old_begin, old_end) replaced by [new_begin, new_end).
struct LineChange {
  std::size_t old_begin = 0;
  std::size_t old_end = 0;
  std::size_t new_begin = 0;
  std::size_t new_end = 0;
};

/// Myers' greedy algorithm from the start of two texts to the first long run of equal lines after
/// the first difference, or through at most `most_steps` differences. Edits are local, which bounds
/// time and memory for each. If it is cut short, it takes the path that got furthest; the
/// differences are still correct, but perhaps not the fewest.
class LocalEdit {
 public:
  LocalEdit(std::span<const std::string_view> before, std::span<const std::string_view> after)
      : before_(before), after_(after) {
    find_trace();
  }

  /// How far both texts have been read.
  [[nodiscard]] std::size_t old_end() const { return static_cast<std::size_t>(end_x_); }
  [[nodiscard]] std::size_t new_end() const { return static_cast<std::size_t>(end_y_); }

  /// One line removed or added at a time, in order.
  [[nodiscard]] std::vector<LineChange> steps() const {
    std::vector<LineChange> steps;
    std::ptrdiff_t x = end_x_;
    std::ptrdiff_t y = end_y_;
    for (auto step = std::ssize(trace_) - 1; step > 0; --step) {
      const std::ptrdiff_t k = x - y;
      const bool down = move_to(step, k) == Move::down;
      const std::ptrdiff_t from_k = down ? k + 1 : k - 1;
      x = reach(step - 1, from_k);
      y = x - from_k;
      const auto old_at = static_cast<std::size_t>(x);
      const auto new_at = static_cast<std::size_t>(y);
      steps.push_back({old_at, old_at + (down ? 0U : 1U), new_at, new_at + (down ? 1U : 0U)});
    }
    std::ranges::reverse(steps);
    return steps;
  }

 private:
  static constexpr std::ptrdiff_t long_run = 8;
  static constexpr std::ptrdiff_t most_steps = 400;

  [[nodiscard]] std::ptrdiff_t slide(std::ptrdiff_t x, std::ptrdiff_t y) const {
    while (x < std::ssize(before_) && y < std::ssize(after_) &&
           before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)]) {
      ++x;
      ++y;
    }
    return x;
  }

  /// The furthest line of the old text on diagonal `k` after `step` differences; -1: not reached.
  [[nodiscard]] std::ptrdiff_t reach(std::ptrdiff_t step, std::ptrdiff_t k) const {
    return k < -step || k > step
               ? -1
               : trace_[static_cast<std::size_t>(step)][static_cast<std::size_t>(k + step)];
  }

  /// Down adds a line of the new text, right removes one of the old.
  enum class Move : std::uint8_t { none, right, down };
  [[nodiscard]] Move move_to(std::ptrdiff_t step, std::ptrdiff_t k) const {
    const std::ptrdiff_t left = reach(step - 1, k - 1);
    const std::ptrdiff_t above = reach(step - 1, k + 1);
    const bool can_right = left >= 0 && left < std::ssize(before_);
    const bool can_down = above >= 0 && above - k <= std::ssize(after_);
    if (can_down && (!can_right || left < above)) return Move::down;
    return can_right ? Move::right : Move::none;
  }

  void find_trace() {
    end_x_ = end_y_ = slide(0, 0);
    trace_.push_back({end_x_});
    bool done = end_x_ == std::ssize(before_) && end_y_ == std::ssize(after_);
    for (std::ptrdiff_t step = 1; !done; ++step) {
      std::vector<std::ptrdiff_t> reached(static_cast<std::size_t>(2 * step + 1), -1);
      for (std::ptrdiff_t k = -step; k <= step && !done; k += 2) {
        const Move move = move_to(step, k);
        if (move == Move::none) continue;
        const std::ptrdiff_t start =
            move == Move::down ? reach(step - 1, k + 1) : reach(step - 1, k - 1) + 1;
        const std::ptrdiff_t x = slide(start, start - k);
        reached[static_cast<std::size_t>(k + step)] = x;
        done = x - start >= long_run || (x == std::ssize(before_) && x - k == std::ssize(after_));
        if (done) {
          end_x_ = x;
          end_y_ = x - k;
        }
      }
      trace_.push_back(std::move(reached));
      if (!done && step == most_steps) {
        end_at_furthest(step);
        done = true;
      }
    }
  }

  void end_at_furthest(std::ptrdiff_t step) {
    std::ptrdiff_t best = -1;
    for (std::ptrdiff_t k = -step; k <= step; k += 2) {
      const std::ptrdiff_t x = reach(step, k);
      if (x < 0 || 2 * x - k <= best) continue;
      best = 2 * x - k;  // lines of both
      end_x_ = x;
      end_y_ = x - k;
    }
  }

  std::span<const std::string_view> before_;
  std::span<const std::string_view> after_;
  std::vector<std::vector<std::ptrdiff_t>> trace_;
  std::ptrdiff_t end_x_ = 0;
  std::ptrdiff_t end_y_ = 0;
};

[[nodiscard]] std::vector<LineChange> find_changes(const Lines& before, const Lines& after) {
  std::vector<LineChange> changes;
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < before.size() || y < after.size()) {
    const std::span<const std::string_view> old_rest(before);
    const std::span<const std::string_view> new_rest(after);
    const LocalEdit local(old_rest.subspan(x), new_rest.subspan(y));
    for (const LineChange& step : local.steps()) {
      const LineChange moved{x + step.old_begin, x + step.old_end, y + step.new_begin,
                             y + step.new_end};
      if (!changes.empty() && changes.back().old_end == moved.old_begin &&
          changes.back().new_end == moved.new_begin) {
        changes.back().old_end = moved.old_end;
        changes.back().new_end = moved.new_end;
      } else {
        changes.push_back(moved);
      }
    }
    x += local.old_end();
    y += local.new_end();
  }
  return changes;
}

void append_line(std::string& diff, char mark, std::string_view line) {
  diff.push_back(mark);
  diff.append(line);
  if (!line.ends_with('\n')) diff.append("\n\\ No newline at end of file\n");
}

[[nodiscard]] std::string range(std::size_t begin, std::size_t count) {
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

void append_hunk(std::string& diff, const Lines& before, const Lines& after,
                 const std::vector<LineChange>& changes, std::size_t first, std::size_t last) {
  const std::size_t lead = std::min(changes[first].old_begin, lines_around);
  const std::size_t old_begin = changes[first].old_begin - lead;
  const std::size_t new_begin = changes[first].new_begin - lead;
  const std::size_t old_end = std::min(changes[last].old_end + lines_around, before.size());
  const std::size_t new_end = changes[last].new_end + (old_end - changes[last].old_end);
  diff += fmt::format("@@ -{} +{} @@\n", range(old_begin, old_end - old_begin),
                      range(new_begin, new_end - new_begin));
  std::size_t at = old_begin;
  for (std::size_t i = first; i <= last; ++i) {
    for (; at < changes[i].old_begin; ++at) append_line(diff, ' ', before[at]);
    for (; at < changes[i].old_end; ++at) append_line(diff, '-', before[at]);
    for (std::size_t j = changes[i].new_begin; j < changes[i].new_end; ++j) {
      append_line(diff, '+', after[j]);
    }
  }
  for (; at < old_end; ++at) append_line(diff, ' ', before[at]);
}

/// Whether git would quote the name: it contains characters that end or forge a line, or that
/// quotes must escape. Beyond ASCII, only characters that terminals do not show.
[[nodiscard]] bool needs_quotes(std::string_view name) {
  return name.find_first_of("\"\\\t") != std::string_view::npos || printable(name) != name;
}

/// As git quotes names (core.quotePath): C escapes, octal bytes.
[[nodiscard]] std::string in_quotes(std::string_view name) {
  constexpr std::string_view letters = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";  // byte, then its letter
  std::string result = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    std::size_t at = 0;
    while (at < letters.size() && letters[at] != c) at += 2;
    if (at < letters.size()) {
      result += {'\\', letters[at + 1]};
    } else if (byte < ' ' || byte >= 0x7F) {
      result += fmt::format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// Inside the folder that a patch is applied in: git rejects names that lead out of it.
[[nodiscard]] std::string_view path_in_patch(std::string_view path) {
  for (const std::string_view prefix : {"./", "../", "/"}) {
    if (path.starts_with(prefix)) return path_in_patch(path.substr(prefix.size()));
  }
  return path;
}

/// `a/NAME`, as in patches.
[[nodiscard]] std::string name_in_patch(char side, std::string_view name) {
  const std::string whole = fmt::format("{}/{}", side, name);
  return needs_quotes(name) ? in_quotes(whole) : whole;
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<LineChange> changes = find_changes(old_lines, new_lines);
  const std::string_view name = path_in_patch(path);
  // a tab ends names with blanks for patch(1); git also writes it
  const std::string_view end = name.find(' ') == std::string_view::npos ? "" : "\t";
  std::string diff = fmt::format("--- {}{}\n+++ {}{}\n", name_in_patch('a', name), end,
                                 name_in_patch('b', name), end);
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].old_begin - changes[last].old_end <= 2 * lines_around) {
      ++last;
    }
    append_hunk(diff, old_lines, new_lines, changes, first, last);
    first = last + 1;
  }
  return diff;
}

std::string unified_diff(std::string_view path, const SourceFile& file,
                         const std::vector<Edit>& edits) {
  return unified_diff(path, file.text(), apply_edits(file.text(), edits));
}

TextEdit smallest_edit(std::string_view before, std::string_view after) {
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  const auto front = std::ranges::mismatch(before, after);
  auto begin = static_cast<std::size_t>(front.in1 - before.begin());
  while (begin > 0 && ((begin < before.size() && is_inside(before[begin])) ||
                       (begin < after.size() && is_inside(after[begin])))) {
    --begin;
  }
  std::size_t end = before.size();
  std::size_t end_after = after.size();
  while (end > begin && end_after > begin && before[end - 1] == after[end_after - 1]) {
    --end;
    --end_after;
  }
  while (end < before.size() && is_inside(before[end])) {
    ++end;
    ++end_after;
  }
  return {begin, end, std::string(after.substr(begin, end_after - begin))};
}

}  // namespace gpulint
