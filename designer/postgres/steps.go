package postgres

import "github.com/berth-dev/berth/designer"

// steps collects the steps of a plan.
type steps struct {
	list   []designer.Step
	notes  []string
	before *designer.Schema // that names the tables that steps change; nil: there were none
}

// add appends a step; reverse may be "". t is the table that it changes, in
// whichever form, or nil.
func (b *steps) add(t *designer.Table, comment, statement, reverse string, risks ...designer.Risk) {
	s := designer.Step{Statement: statement, Comment: comment, Reverse: reverse, Risks: risks}
	if t != nil {
		if old := b.tableBefore(t); old != nil {
			t = old
		} else {
			s.Risks = nil // nobody has anything in a new table
		}
	}
	if t != nil {
		s.Tables = []designer.TableName{{Schema: t.Schema, Name: t.Name}}
	}
	b.list = append(b.list, s)
}

func (b *steps) tableBefore(t *designer.Table) *designer.Table {
	if b.before == nil {
		return nil
	}
	return b.before.ByID(t.ID)
}

// run appends statements that belong to what was made just before and go with
// it.
func (b *steps) run(t *designer.Table, comment string, statements ...string) {
	for _, s := range statements {
		b.add(t, comment, s, "")
	}
}

func (b *steps) plan() designer.Plan {
	return designer.Plan{Dialect: "postgres", Steps: b.list, Transactional: true, Separator: ";", Notes: b.notes}
}
