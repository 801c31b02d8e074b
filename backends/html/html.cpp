#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/emitters.h"
#include "backends/html/assets.h"
#include "backends/html/findings.h"
#include "backends/html/links.h"
#include "backends/html/sections.h"
#include "backends/html/source_view.h"
#include "backends/ink.h"
#include "backends/markup.h"
#include "backends/text.h"
#include "backends/unicode.h"

namespace gpulint {
namespace {

constexpr std::size_t most_unread = 10;

[[nodiscard]] unsigned hex_value(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/// Base64 (RFC 4648) of bytes given as pairs of hexadecimal digits, as a policy names a hash.
[[nodiscard]] std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // three bytes give four digits
    const std::size_t given = std::min<std::size_t>(6, hex.size() - at);
    unsigned bits = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      bits = bits * 16 + (i < given ? hex_value(hex[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      result.push_back(i <= given / 2 ? digits[(bits >> (18 - 6 * i)) & 0x3F] : '=');
    }
  }
  return result;
}

/// The counts that are not zero: `2 errors, 1 info`.
[[nodiscard]] std::string counts_text(const Run& run) {
  std::vector<std::string> counts;
  for (const Severity severity : page_severities) {
    const std::size_t count = count_of(run, severity);
    if (count > 0) counts.push_back(count_text(count, to_string(severity)));
  }
  return fmt::format("{}", fmt::join(counts, ", "));
}

[[nodiscard]] PlacementMatrix::Tally tally_of(const Run& run) {
  PlacementMatrix::Tally sum;
  for (const PlacementMatrix& matrix : run.placements) {
    sum.all += matrix.tally.all;
    sum.fitting += matrix.tally.fitting;
    sum.open += matrix.tally.open;
  }
  return sum;
}

/// What somebody who reads one line of the page should know.
[[nodiscard]] std::string verdict_line(const Run& run) {
  const PlacementMatrix::Tally tally = tally_of(run);
  const std::string counts = counts_text(run);
  const std::string files = count_text(run.summary.files, "file");
  const std::size_t refused = tally.all - tally.fitting - tally.open;
  const std::string all = count_text(tally.all, "workload");
  if (refused > 0 && refused == tally.all) {
    return tally.all == 1 ? "The workload cannot be placed"
                          : fmt::format("None of {} can be placed", all);
  }
  if (refused > 0) return fmt::format("{} of {} cannot be placed", refused, all);
  if (tally.open > 0 && tally.open == tally.all) {
    return fmt::format("{} may fit, which is not certain",
                       tally.all == 1 ? "The workload" : "All " + all);
  }
  if (tally.open > 0) return fmt::format("{} of {} may fit, which is not certain", tally.open, all);
  const std::string found = counts.empty() ? "" : fmt::format(", with {}", counts);
  if (tally.all == 1) return "The workload can be placed" + found;
  if (tally.all > 1) return fmt::format("All {} can be placed{}", all, found);
  if (!counts.empty()) return fmt::format("{} in {}", counts, files);
  return quiet_verdict(run);
}

class PageWriter {
 public:
  PageWriter(const Run& run, std::ostream& out) : run_(run), out_(out) {
    run_.presentation = {};  // locations are text here, not terminal output
  }

  void write() {
    const PageLinks links = link_page(run_);
    write_head();
    write_header();
    out_ << "<main id=\"main\">\n";
    write_placement_section(run_, links, out_);
    write_findings_section(run_, links, out_);
    write_pods_section(run_, out_);
    write_rules_section(run_, out_);
    out_ << "</main>\n";
    write_keys();
    out_ << "<script>" << report_js() << "</script>\n</body>\n</html>\n";
  }

 private:
  /// The policy lets nothing in from outside, no style but the one below and no script but the
  /// last.
  void write_head() {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         << fmt::format(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action "
                "'none'\">\n",
                base64_of_hex(report_css_sha256()), base64_of_hex(report_js_sha256()))
         << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
         << escape_markup(verdict_line(run_)) << " · gpulint</title>\n<style>" << report_css()
         << "</style>\n</head>\n<body>\n"
         << "<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n";
  }

  void write_header() {
    out_ << "<header>\n<p class=\"quiet\">gpulint report</p>\n<h1>"
         << escape_markup(verdict_line(run_)) << "</h1>\n";
    write_counts();
    if (!run_.errors.empty()) {
      out_ << "<p class=\"error-text\">The run failed: not everything was read.</p>\n<ul>\n";
      for (const RunError& error : run_.errors) {
        const std::string file = error.file.empty() ? "" : error.file + ": ";
        out_ << "<li>" << escape_markup(file + error.message) << "</li>\n";
      }
      out_ << "</ul>\n";
    }
    if (run_.unplaced > 0) {
      const std::string count = count_text(run_.unplaced, "workload");
      out_ << fmt::format(
          "<p>{} {} no nodes in the same scope: where {} can run was not judged.</p>\n", count,
          run_.unplaced == 1 ? "has" : "have", run_.unplaced == 1 ? "it" : "they");
    }
    write_about();
    write_navigation();
    out_ << "</header>\n";
  }

  void write_counts() {
    if (run_.diagnostics.empty()) return;
    out_ << "<ul class=\"counts\">";
    for (const Severity severity : page_severities) {
      if (count_of(run_, severity) == 0) continue;
      out_ << fmt::format("<li class=\"{0}-text\">{1}</li>", to_string(severity),
                          count_text(count_of(run_, severity), to_string(severity)));
    }
    out_ << "</ul>\n";
  }

  void write_fact(std::string_view name, const std::string& html) {
    if (!html.empty()) out_ << fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
  }

  [[nodiscard]] static std::string code_html(const std::string& text) {
    return text.empty() ? "" : fmt::format("<code>{}</code>", escape_markup(text));
  }

  void write_about() {
    const Provenance& from = run_.provenance;
    const std::string date = from.date.empty() ? "" : "; " + from.date;
    out_ << fmt::format("<details id=\"about\"><summary>{}, {}{}</summary><dl>\n",
                        count_text(run_.summary.files, "file"),
                        count_text(run_.summary.documents, "document"), escape_markup(date));
    write_fact("command", code_html(from.command));
    const bool is_told = !from.command.empty();
    write_fact("configuration", from.configuration.empty() && is_told
                                    ? "no gpulint.yaml"
                                    : code_html(from.configuration));
    write_fact("revision", from.revision.empty() && is_told ? "outside of git repositories"
                                                            : code_html(from.revision));
    write_fact("inputs", escape_markup(from.read));
    for (std::size_t i = 0; i < std::min(run_.read.not_read.size(), most_unread); ++i) {
      const UnreadFile& file = run_.read.not_read[i];
      write_fact("not read",
                 code_html(file.file) + (file.why.empty() ? "" : ": " + escape_markup(file.why)));
    }
    write_fact("gpulint", escape_markup(run_.version));
    out_ << "</dl></details>\n";
  }

  void write_navigation() {
    out_ << "<nav aria-label=\"Sections\"><ul>";
    if (!run_.placements.empty()) out_ << "<li><a href=\"#placement\">Placement</a></li>";
    out_ << "<li><a href=\"#findings\">Findings</a></li>";
    if (!run_.pods.empty()) out_ << "<li><a href=\"#pods\">Compiled pods</a></li>";
    if (!run_.diagnostics.empty()) out_ << "<li><a href=\"#rules\">Rules</a></li>";
    out_ << "</ul>\n<p id=\"tools\" hidden><button type=\"button\" id=\"theme\">Theme: auto"
            "</button> <button type=\"button\" id=\"help\">Keys <kbd>?</kbd></button></p></nav>\n";
  }

  /// Only the script opens it, and without one there are no keys.
  void write_keys() {
    constexpr std::array<std::array<std::string_view, 2>, 8> keys = {{
        {"j</kbd> <kbd>k", "next, previous finding"},
        {"Enter", "unfold, fold it"},
        {"e", "unfold, fold everything"},
        {"/", "search"},
        {"p</kbd> <kbd>f", "to the placement, to the findings"},
        {"← ↑ → ↓", "from cell to cell of the matrix"},
        {"t", "theme"},
        {"?", "this list"},
    }};
    out_
        << "<dialog id=\"keys\" aria-labelledby=\"keys-head\"><h2 id=\"keys-head\">Keys</h2><dl>\n";
    for (const auto& [key, does] : keys) {
      out_ << fmt::format("<dt><kbd>{}</kbd></dt><dd>{}</dd>\n", key, does);
    }
    out_ << "</dl><button type=\"button\" id=\"close\">Close</button></dialog>\n";
  }

  Run run_;
  std::ostream& out_;
};

}  // namespace

void emit_html(const Run& run, std::ostream& out) { PageWriter(run, out).write(); }

}  // namespace gpulint
