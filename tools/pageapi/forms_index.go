package pageapi

import (
	"slices"

	"github.com/berth-dev/berth/designer"
)

// FormMethod is a method of indexes as a form offers it.
type FormMethod struct {
	Name string   `json:"name"`
	Has  []string `json:"has"` // members of an index, and of its keys, that it takes; "columns": several
}

// indexMembers are the members of an edit that ask for a feature.
var indexMembers = []struct {
	feature designer.IndexFeatures
	member  string
}{
	{designer.IndexUnique, "unique"}, {designer.IndexSeveralKeys, "columns"}, {designer.IndexExpressions, "expression"},
	{designer.IndexDescends, "descending"}, {designer.IndexNulls, "nulls"}, {designer.IndexOpClasses, "opClass"},
	{designer.IndexLengths, "length"}, {designer.IndexCollations, "collation"}, {designer.IndexIncludes, "include"},
	{designer.IndexPartial, "where"},
}

func (f *Forms) offerIndexMethods(s *designer.Schema) {
	rules := s.Dialect().Indexes
	ordinary := rules.MethodsOf(&designer.Table{})
	f.IndexMethods = formMethods(ordinary)
	for _, t := range s.Tables() {
		if own := rules.MethodsOf(t); !slices.Equal(own, ordinary) {
			if f.IndexMethodsOf == nil {
				f.IndexMethodsOf = map[designer.ID][]FormMethod{}
			}
			f.IndexMethodsOf[t.ID] = formMethods(own)
		}
	}
}

func formMethods(list []designer.IndexMethod) []FormMethod {
	methods := make([]FormMethod, len(list))
	for i, m := range list {
		methods[i] = FormMethod{m.Name, []string{}}
		for _, f := range indexMembers {
			if m.Has&f.feature != 0 {
				methods[i].Has = append(methods[i].Has, f.member)
			}
		}
	}
	return methods
}
