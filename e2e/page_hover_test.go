package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// A button is pressed with the pointer on it: that is how it has to be read.
func TestButtonsCanBeReadUnderThePointer(t *testing.T) {
	s := newStudio(t, twoTables)
	for _, scheme := range []string{"light", "dark"} {
		s.size(1280, 800, scheme)
		assert.GreaterOrEqual(t, s.contrastUnderPointer(button("add-table")), 4.5, "%s: the blue one", scheme)
		s.click(tableTitle("customer"))
		assert.GreaterOrEqual(t, s.contrastUnderPointer(button("drop-table")), 4.5, "%s: a plain one", scheme)
		s.click(button("drop-table"))
		assert.GreaterOrEqual(t, s.contrastUnderPointer(button("confirm-yes")), 4.5, "%s: the red one", scheme)
		s.screenshot(scheme)
		s.key("Escape")
		s.lacks(button("confirm"))
	}
}

// contrastUnderPointer is how the text of an element stands out while the
// pointer is on it, as WCAG counts it; colours alone, without filters.
func (b *tab) contrastUnderPointer(selector string) float64 {
	b.t.Helper()
	x, y := b.point(selector)
	b.run(chromedp.MouseEvent("mouseMoved", x, y))
	b.eventually(`s => document.querySelector(s).matches(":hover")`, selector)
	return eval[float64](b, `s => {
		const element = document.querySelector(s), style = getComputedStyle(element);
		const parts = c => c.match(/[\d.]+/g).map(Number);
		let back = element, behind = parts(style.backgroundColor);
		while (behind[3] === 0) behind = parts(getComputedStyle(back = back.parentElement).backgroundColor);
		const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
		const [a, b] = [light(parts(style.color)), light(behind)].sort((p, q) => q - p);
		return (a + 0.05) / (b + 0.05);
	}`, selector)
}
