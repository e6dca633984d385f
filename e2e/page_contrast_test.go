package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kinds marks one control of each kind that is in view, so that it can be found
// again, and returns their names. Two controls are of one kind if they have the
// same element, classes and state.
const kinds = `() => {
	const seen = new Map();
	for (const e of document.querySelectorAll("button, input, select, textarea, a[href], summary")) {
		const r = e.getBoundingClientRect();
		if (r.width < 4 || r.height < 4 || r.right < 0 || r.bottom < 0 || r.left > innerWidth || r.top > innerHeight) continue;
		if (document.querySelector("dialog[open]") && !e.closest("dialog[open]")) continue;
		const kind = [e.tagName.toLowerCase(), e.type ?? "", e.getAttribute("class") ?? "", e.parentElement.className.baseVal ?? e.parentElement.className,
			...["aria-selected", "aria-expanded", "aria-pressed", "aria-invalid"].map(a => e.getAttribute(a) === "true" ? a : ""), e.disabled ? "disabled" : ""].filter(Boolean).join(" ");
		if (!seen.has(kind)) seen.set(kind, e);
	}
	for (const e of document.querySelectorAll("[data-kind]")) e.removeAttribute("data-kind");
	return [...seen].map(([kind, e], i) => (e.setAttribute("data-kind", i), kind));
}`

// legible returns what is wrong with the colours of the marked control i, as
// they are now: its text or icon on what is behind it, and for focus the ring.
// WCAG asks 4.5 of text and 3 of icons and rings, and nothing of a control that
// cannot be used; here its text must still be found. A change of colour may
// take a frame.
const legible = `async (i, state) => {
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
	const e = document.querySelector("[data-kind='" + i + "']"), style = getComputedStyle(e);
	const parts = c => {
		const srgb = c.startsWith("color(srgb");
		const n = (c.replace("color(srgb", "").match(/[\d.]+/g) ?? []).map(Number);
		return srgb ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1] : [n[0], n[1], n[2], n[3] ?? 1];
	};
	const over = (top, below) => [0, 1, 2].map(k => top[k] * top[3] + below[k] * (1 - top[3])).concat(1);
	const behind = from => {
		const layers = [];
		for (let p = from; p; p = p.parentElement) layers.push(parts(getComputedStyle(p).backgroundColor));
		return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
	};
	const bright = Number(/brightness\(([\d.]+)\)/.exec(style.filter)?.[1] ?? 1);
	const lit = c => [0, 1, 2].map(k => Math.min(255, c[k] * bright)).concat(c[3]);
	const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05) };
	const wrong = [];
	const around = behind(e.parentElement);
	const ground = over(lit(parts(style.backgroundColor)), around);
	const faded = c => over([...c.slice(0, 3), c[3] * Number(style.opacity)], around);
	const words = e.matches("select, textarea, input:not([type=checkbox], [type=radio])") || e.innerText?.trim();
	const leaf = e.matches("button") ? [...e.querySelectorAll("*")].filter(c => c.children.length === 0 && c.textContent.trim() && c.getBoundingClientRect().width > 1) : [];
	for (const part of words && leaf.length > 0 ? leaf : [e]) {
		const ink = over(lit(parts(getComputedStyle(part).color)), ground), own = part === e ? ground : over(parts(getComputedStyle(part).backgroundColor), ground);
		const found = contrast(faded(ink), faded(own)), wanted = state === "disabled" ? 2.5 : words ? 4.5 : 3;
		if (!e.matches("[type=checkbox], [type=radio]") && found < wanted) wrong.push((part === e ? "" : part.className + " ") + found.toFixed(2) + " : 1");
	}
	if (state === "focus" && style.outlineStyle !== "none") {
		const ring = contrast(parts(style.outlineColor), around);
		if (ring < 3) wrong.push("its ring " + ring.toFixed(2) + " : 1");
	}
	if (state === "focus" && style.outlineStyle === "none") wrong.push("no ring");
	return wrong;
}`

// forced are the pseudo-classes of what a person does to a control.
var forced = map[string][]string{
	"at rest": {}, "hover": {"hover"}, "focus": {"focus", "focus-visible", "focus-within"}, "pressed": {"hover", "focus", "active"},
}

// canBeRead checks each kind of control in view: at rest, under the pointer,
// focused, pressed and disabled.
func (b *tab) canBeRead(view string, known map[string]bool) {
	b.t.Helper()
	b.rests()
	root := tell(b, dom.GetDocument, dom.GetDocumentParams{}).Root.NodeID
	for i, kind := range eval[[]string](b, kinds, nil) {
		if known[kind] {
			continue
		}
		known[kind] = true
		node := tell(b, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root, Selector: fmt.Sprintf("[data-kind='%d']", i)}).NodeID
		for state, classes := range forced {
			tell(b, css.ForcePseudoState, css.ForcePseudoStateParams{NodeID: node, ForcedPseudoClasses: classes})
			disabled := eval[bool](b, `i => document.querySelector("[data-kind='" + i + "']").disabled === true`, i)
			if disabled && state == "focus" {
				continue // which cannot have it
			}
			if disabled {
				state = "disabled"
			}
			assert.Empty(b.t, eval[[]string](b, legible, i, state), "%s: %s, %s", view, kind, state)
		}
		tell(b, css.ForcePseudoState, css.ForcePseudoStateParams{NodeID: node, ForcedPseudoClasses: []string{}})
		wrong := eval[[]string](b, `async i => {
			const e = document.querySelector("[data-kind='" + i + "']"), was = e.disabled;
			if (was === undefined) return [];
			e.disabled = true;
			const wrong = await (`+legible+`)(i, "disabled");
			e.disabled = was;
			return wrong;
		}`, i)
		assert.Empty(b.t, wrong, "%s: %s, disabled", view, kind)
	}
}

// A control is used with the pointer on it, the focus on it or a finger pressing
// it: that is how it has to be read, in both themes.
func TestEveryControlCanBeReadWhileItIsUsed(t *testing.T) {
	s := newStudio(t, twoTables)
	s.arranged()
	s.apply(addTable("extra"), map[string]any{"op": "set_column", "table": map[string]any{"name": "customer"}, "column": map[string]any{"name": "name"},
		"set": map[string]any{"dataType": "VARCHAR(220)", "isNullable": true}})
	waiting := s.agent.ask(s.root, "execute-sql", map[string]any{"statement": "DELETE FROM customer"})
	require.Contains(t, waiting.text(), "approv")
	for _, scheme := range []string{"light", "dark"} {
		s.size(1280, 800, scheme)
		tell(s.tab, dom.Enable, dom.EnableParams{})
		tell(s.tab, css.Enable, cdp.Empty{})
		known := map[string]bool{}
		look := func(view string) { s.canBeRead(scheme+" "+view, known) }
		look("opened")
		s.click(tableTitle("customer"))
		look("selected")
		s.click(button("drop-table"))
		look("confirm")
		s.screenshot(scheme + "-confirm")
		s.key("Escape")
		s.lacks(button("confirm"))
		s.click(button("filter"))
		look("filter")
		s.click(button("filter"))
		s.click(button("related-only"))
		s.click(button("outline-switch"))
		s.has(outlineRow("extra") + ".off")
		look("outline")
		s.screenshot(scheme + "-outline")
		s.click(button("close-outline"))
		s.click(button("show-all"))
		s.lacks(button("shown-line"))
		for _, panel := range []string{"changes", "review", "lint", "approvals", "activity", "data", "projects", "transfer"} {
			s.do(button("tab-" + panel))
			s.has(button("panel-"+panel) + " .panel-body > :not(.empty)")
			look(panel)
			s.screenshot(scheme + "-" + panel)
		}
		s.do(button("tab-transfer"))
		s.do(button("tab-changes"))
		s.do(button("publish"))
		s.has(button("publish-target"))
		look("publish")
		s.screenshot(scheme + "-publish")
		s.key("Escape")
		s.lacks("dialog[open]")
		s.do(button("tab-changes"))
		s.do(button("help-button"))
		s.has("dialog[open]")
		look("help")
		s.key("Escape")
		s.lacks("dialog[open]")
		s.click(button("arrange"))
		s.has(button("toast-action"))
		look("toast")
		s.click(button("add-item"))
		look("adding")
		s.key("Escape")
		s.opensMenu(tableTitle("customer"))
		look("menu")
		s.screenshot(scheme + "-menu")
		eval[bool](s.tab, `(document.querySelector("[data-testid=menu] [role=menuitem]").focus(), true)`) // it has gone through all controls
		s.key("Escape")
		s.lacks(button("menu"))
		s.click(tableTitle("customer"))
		s.click(button("edit-table"))
		for _, section := range []string{"columns", "keys", "indexes"} {
			s.do(button("section-" + section))
			look("table " + section)
		}
		s.do(button("new-index"))
		s.has(button("index-form"))
		look("index")
		s.do(button("close-editor"))
		s.lacks(button("table-form"))
		assert.Greater(t, len(known), 25, "kinds of controls")
		t.Log(scheme, len(known), "kinds of controls")
	}
}
