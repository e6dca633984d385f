package enginetest

import (
	crand "crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/e2e/long"
)

// thoroughEdits is how far the walk goes where tests are thorough and
// BERTH_TEST_EDITS does not say, and shortEdits how far elsewhere. The longer
// walk has to make every kind of edit.
const (
	thoroughEdits = 400
	shortEdits    = 80
)

// walker edits a design at random and publishes it every few edits.
type walker struct {
	*bench
	random *rand.Rand
	names  int // handed out so far

	edits     map[designer.Op]int // published, by kind
	publishes int
	refused   []string // reasons, one a publish
	inserts   int
	rejected  int            // of the inserts
	last      []string       // the edits of the round, in words
	beyond    map[string]int // how often what the server lacks kept edits from being drawn
}

// walk takes the shop through random edits.
func walk(t *testing.T, target Target) {
	otherwise := shortEdits
	if long.Thorough() {
		otherwise = thoroughEdits
	}
	seed, edits := seedOf(t), number(t, "BERTH_TEST_EDITS", otherwise)
	w := &walker{bench: newShop(t, target), random: rand.New(rand.NewPCG(uint64(seed), 0)), edits: map[designer.Op]int{}, beyond: map[string]int{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("run again with BERTH_TEST_SEED=%d; publish %d was of:\n%s", seed, w.publishes, strings.Join(w.last, "\n"))
		}
	})
	for w.total() < edits {
		w.round()
	}
	w.report(seed)
	w.standsElsewhere()
}

// seedOf returns the seed of the walk. Unless BERTH_TEST_SEED is set, the walk
// is the same every time.
func seedOf(t *testing.T) int {
	if os.Getenv("BERTH_TEST_SEED") != "random" {
		return number(t, "BERTH_TEST_SEED", 1)
	}
	var b [4]byte
	_, _ = crand.Read(b[:]) // never fails
	return int(binary.LittleEndian.Uint32(b[:]))
}

func number(t *testing.T, variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, variable)
	return n
}

func (w *walker) total() int {
	n := 0
	for _, count := range w.edits {
		n += count
	}
	return n
}

// round draws a few edits and publishes them. What is refused is undone.
func (w *walker) round() {
	w.t.Helper()
	design := w.design()
	d := &editGenerator{walker: w, design: design, facts: w.rows(w.base), pinned: w.pinned()}
	var changes []designer.Change
	var ops []designer.Op
	w.last = nil
	for range 1 + w.random.IntN(6) {
		edits, made := d.draw()
		changes = append(changes, made...)
		for _, e := range edits {
			ops = append(ops, e.Op)
			w.last = append(w.last, inFull(e))
		}
	}
	require.NoError(w.t, design.Check())
	w.publishes++
	base := w.base
	_, refusal := w.publish(design)
	if refusal != nil {
		w.refused = append(w.refused, reason(refusal)+"\n\t"+strings.Join(w.last, "\n\t"))
		for _, c := range slices.Backward(changes) {
			design.Undo(c)
		}
		require.Equal(w.t, w.base.Version(), design.Version(), "undone")
		return
	}
	for _, op := range ops {
		w.edits[op]++
	}
	w.fillChanged(base)
}

// inFull is an edit in words, with what it sets.
func inFull(e designer.Edit) string {
	text, _ := json.Marshal([]any{e.InitialColumns, e.Column, e.SetTable, e.SetColumn, e.ForeignKey, e.SetForeignKey, e.Index, e.SetIndex, e.Check, e.Comment, e.Type, e.SetType}) // plain data
	return designer.Describe(e) + " " + strings.NewReplacer("{},", "", ",{}", "", "null,", "").Replace(string(text))
}

// fillChanged puts rows into the tables that are not what they were.
func (w *walker) fillChanged(before *designer.Schema) {
	w.t.Helper()
	for _, t := range parentsFirst(w.base) {
		was, rows := before.ByID(t.ID), 2
		switch {
		case was == nil:
			rows = 8
		case was.Name == t.Name && len(was.Columns) == len(t.Columns):
			continue
		}
		refused := w.insert(t, rows)
		w.inserts, w.rejected = w.inserts+rows, w.rejected+len(refused)
		for _, err := range refused {
			w.t.Logf("row refused: %v", err)
		}
	}
}

// report logs statistics of the walk and fails if it covered too little.
func (w *walker) report(seed int) {
	w.t.Helper()
	for _, r := range w.refused {
		w.t.Logf("refused: %s", r)
	}
	for _, lacking := range slices.Sorted(maps.Keys(w.beyond)) {
		w.t.Logf("the server lacks %s: %d draws were put back", lacking, w.beyond[lacking])
	}
	w.t.Logf("seed %d: %d edits in %d publishes, %d refused (%.1f %%); %d of %d new rows refused; %d tables",
		seed, w.total(), w.publishes, len(w.refused), 100*float64(len(w.refused))/float64(w.publishes),
		w.rejected, w.inserts, w.base.Len())
	assert.Less(w.t, 5*len(w.refused), w.publishes, "a walk that is mostly refused proves nothing")
	assert.Less(w.t, 5*w.rejected, w.inserts, "tables that take no rows are not what they say")
	empty := 0
	for _, rows := range w.rows(w.base) {
		if rows.count == 0 {
			empty++
		}
	}
	assert.Less(w.t, 4*empty, w.base.Len(), "tables without rows prove little")
	for _, op := range designer.Ops() {
		w.t.Logf("%-16s %d", op, w.edits[op])
		if w.makes(op) && w.total() >= thoroughEdits {
			assert.NotZero(w.t, w.edits[op], "no %s was published", op)
		}
	}
}

// standsElsewhere creates the result of the walk in an empty database, except
// for views that an edit broke on a server that permits that.
func (w *walker) standsElsewhere() {
	w.t.Helper()
	catalog := w.base.Catalog()
	catalog.Views = w.views()
	if w.Lacks != nil {
		catalog.Views = nil // such a server may read a view by names that its text has no more
	}
	w.base.SetCatalog(catalog)
	plan, err := w.Engine.Script(w.base)
	require.NoError(w.t, err)
	other := newBench(w.t, w.Target)
	require.NoError(w.t, other.apply(plan), "%s", plan.Script())
	assert.Empty(w.t, differences(w.t, w.base.Definition(), other.build(w.t, other.read()).Definition()), "made of\n%s", plan.Script())
}

// draw finds edits that the designer accepts and makes them.
func (d *editGenerator) draw() ([]designer.Edit, []designer.Change) {
	d.t.Helper()
	for range 200 {
		edits := d.group()
		var made []designer.Change
		var err error
		for _, e := range edits {
			c, refused := d.design.Apply(e)
			if refused != nil {
				err = errors.Join(err, refused)
				break
			}
			made = append(made, c)
		}
		if err == nil && slices.ContainsFunc(made, func(c designer.Change) bool { return !c.Empty() }) {
			lacking := d.lacks(d.base, d.design)
			if lacking == "" {
				return edits, made
			}
			d.beyond[lacking]++
		}
		for _, c := range slices.Backward(made) {
			d.design.Undo(c)
		}
	}
	require.FailNow(d.t, "two hundred edits in a row were refused by the designer")
	return nil, nil
}
