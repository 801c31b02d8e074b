"""The HTML report in headless Chromium: keys, links, its address, narrow and wide windows, dark and light, paper."""
import json
import sys
import time
import unittest

import browser
import page_inputs
from outside import WORK
from support import SOURCE, Case

sys.path.insert(0, str(SOURCE / "ci"))
import validators

WIDTHS = (360, 390, 768, 1440)
# Everything that can be worked with and is visible.
STOPS = """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter(e => e.tabIndex >= 0 && e.checkVisibility())"""
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
    if (!says || e.tagName === 'SCRIPT' || !e.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, e.outerHTML.slice(0, 120)];
  }
  return least; })()"""


class Browsed(Case):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "page.html"
        self.make()
        self.browser = browser.Browser(self.folder)
        self.addCleanup(self.browser.close)

    def make(self):
        ran = self.check("--no-config", "--task", "name=train,gpu=1,accelerator=A100", "--task", "name=big,gpu=16",
                         "--format", f"html:{self.page}", "values.yaml", "nodes.yaml", "job.yaml",
                         folder=SOURCE / "testdata/showcase")
        self.assertEqual(ran.status, 1, ran)

    def make_of(self, shape):
        page_inputs.SHAPES[shape](self.folder)
        ran = self.check("--no-config", "--format", "html:page.html", *page_inputs.arguments(shape, self.folder))
        self.assertEqual(ran.status, 1, ran)

    def shown(self):
        return self.browser.ask("document.getElementById('shown').textContent")

    def wait_for(self, expression):
        """The page follows keys at its leisure."""
        for _ in range(100):
            if self.browser.ask(f"!!({expression})"):
                return
            time.sleep(0.05)
        self.fail(expression)

    def wait_for_shown(self, text):
        self.wait_for(f"document.getElementById('shown').textContent.startsWith({text!r})")

    def focused(self):
        """The finding whose line has the focus, or what else has it."""
        return self.browser.ask("(e => e.tagName === 'SUMMARY' ? e.parentElement.id : e.id || e.className)"
                                "(document.activeElement)")


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Page(Browsed):
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
        self.assertTrue(first.startswith("finding-"), first)
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
        self.assertTrue(self.browser.ask("document.getElementById('none').checkVisibility()"))
        self.browser.ask("document.querySelector('#filters button').click()")
        self.wait_for_shown(f"{total} of ")

    def test_the_keys_are_listed_on_demand(self):
        self.browser.open(self.page, 1440)
        for opened, closed in ((("?",), ("Escape",)), (("?",), ("Enter",))):
            self.browser.press(*opened)
            self.assertTrue(self.browser.ask("document.getElementById('keys').open"))
            self.browser.press(*closed)
            self.wait_for("!document.getElementById('keys').open")
        for key in self.browser.ask("[...document.querySelectorAll('#keys kbd')].map(k => k.textContent).join(' ')").split():
            if len(key) == 1 and key.isascii() and key not in "?e":
                self.browser.press(key, "Escape")
        self.assertEqual(self.browser.ask("location.hash.split('&')[0]"), "#findings")  # `f` came last of the ways
        self.assertEqual(self.browser.ask("document.documentElement.dataset.theme"), "light")
        self.browser.press("e")
        self.assertTrue(self.browser.ask("[...document.querySelectorAll('.group, .finding')].every(f => f.open)"))
        self.browser.press("e")
        self.assertFalse(self.browser.ask("[...document.querySelectorAll('.group, .finding')].some(f => f.open)"))

    def test_no_width_needs_scrolling_sideways(self):
        for width in WIDTHS:
            self.browser.open(self.page, width)
            for unfold in (False, True):
                if unfold:
                    self.browser.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), width)

    def test_paper_is_white_and_shows_what_is_folded(self):
        self.browser.open(self.page, 800, medium="print", prefers_color_scheme="dark")
        self.assertEqual(self.browser.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.ask("document.getElementById('filters').getClientRects().length"), 0)
        self.browser.ask("addEventListener('beforeprint', () => { window.left = [...document.querySelectorAll("
                         "'details:not([open])')].filter(d => !d.matches('.rule, .pod, .alike')).length; })")
        self.assertTrue(self.browser.send("Page.printToPDF")["data"])
        self.assertEqual(self.browser.ask("window.left"), 0)
        self.assertEqual(self.browser.ask("document.querySelectorAll('.rule[open], .pod[open]').length"), 0)


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Links(Browsed):
    def make(self):
        self.make_of("small")

    def follow(self, selector):
        self.browser.ask("window.matchMedia = () => ({matches: false}); 0")  # a mouse, which no headless browser has
        self.browser.ask(f"document.querySelector({selector!r}).click()")

    def test_from_cell_to_finding_and_back(self):
        self.browser.open(self.page, 1440)
        self.browser.press("e")
        self.browser.press("e")  # all folded
        self.follow("td a[href^='#finding-']")
        self.wait_for("document.activeElement.closest('.finding') && document.activeElement.closest('.finding').open")
        finding = self.focused()
        self.assertTrue(self.browser.ask("document.activeElement.closest('.group').open"))
        self.follow(f"#{finding} a[href^='#c']")
        self.wait_for("document.activeElement.closest('td')")
        self.assertEqual(self.browser.ask("document.activeElement.hash"), f"#{finding}")

    def test_a_link_shows_what_filters_hide(self):
        self.browser.open(self.page, 1440)
        self.browser.press("/", *"nothinglikethis")
        self.wait_for_shown("0 of ")
        self.browser.ask("location.hash = 'finding-1'")
        self.wait_for("document.getElementById('finding-1').checkVisibility()")

    def test_from_workload_to_its_story_and_rule(self):
        self.browser.open(self.page, 1440)
        self.follow("th a[href='#why-2']")
        self.wait_for("document.getElementById('why-2').open")
        self.follow(".group a[href^='#rule-']")
        self.wait_for("document.querySelector('.rule[open]')")

    def test_arrows_walk_the_matrix_and_a_cell_says_its_sentence(self):
        self.browser.open(self.page, 1440)
        at = "(c => [c.parentElement.rowIndex, c.cellIndex].join())(document.activeElement.closest('td'))"
        self.browser.ask("document.querySelector('td a').focus()")
        self.assertEqual(self.browser.ask(at), "1,1")
        self.browser.press("ArrowRight", "ArrowDown")
        self.assertEqual(self.browser.ask(at), "2,2")
        self.assertEqual(self.browser.ask("document.querySelectorAll('td a[tabindex=\"0\"]').length"), 1)
        inside = "(b => b.left >= 0 && b.bottom <= innerHeight)(document.activeElement.lastElementChild.getBoundingClientRect())"
        self.assertTrue(self.browser.ask(inside))
        self.assertEqual(self.browser.ask("document.activeElement.lastElementChild.dataset.at"),
                         "Pod/default/train on T4 × 1, 3 nodes")
        self.browser.press("Escape")
        self.assertEqual(self.browser.ask("getComputedStyle(document.activeElement.lastElementChild).visibility"), "hidden")

    def test_filters_and_folds_survive_in_the_address(self):
        self.browser.open(self.page, 1440)
        self.browser.ask("document.querySelector('input[value=warning]').click();"
                         "document.getElementById('why-2').open = true; document.getElementById('why-1').open = false;"
                         "document.querySelector('.group[open]').open = false")
        self.browser.press("/", *"key")
        self.wait_for("location.hash.includes('q=key')")
        address = self.browser.ask("location.hash")
        for part in ("hide=warning", "open=why-2", "why-1", "shut="):
            self.assertIn(part, address)
        shown = self.shown()
        self.browser.ask("document.title = 'old'; location.reload()")
        self.wait_for("document.title !== 'old' && document.getElementById('search')")
        self.wait_for_shown(shown)
        self.assertEqual(self.browser.ask("['why-1', 'why-2'].map(i => document.getElementById(i).open).join()"), "false,true")
        self.assertFalse(self.browser.ask("document.querySelector('input[value=warning]').checked"))
        self.browser.ask("document.querySelector('#filters button').click()")
        self.wait_for("!location.hash.includes('q=') && !location.hash.includes('hide=')")

    def test_patches_are_copied(self):
        self.browser.open(self.page, 1440)
        self.browser.ask("window.copied = ''; Object.defineProperty(navigator, 'clipboard', {value: "
                         "{writeText: t => { window.copied = t; return Promise.resolve(); }}});"
                         "document.querySelectorAll('details').forEach(d => { d.open = true; });"
                         "document.querySelector('.finding .copy').click()")
        self.assertRegex(self.browser.ask("copied"), r"\A--- a/values\.yaml\n\+\+\+ b/values\.yaml\n@@ -\d+,7 \+\d+,7 @@\n")
        self.wait_for("document.querySelector('.finding .copy').textContent === 'Copied'")

    def test_without_scripts_everything_can_be_read(self):
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.page, 1440)
        seen = self.browser.ask("[...document.querySelectorAll('h1, td, summary, #about dd')].every(e => e.textContent)")
        self.assertTrue(seen)
        self.assertTrue(self.browser.ask("document.getElementById('filters').hidden && document.getElementById('tools').hidden"))


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Wide(Browsed):
    def make(self):
        self.make_of("wide")

    def test_forty_nodes_fit_across_and_their_heads_stay(self):
        self.browser.open(self.page, 1400)
        self.assertLessEqual(self.browser.ask("document.querySelector('.placement').offsetWidth"), 1368)
        self.browser.open(self.page, 390, 500)
        corner = "(b => [b.left, b.top].map(Math.round).join())(document.querySelector('thead th').getBoundingClientRect())"
        before = self.browser.ask(corner)
        self.browser.ask("document.querySelector('.scroll').scrollTo(300, 200)")
        self.assertEqual(self.browser.ask(corner), before)
        self.assertGreater(self.browser.ask("document.querySelector('.scroll').scrollTop"), 100)
        self.assertLessEqual(self.browser.ask("document.documentElement.scrollWidth"), 390)

    def test_paper_has_slices_no_wider_than_itself(self):
        self.browser.open(self.page, 720, medium="print")
        slices = self.browser.ask("[...document.querySelectorAll('.slice')].filter(s => s.checkVisibility())"
                                  ".map(s => s.getBoundingClientRect().right)")
        self.assertGreater(len(slices), 4)
        self.assertLessEqual(max(slices), 720)
        self.assertFalse(self.browser.ask("document.querySelector('.scroll.whole').checkVisibility()"))


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Many(Browsed):
    def make(self):
        self.make_of("many")

    def test_a_narrow_screen_lists_the_nodes_of_each_workload(self):
        heads = "[...document.querySelectorAll('.scroll thead th')].slice(1).map(h => h.textContent)"
        told = "[...document.querySelectorAll('.scroll tbody tr:first-child td')].map(c => getComputedStyle(c, '::before').content)"
        tops = "new Set([...document.querySelectorAll('.scroll tbody tr:first-child td')].map(c => c.getBoundingClientRect().top)).size"
        self.browser.open(self.page, 390)
        nodes = self.browser.ask(heads)
        self.assertGreater(len(nodes), 1)
        self.assertEqual(self.browser.ask(told), [f'"{node}"' for node in nodes])
        self.assertEqual(self.browser.ask(tops), len(nodes))
        self.assertLessEqual(*self.browser.ask("(s => [s.scrollWidth, s.clientWidth])(document.querySelector('.scroll'))"))
        self.browser.open(self.page, 1440)
        self.assertEqual(set(self.browser.ask(told)), {"none"})
        self.assertEqual(self.browser.ask(tops), 1)
    def test_text_can_be_told_from_its_background(self):
        for scheme in ("light", "dark"):
            self.browser.open(self.page, 1440, prefers_color_scheme=scheme)
            self.browser.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            ratio, text = self.browser.ask(CONTRAST)
            self.assertGreaterEqual(ratio, 4.5, (scheme, text))

    def test_sixty_findings_take_three_screens(self):
        self.browser.open(self.page, 1400)
        self.assertLessEqual(self.browser.ask("document.documentElement.scrollHeight"), 3 * 900)
        self.assertGreaterEqual(self.browser.ask("document.querySelectorAll('.finding').length"), 60)


@unittest.skipUnless(browser.BROWSER, "there is no Chromium")
class Accessible(Browsed):
    def make(self):
        self.make_of("small")

    def test_axe_finds_nothing(self):
        problem = validators.install(WORK / "axe", node=["axe-core"])
        if problem:
            self.skipTest(f"axe-core cannot be had: {problem}")
        script = (WORK / "axe/node_modules/axe-core/axe.min.js").read_text()
        for shape, width, scheme in (("small", 1400, "light"), ("small", 390, "dark"), ("wide", 1400, "dark"),
                                     ("many", 390, "light")):
            self.make_of(shape)
            self.browser.open(self.page, width, prefers_color_scheme=scheme)
            self.browser.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            self.browser.ask(f"{script}; window.found = ''")
            self.browser.ask("axe.run().then(r => { window.found = JSON.stringify(r.violations.map("
                             "v => [v.id, v.nodes.map(n => n.html)])); }) && 0")
            self.wait_for("found")
            self.assertEqual(json.loads(self.browser.ask("found")), [], (shape, width, scheme))
            for path in self.folder.glob("**/*.yaml"):
                path.unlink()

    def test_a_tap_shows_the_sentence_and_the_next_one_follows_it(self):
        self.browser.open(self.page, 390)
        self.browser.ask("window.matchMedia = query => ({matches: query === '(hover: none)'}); 0")
        self.browser.ask("document.querySelector('td a').click()")
        self.assertEqual(self.browser.ask("location.hash"), "")
        self.assertTrue(self.browser.ask("document.activeElement === document.querySelector('td a')"))
        self.browser.ask("document.querySelector('td a').click()")
        self.wait_for("location.hash")


if __name__ == "__main__":
    unittest.main()
