"""The HTML report in headless Chromium: keys, narrow and wide windows, dark and light, paper."""
import time
import unittest

import browser
from support import SOURCE, Case

WIDTHS = (360, 390, 768, 1440)
# Everything that can be worked with and is visible.
STOPS = """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter(e => e.getClientRects().length > 0)"""
# The least contrast between a text and what is behind it (WCAG 2), with who has it.
CONTRAST = """(() => {
  const parts = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => parts(c).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (parts(c)[3] !== 0) return c; } return 'rgb(255, 255, 255)'; };
  let least = [99, ''];
  for (const e of document.body.querySelectorAll('*')) {
    const says = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!says || e.tagName === 'SCRIPT' || e.getClientRects().length === 0) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, e.outerHTML.slice(0, 120)];
  }
  return least; })()"""


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Page(Case):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "page.html"
        ran = self.check("--no-config", "--task", "name=train,gpu=1,accelerator=A100", "--task", "name=big,gpu=16",
                         "--format", f"html:{self.page}", "values.yaml", "nodes.yaml", "job.yaml",
                         folder=SOURCE / "testdata/showcase")
        self.assertEqual(ran.status, 1, ran)
        self.browser = browser.Browser(self.folder)
        self.addCleanup(self.browser.close)

    def shown(self):
        return self.browser.ask("document.getElementById('shown').textContent")

    def wait_for_shown(self, text):
        """The page follows keys at its leisure."""
        for _ in range(100):
            if self.shown().startswith(text):
                break
            time.sleep(0.05)
        self.assertTrue(self.shown().startswith(text), self.shown())

    def focused(self):
        return self.browser.ask("document.activeElement.id || document.activeElement.className")

    def test_everything_is_reached_by_keys(self):
        self.browser.open(self.page, 1440)
        wanted = self.browser.ask(f"{STOPS}.length")
        self.browser.ask(f"window.met = new Set(); {STOPS}.forEach((e, i) => e.addEventListener('focus', () => met.add(i)))")
        self.browser.press(*["Tab"] * (wanted + 2))
        self.assertEqual(self.browser.ask("met.size"), wanted)
        self.assertGreater(wanted, 10)

    def test_findings_are_filtered_and_walked_by_keys(self):
        self.browser.open(self.page, 1440)
        total = self.browser.ask("document.querySelectorAll('.finding').length")
        self.assertGreater(total, 2)
        self.browser.press("j")
        first = self.focused()
        self.browser.press("j")
        self.assertNotEqual(self.focused(), first)
        self.browser.press("k")
        self.assertEqual(self.focused(), first)
        self.browser.press("/")
        self.assertEqual(self.focused(), "search")
        self.browser.press(*"embed")
        self.wait_for_shown(f"1 of {total} findings shown")
        self.browser.press("Tab", "Enter")  # the button «Show all»
        self.wait_for_shown(f"{total} of {total} findings shown")
        self.browser.ask("document.querySelector('input[value=error]').focus()")
        self.browser.press(" ")
        self.wait_for_shown("0 of ")

    def test_no_width_needs_scrolling_sideways(self):
        for width in WIDTHS:
            self.browser.open(self.page, width)
            self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), width)

    def test_text_can_be_told_from_its_background(self):
        for scheme in ("light", "dark"):
            self.browser.open(self.page, 1440, prefers_color_scheme=scheme)
            self.browser.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            ratio, text = self.browser.ask(CONTRAST)
            self.assertGreaterEqual(ratio, 4.5, (scheme, text))

    def test_paper_is_white_and_shows_what_is_folded(self):
        self.browser.open(self.page, 800, medium="print", prefers_color_scheme="dark")
        self.assertEqual(self.browser.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.ask("document.getElementById('filters').getClientRects().length"), 0)
        self.assertTrue(self.browser.send("Page.printToPDF")["data"])
        self.assertEqual(self.browser.ask("document.querySelectorAll('details:not([open])').length"), 0)


if __name__ == "__main__":
    unittest.main()
