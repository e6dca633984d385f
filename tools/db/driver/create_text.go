package driver

import (
	"context"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// script is textOf in the whole schema.
func (d serverDatabase) script(ctx context.Context, name, defaultSchema string) (string, error) {
	def, err := d.designs.Inspect(ctx, d.pool)
	if err != nil {
		return "", err
	}
	return d.textOf(def, name, defaultSchema)
}

// textOf returns the statements that make a table of def with its indexes, or
// a view, in an empty database, as the dialect's engine writes them: with the
// types and sequences that a table has of its own. An unknown name is
// ErrUnknownTable.
func (d serverDatabase) textOf(def designer.Definition, name, defaultSchema string) (string, error) {
	is := func(schema, object string) bool {
		return schema+"."+object == name || object == name && (schema == "" || schema == defaultSchema)
	}
	if i := slices.IndexFunc(def.Views, func(v designer.View) bool { return is(v.Schema, v.Name) }); i >= 0 {
		return ended(def.Views[i].Definition), nil
	}
	i := slices.IndexFunc(def.Tables, func(t designer.TableDefinition) bool { return is(t.Schema, t.Name) })
	if i < 0 {
		return "", ErrUnknownTable
	}
	schema, err := designer.Build(d.Dialect(), def, &designer.Options{DefaultSchema: defaultSchema})
	if err != nil {
		return "", err
	}
	plan, err := d.designs.Script(schema)
	if err != nil {
		return "", err
	}
	return ofTable(plan, def, def.Tables[i]), nil
}

// ofTable keeps the steps of a script that make t and what its columns use.
func ofTable(plan designer.Plan, def designer.Definition, t designer.TableDefinition) string {
	used := map[string]bool{}
	for _, o := range def.Objects {
		if usesObject(t, o) {
			used[o.Definition] = true
		}
	}
	var b strings.Builder
	for _, step := range plan.Steps {
		of := slices.ContainsFunc(step.Tables, func(n designer.TableName) bool { return n.Schema == t.Schema && n.Name == t.Name })
		if of || used[step.Statement] {
			b.WriteString(ended(step.Statement) + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// usesObject reports whether a column of t is of the type o, or numbered by the
// sequence o.
func usesObject(t designer.TableDefinition, o designer.Object) bool {
	if o.Definition == "" || o.Kind != designer.ObjectType && o.Kind != designer.ObjectSequence {
		return false
	}
	return slices.ContainsFunc(t.Columns, func(c designer.Column) bool {
		return o.Kind == designer.ObjectType && strings.Contains(c.DataType, o.Name) ||
			o.Kind == designer.ObjectSequence && strings.Contains(c.DefaultValue, o.Name)
	})
}

// ended is a statement with its semicolon.
func ended(statement string) string {
	return strings.TrimRight(statement, "; \n") + ";"
}
