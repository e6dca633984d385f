package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/e2e/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kind is one kind of edit, as a caller writes it. A word in angle brackets
// is replaced by the dialect's: <int64> by the first type of that kind,
// <identity> by the first that may number rows, <schema> and <collation> by
// the target's.
type kind struct {
	name  string
	edits string
}

// kindsOfEdits publishes each kind once, with rows present.
func kindsOfEdits(t *testing.T, target Target) {
	all := slices.Concat(tableKinds(), columnKinds(), typeKinds(), attributeKinds(), keyKinds(), indexKinds(), manyKinds(), namedTypeKinds())
	played := all
	if target.Server.Name != "sqlite" { // a file takes a fraction of a server's time
		played = long.Sample(t, 24, all)
	}
	var mu sync.Mutex
	published, ran, beyond := map[designer.Op]bool{}, 0, map[string][]string{}
	for _, k := range played {
		t.Run(k.name, func(t *testing.T) {
			target.parallel(t)
			edits, err := target.decode(k)
			why, listed := target.unsupported(k.name)
			if listed {
				t.Logf("%s does not: %s", target.Server.Name, why)
				assert.Error(t, errors.Join(err, refuses(t, target, edits)), "it does: take it off the list")
			}
			lacking := ""
			if !listed {
				require.NoError(t, err)
				lacking = publishKind(t, target, edits)
			}
			mu.Lock()
			defer mu.Unlock()
			ran++
			if lacking != "" {
				t.Logf("left out: the server lacks %s", lacking)
				beyond[lacking] = append(beyond[lacking], k.name)
			}
			for _, e := range edits {
				published[e.Op] = published[e.Op] || !listed && lacking == ""
			}
		})
	}
	for name := range target.Unsupported {
		assert.True(t, slices.ContainsFunc(all, func(k kind) bool { return k.name == name }), "no kind is called %q", name)
	}
	t.Cleanup(func() { // after the kinds
		for _, lacking := range slices.Sorted(maps.Keys(beyond)) {
			slices.Sort(beyond[lacking])
			t.Logf("the server lacks %s: %d kinds are left out: %s", lacking, len(beyond[lacking]), strings.Join(beyond[lacking], ", "))
		}
		for _, op := range designer.Ops() {
			if target.makes(op) {
				assert.True(t, published[op] || ran < len(all), "%s was never published", op)
			}
		}
	})
}

var placeholder = regexp.MustCompile(`<([a-z0-9]+)>`)

// decode reads the edits in the dialect's words.
func (target Target) decode(k kind) ([]designer.Edit, error) {
	var missing []string
	text := placeholder.ReplaceAllStringFunc(k.edits, func(found string) string {
		word := target.word(strings.Trim(found, "<>"))
		if word == "" {
			missing = append(missing, found)
		}
		return word
	})
	if missing != nil {
		return nil, fmt.Errorf("the dialect has no %s", missing)
	}
	list, err := edits.Decode(json.RawMessage("[" + text + "]"))
	if err != nil {
		return nil, err.Error
	}
	return list, nil
}

// word is what the dialect says for a placeholder, "" where it has nothing.
func (target Target) word(name string) string {
	switch name {
	case "schema":
		return target.Schema
	case "collation":
		return target.Collation
	case "method":
		return target.method()
	case string(designer.KindText):
		if target.Text != "" {
			return target.Text
		}
	}
	for _, info := range target.Engine.Dialect().Types {
		if string(info.Kind) == name || name == "identity" && info.Identity {
			return info.Name // the first of a kind stands for it
		}
	}
	return ""
}

// method is one of indexes that is not the ordinary one, "" where there is
// none.
func (target Target) method() string {
	methods := target.Engine.Dialect().Indexes.Methods(&designer.Table{})
	if len(methods) < 2 {
		return ""
	}
	return methods[1].Name
}

// errNothing says that edits came to nothing.
var errNothing = errors.New("the design stays as it is")

// refuses edits the shop and returns the refusal of the designer, of the plan
// or of the server, or that nothing changed.
func refuses(t *testing.T, target Target, edits []designer.Edit) error {
	if edits == nil {
		return nil
	}
	b := newShop(t, target)
	design := b.design()
	for _, e := range edits {
		if _, err := design.Apply(e); err != nil {
			return err
		}
	}
	if design.Version() == b.base.Version() {
		return errNothing
	}
	_, err := b.publish(design)
	return err
}

// publishKind makes the edits and publishes them, unless the server lacks
// something for it.
func publishKind(t *testing.T, target Target, edits []designer.Edit) (lacking string) {
	b := newShop(t, target)
	design := b.design()
	for i, e := range edits {
		_, err := design.Apply(e)
		if err != nil {
			require.FailNow(t, "the designer refuses", "edits[%d]: %v", i, err)
		}
	}
	require.NotEmpty(t, describe(t, designer.DiffOf(b.base, design)), "the edits come to nothing")
	if lacking := b.lacks(b.base, design); lacking != "" {
		return lacking
	}
	before := b.views()
	mark := b.mark()
	plan, refusal := b.publish(design)
	require.NoError(t, refusal)
	require.NotEqual(t, mark, b.mark(), "the schema has changed and its mark has not")
	for _, view := range before {
		if err := b.selects(view); err != nil && !strings.Contains(strings.Join(plan.Notes, "\n"), view.Name) {
			assert.NoError(t, err, "view %s is broken and the plan does not say so", view.Name)
		}
	}
	b.auditsPrices()
	for _, table := range parentsFirst(b.base) {
		assert.Empty(t, b.insert(table, 3), "new rows for %s", table.Name)
	}
	return ""
}

// views lists those that can be read.
func (b *bench) views() []designer.View {
	return slices.DeleteFunc(b.base.Views(), func(v designer.View) bool { return b.selects(v) != nil })
}

func (b *bench) selects(v designer.View) error {
	ctx, cancel := patiently()
	defer cancel()
	name := b.tableName(&designer.Table{Schema: v.Schema, Name: v.Name})
	rows, err := b.db.QueryContext(ctx, "SELECT * FROM "+name+b.uncached())
	if err != nil {
		return err
	}
	return errors.Join(rows.Close(), rows.Err())
}

// auditsPrices sees that the shop's trigger, which notes each new price,
// still does.
func (b *bench) auditsPrices() {
	b.t.Helper()
	products, err := b.base.Table(designer.TableRef{Name: "products"})
	audit, missing := b.base.Table(designer.TableRef{Name: "audit"})
	if err != nil || missing != nil || len(products.Triggers) == 0 {
		return // the edits are about just that
	}
	price, err := products.Column(designer.ObjectRef{Name: "price"})
	if err != nil {
		return
	}
	before := b.tableRows(audit).count
	ctx, cancel := patiently()
	defer cancel()
	_, failed := b.db.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %s = %s + 1", b.tableName(products), b.quote(price.Name), b.quote(price.Name)))
	require.NoError(b.t, failed)
	require.Equal(b.t, b.tableRows(products).count, b.tableRows(audit).count-before, "the trigger is there but does nothing")
}
