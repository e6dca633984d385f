package postgres

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func (c *catalog) viewDefinitions() []designer.View {
	out := make([]designer.View, 0, len(c.views))
	for _, v := range c.views {
		r := c.byOID[v.oid]
		if r == nil {
			continue // made since the relations were read
		}
		out = append(out, designer.View{Schema: r.schema, Name: r.name, Definition: v.definition,
			Extras: orNil(v.extras), Grants: c.grants[objectKey{"pg_class", v.oid}], Uses: c.used(objectKey{"pg_class", v.oid})})
	}
	return out
}

func orNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// used lists what an object depends on, each once and sorted.
func (c *catalog) used(of objectKey) []designer.Dependency {
	list := c.uses[of]
	slices.SortFunc(list, func(a, b designer.Dependency) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.Compact(list)
}

// carried lists the objects as they are, each with its comment.
func (c *catalog) carried() []designer.Object {
	out := make([]designer.Object, 0, len(c.objects))
	slices.SortStableFunc(c.objects, func(a, b object) int { // by bytes, whatever the database's collation
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Table, b.Table))
	})
	for _, o := range c.objects {
		d := o.Object
		if isDomain := strings.HasPrefix(d.Definition, "CREATE DOMAIN "); isDomain && d.Kind == designer.ObjectType {
			d.Domain, d.Values = domainOf(d, d.Values), nil
		}
		d.Values, d.Extras, d.Grants = orNil(d.Values), orNil(d.Extras), c.grants[o.key]
		d.Uses = slices.DeleteFunc(c.used(o.key), func(u designer.Dependency) bool {
			return u == designer.Dependency{Schema: d.Schema, Name: d.Table} // which goes without saying
		})
		if len(d.Uses) == 0 {
			d.Uses = nil
		}
		if text := c.comments[commentKey{o.key.catalogue, o.key.oid, 0}]; d.Kind == designer.ObjectType && (len(d.Values) > 0 || d.Domain != nil) {
			d.Comment = text
		} else if text != "" && d.Kind != designer.ObjectExtension && d.Kind != designer.ObjectComment {
			d.Extras = append(slices.Clone(d.Extras), "COMMENT ON "+addressed(d)+" IS "+literal(text))
		}
		out = append(out, d)
	}
	return out
}

// addressed names an object as COMMENT ON and DROP do.
func addressed(o designer.Object) string {
	name := qualified(o.Schema, o.Name)
	switch o.Kind {
	case designer.ObjectRoutine:
		at := max(strings.LastIndexByte(o.Name, '('), 0)
		return "ROUTINE " + qualified(o.Schema, o.Name[:at]) + o.Name[at:]
	case designer.ObjectTrigger, designer.ObjectRule, designer.ObjectPolicy:
		return strings.ToUpper(string(o.Kind)) + " " + ident(o.Name) + " ON " + qualified(o.Schema, o.Table)
	case designer.ObjectPartition:
		return "TABLE " + name
	case designer.ObjectOperator:
		return "OPERATOR " + ident(o.Schema) + "." + o.Name
	case designer.ObjectOperatorFamily, designer.ObjectOperatorClass:
		return strings.ToUpper(string(o.Kind)) + " " + name + " USING " + idents(o.Values)
	case designer.ObjectCast:
		return "CAST (" + o.Name + ")"
	case designer.ObjectTransform:
		return "TRANSFORM " + o.Name
	case designer.ObjectExtension:
		return "EXTENSION " + ident(o.Name)
	}
	return strings.ToUpper(string(o.Kind)) + " " + name
}
