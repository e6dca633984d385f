package main_test

import "testing"

// arrange reports the time from the click on "Arrange" to all tables in their
// new places, the first time, which loads the worker, and again; and how long
// the page itself was busy at a stretch meanwhile.
func (p *pages) arrange(b *testing.B) {
	t := p.show(side{name: "berth"}, view{})
	took := func() float64 {
		return eval[float64](t, `async () => {
			const button = document.querySelector("[data-testid=arrange]");
			const until = async (test) => { while (!test()) await new Promise(requestAnimationFrame) };
			const began = performance.now();
			button.click();
			await until(() => button.disabled);
			await until(() => !button.disabled);
			const took = performance.now() - began;
			const said = document.querySelector("[data-testid=toasts]").textContent;
			if (!said.includes("Arranged")) throw new Error("it was not arranged: " + said);
			return took;
		}`, 0)
	}
	var first, again float64
	busy := p.during(t, func(*tab) { first = took() })
	t.rest()
	busier := p.during(t, func(*tab) { again = took() })
	t.open("about:blank")
	b.ReportMetric(first, "first-ms")
	b.ReportMetric(again, "again-ms")
	b.ReportMetric(max(busy.longest, busier.longest), "longest-frame-ms")
	b.ReportMetric(max(busy.task, busier.task), "longest-task-ms")
}
