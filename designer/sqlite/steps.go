package sqlite

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
)

// steps collects a plan.
type steps struct{ designer.Plan }

func newPlan() *steps {
	return &steps{designer.Plan{Dialect: "sqlite", Transactional: true, Separator: ";"}}
}

func (p *steps) add(s designer.Step) { p.Steps = append(p.Steps, s) }

// carried adds the making of something that is kept as text. Triggers have
// their table in their text.
func (p *steps) carried(what, text, reverse string) {
	if text == "" {
		p.Notes = append(p.Notes, fmt.Sprintf("The text of %s is not known: it is left out.", what))
		return
	}
	if isVirtual(text) {
		reverse = "DROP TABLE" + reverse[len("DROP VIEW"):]
	}
	p.add(designer.Step{Statement: closed(text), Comment: "Create " + what, Reverse: reverse})
}

// isVirtual reports whether a text carried among the views makes a virtual
// table.
func isVirtual(text string) bool {
	p := newParser(text)
	return p.at("CREATE", "VIRTUAL")
}

func createTable(r renderer, t *designer.Table) designer.Step {
	return designer.Step{Statement: r.table(t), Comment: "Create table " + spoken(t.Name),
		Reverse: "DROP TABLE " + ident(t.Name), Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}}
}

func createIndex(r renderer, t *designer.Table, x designer.Index) designer.Step {
	return designer.Step{Statement: r.index(t, x), Comment: "Create index " + spoken(x.Name) + " on " + spoken(t.Name),
		Reverse: "DROP INDEX " + ident(x.Name), Tables: []designer.TableName{{Schema: t.Schema, Name: t.Name}}}
}
