package main_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

const edits = 50

// edit reports, for edits of the agent to one table in view, when each is in
// the page's DOM and handed over to be drawn, after the agent called and
// after it had its reply (below zero: the page was first); and what a single
// edit touches.
func (p *pages) edit(b *testing.B) {
	t := p.show(side{name: "berth"}, p.at(levels[2]))
	table := eval[string](t, `s => {
		const boxes = [...document.querySelectorAll("[data-testid^='table-']")];
		const far = (e) => { const r = e.getBoundingClientRect(); return Math.hypot(r.x + r.width / 2 - s.Left - s.Width / 2, r.y - s.Top - s.Height / 2) };
		return boxes.sort((a, b) => far(a) - far(b))[0].dataset.testid.replace(/^table-main\./, "");
	}`, p.stage)
	clock := eval[[]float64](t, `bench.clock()`)
	ahead := clock[1] - clock[0] // of the machine's, within a millisecond
	b.Logf("the page's clock is %.1f ms ahead; edits go to %s", ahead, table)

	var called, replied, painted []time.Duration
	var tables, nodes, rendered int
	name := "column14"
	for i := range edits {
		next := fmt.Sprintf("edited%02d", i)
		eval[bool](t, `s => (bench.changes(), bench.expect(() => document.querySelector(s) !== null))`, fmt.Sprintf(`[data-testid="column-main.%s.%s"]`, table, next))
		before := time.Now()
		p.version = p.design(b, map[string]any{"operation": "apply_edits", "payload": map[string]any{"expectedVersion": p.version, "edits": []any{map[string]any{
			"op": "set_column", "table": map[string]any{"name": table}, "column": map[string]any{"name": name}, "set": map[string]any{"name": next}}}}})
		after := time.Now()
		name = next
		at := eval[struct{ Shown, Painted float64 }](t, `bench.expected`)
		t.rest()
		changed := eval[struct {
			Tables, Other map[string]int
			Rendered      int
		}](t, `bench.changed()`)
		shown := time.UnixMicro(int64((at.Shown - ahead) * 1000))
		called = append(called, shown.Sub(before))
		replied = append(replied, shown.Sub(after))
		painted = append(painted, time.UnixMicro(int64((at.Painted-ahead)*1000)).Sub(after))
		tables, rendered = max(tables, len(changed.Tables)), max(rendered, changed.Rendered)
		n := 0
		for _, c := range changed.Tables {
			n += c
		}
		for _, c := range changed.Other {
			n += c
		}
		nodes = max(nodes, n)
		if i == edits-1 {
			b.Logf("mutations by table %v, elsewhere %v", changed.Tables, changed.Other)
		}
	}
	t.open("about:blank")
	for name, all := range map[string][]time.Duration{"call-shown": called, "reply-shown": replied, "reply-painted": painted} {
		b.ReportMetric(micros(quantile(slices.Clone(all), .5))/1e3, name+"-p50-ms")
		b.ReportMetric(micros(quantile(slices.Clone(all), .99))/1e3, name+"-p99-ms")
	}
	b.ReportMetric(float64(tables), "tables-mutated")
	b.ReportMetric(float64(nodes), "mutations")
	b.ReportMetric(float64(rendered), "components-rendered")
}
