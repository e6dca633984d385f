package table

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheMedianIsTheMiddleOne(t *testing.T) {
	assert.Equal(t, 3.0, Median([]float64{9, 3, 1}))
	assert.Equal(t, 2.5, Median([]float64{4, 1, 3, 2}))
	assert.Equal(t, 7.0, Median([]float64{7}))
	assert.True(t, math.IsNaN(Median(nil)))
	unsorted := []float64{3, 1, 2}
	Median(unsorted)
	assert.Equal(t, []float64{3, 1, 2}, unsorted, "the caller's values stay as they are")
}

func TestAQuantileIsTheNearestRank(t *testing.T) {
	var hundred []int
	for i := range 100 {
		hundred = append(hundred, 100-i)
	}
	for q, want := range map[float64]int{0: 1, .5: 50, .99: 99, 1: 100} {
		assert.Equal(t, want, Quantile(hundred, q), "%v", q)
	}
	assert.Equal(t, 2, Quantile([]int{1, 2}, .99))
	assert.Equal(t, 0, Quantile([]int{}, .5))
}

func TestTheRatioIsTheMedianOfTheRoundsRatios(t *testing.T) {
	// The second round was slow for both. The medians' ratio would be 3 / 2.
	ours, theirs := series{0: 2, 1: 30, 2: 3}, series{0: 2, 1: 10, 2: 1}
	assert.Equal(t, 3.0, ratio(ours, theirs))
	// A round that one of them lacks does not count.
	assert.Equal(t, 1.0, ratio(series{0: 2, 1: 30}, series{0: 2, 2: 1}))
	assert.True(t, math.IsNaN(ratio(series{0: 2}, series{1: 1})))
	assert.True(t, math.IsNaN(ratio(series{0: 2}, series{0: 0})))
}

func TestFiguresHaveThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 0.01234: "0.0123", 1.2345: "1.23", 12.345: "12.3", 123.45: "123", 999.4: "999", 999.6: "1,000", 1000: "1,000",
		12345.6: "12,346", 1234567: "1,234,567", -12345: "-12,345",
	} {
		assert.Equal(t, want, Format(v))
	}
}

func TestATableInMarkdown(t *testing.T) {
	list := Measure{"SQLite", "list tables, p50", "ms"}
	write := Measure{"SQLite", "DROP TABLE", ""}
	search := Measure{"Files", "search", "ms"}
	alone := Measure{"Files", "edit", "ms"}
	tab := New("berth")
	for round := range 3 {
		tab.Add(list, "berth", round, float64(round+1))
		tab.Add(list, "DBHub", round, 4)
	}
	tab.Say(list, "Toolbox", "missing")
	tab.Add(search, "ripgrep", 0, 5)
	tab.Say(search, "berth", "failed: a | b\nc")
	tab.Say(write, "berth", "refused")
	tab.Say(write, "DBHub", "let through")
	tab.Add(alone, "berth", 0, 1234)
	assert.Equal(t, `
### SQLite

|  | berth | DBHub | Toolbox |
| --- | --- | --- | --- |
| list tables, p50, ms | 2 (1–3) | 4 · ×0.500 | missing |
| DROP TABLE | refused | let through | – |

### Files

|  | berth | ripgrep |
| --- | --- | --- |
| search, ms | failed: a \| b c | 5 |
| edit, ms | 1,234 | – |
`, tab.Markdown())
}
