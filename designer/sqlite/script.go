package sqlite

import "github.com/berth-dev/berth/designer"

// Script implements [engine.Engine].
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	p := newPlan()
	r := renderer{s}
	for _, t := range s.Tables() {
		if err := checkTable(t); err != nil {
			return designer.Plan{}, err
		}
		p.add(createTable(r, t))
	}
	for _, t := range s.Tables() {
		for _, x := range t.Indexes {
			if !x.Constraint {
				p.add(createIndex(r, t, x))
			}
		}
	}
	for _, v := range s.Views() {
		if why := v.Options[designer.OptionUnreadable]; why != "" {
			p.Notes = append(p.Notes, "Table "+spoken(v.Name)+" is left out, as it could not be read: "+why)
			continue
		}
		p.carried("view "+spoken(v.Name), v.Definition, "DROP VIEW "+ident(v.Name))
	}
	for _, o := range s.Objects() {
		if o.Kind == designer.ObjectTrigger {
			p.carried("trigger "+spoken(o.Name), o.Definition, "DROP TRIGGER "+ident(o.Name))
		}
	}
	p.note(s.Tables())
	return p.Plan, nil
}
