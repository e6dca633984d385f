package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
)

// Somebody presses, types and drags at random, while an agent edits the same
// design: the page logs no error, shows what the instance has, and its memory
// does not grow with what was done.
func TestRandomActsLeaveAPageThatWorks(t *testing.T) {
	long.Thoroughly(t)
	s := newStudio(t, quay)
	s.expect("400 (Bad Request)", "409 (Conflict)") // what is written at random is refused, too
	s.arranged()
	dice := long.Dice(t)
	ctx, cancel := context.WithTimeout(t.Context(), long.For(20*time.Second, 10*time.Minute))
	defer cancel()
	var agent sync.WaitGroup
	edited := 0
	own := rand.New(rand.NewPCG(dice.Uint64(), 1))
	agent.Go(func() { edited = s.editsMeanwhile(ctx, own) })
	acts := map[string]int{}
	var heaps []float64
	for next := time.Now(); ctx.Err() == nil; {
		if time.Now().After(next) {
			heaps = append(heaps, s.heap())
			next = next.Add(long.For(10*time.Second, time.Minute))
		}
		acts[s.act(dice)]++
		require.True(t, eval[bool](s.tab, `document.querySelector(".shell") !== null`), "the page is there: %v", acts)
	}
	agent.Wait()
	heaps = append(heaps, s.heap())
	reloaded := make(chan struct{})
	go func() {
		for { // what was not saved is asked about
			ctx, cancel := context.WithTimeout(s.tab.ctx, patience)
			_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			cancel()
			select {
			case <-reloaded:
				return
			case <-time.After(tick):
			}
		}
	}()
	s.reload()
	close(reloaded)
	s.has(`[data-testid=canvas]`)
	s.apply(addTable("afterwards"))
	require.EventuallyWithT(t, func(c *assert.CollectT) { showsSome(c, s.tab, s.tables()) }, patience, tick)
	other := s.page(s.in) // which begins where most of it lies, however far apart things were dragged
	other.click(button("outline-switch"))
	other.has("[data-testid=outline] [role=treeitem]")
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		tables := s.tables()
		assert.NotZero(c, showsSome(c, other, tables))
		assert.Equal(c, fmt.Sprintf("main, %d tables", len(tables)), eval[string](other, `(`+readRow+`)(document.querySelector("[data-testid=outline] [role=treeitem]"))`))
	}, patience, tick)
	t.Logf("%d edits of the agent; acts: %v; MB of JavaScript after garbage collection: %.1f", edited, acts, heaps)
	require.NotZero(t, edited)
	last, first := heaps[len(heaps)-1], heaps[1]
	assert.Less(t, last, 2*first+20, "MB at the end and after the first while: %.1f", heaps)
}

// showsSome asserts that what is in view of a tab is the design's, and returns
// how many tables are. From afar tables are drawn without their columns.
func showsSome(t assert.TestingT, b *tab, tables []string) int {
	all := b.shown()
	for _, shown := range all {
		name, afar := strings.CutSuffix(shown, "()")
		assert.True(t, slices.ContainsFunc(tables, func(is string) bool { return is == shown || afar && strings.HasPrefix(is, name+"(") }), "%s is not of %v", shown, tables)
	}
	return len(all)
}

// heap is the memory of the page's JavaScript that is in use, in MB.
func (b *tab) heap() float64 {
	b.t.Helper()
	tell(b, heapprofiler.CollectGarbage, cdp.Empty{})
	return tell(b, runtime.GetHeapUsage, cdp.Empty{}).UsedSize / 1e6
}

// editsMeanwhile adds tables, gives them a column and drops them again as the
// agent, until ctx ends. What others have changed meanwhile is refused.
func (s *studio) editsMeanwhile(ctx context.Context, dice *rand.Rand) (made int) {
	for n := 0; ctx.Err() == nil; n++ {
		table := fmt.Sprint("agent_", n/3%5)
		named := map[string]any{"name": table}
		edit := [...]map[string]any{addTable(table),
			{"op": "add_column", "table": named, "column": map[string]any{"name": "note", "dataType": "TEXT", "isNullable": true}},
			{"op": "drop_table", "table": named}}[n%3]
		if s.agent.design(s.root, edits(s.version(), edit)).Success {
			made++
		}
		select {
		case <-time.After(time.Duration(dice.IntN(1000)) * time.Millisecond): // the random moment itself
		case <-ctx.Done():
		}
	}
	return made
}

// controls are the middles of what can be pressed, but for links that leave the
// page.
const controls = `[...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=menuitem], [role=tab], [role=treeitem], .react-flow__node .head, [data-column]")]
	.filter(e => !e.disabled && !e.closest("a[target], a[download]"))
	.map(e => e.getBoundingClientRect()).filter(r => r.width > 0)
	.map(r => [r.x + r.width / 2, r.y + r.height / 2])
	.filter(([x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)`

// act does one thing at random, and returns what.
func (b *tab) act(dice *rand.Rand) string {
	b.t.Helper()
	anywhere := func() (x, y float64) { return 1 + 1278*dice.Float64(), 1 + 798*dice.Float64() }
	press := func(x, y float64, options ...chromedp.MouseOption) { b.run(chromedp.MouseClickXY(x, y, options...)) }
	switch dice.IntN(10) {
	case 0:
		x, y := anywhere()
		press(x, y)
		return "press anywhere"
	case 1:
		x, y := anywhere()
		press(x, y, chromedp.ButtonRight)
		return "menu"
	case 2:
		x, y := anywhere()
		tx, ty := anywhere()
		b.dragTo(x, y, tx, ty)
		return "drag"
	case 3:
		keys := []string{"Enter", "Space", "Escape", "Tab", "shift+Tab", "Delete", "F2", "F6", "Home", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown",
			"ctrl+z", "ctrl+shift+z", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+Enter", "alt+r", "alt+m", "?", "1", "+", "-", "/"}
		b.key(keys[dice.IntN(len(keys))])
		return "key"
	case 4:
		words := []string{"x", "name", "a name with spaces", "'; DROP TABLE boat; --", "<b>", "ß漢字🚢", "varchar(20)", "42"}
		b.typed(words[dice.IntN(len(words))])
		return "words"
	case 5:
		sizes := [][2]int64{{1280, 800}, {1280, 800}, {700, 800}, {390, 844}, {1760, 1000}}
		size := sizes[dice.IntN(len(sizes))]
		b.size(size[0], size[1], []string{"light", "dark"}[dice.IntN(2)])
		return "size"
	}
	at := eval[[][]float64](b, controls)
	if len(at) == 0 {
		return "nothing to press"
	}
	one := at[dice.IntN(len(at))]
	press(one[0], one[1])
	if dice.IntN(5) == 0 {
		press(one[0], one[1], chromedp.ClickCount(2))
		return "double press"
	}
	return "press"
}
