package canvas

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

// forms is the body of GET /designs/{connection}/types: what a form offers.
// The rules stay with the instance.
type forms struct {
	Dialect          string            `json:"dialect"`
	Title            string            `json:"title"`
	DefaultSchema    string            `json:"defaultSchema"`
	Schemas          []string          `json:"schemas"`
	FixedSchemas     bool              `json:"fixedSchemas"`
	MaxNameLength    int               `json:"maxNameLength"`
	Actions          []designer.Action `json:"actions"`
	IdentityIsKey    bool              `json:"identityIsKey"`
	FixedIdentity    bool              `json:"fixedIdentity"`
	NoPartialIndexes bool              `json:"noPartialIndexes"`
	StoredFormulas   bool              `json:"storedFormulas"`
	Arrays           bool              `json:"arrays"`
	Types            []formType        `json:"types"`
}

type formType struct {
	Name          string            `json:"name"`
	Aliases       []string          `json:"aliases,omitempty"`
	Family        string            `json:"family,omitempty"`
	Length        string            `json:"length"` // "none", "optional" or "required"
	DefaultLength string            `json:"defaultLength,omitempty"`
	MaxLength     int               `json:"maxLength,omitempty"`
	AllowsMax     bool              `json:"allowsMax"`
	Precision     *formRange        `json:"precision,omitempty"`
	Scale         *formRange        `json:"scale,omitempty"`
	Identity      bool              `json:"identity"`
	Values        bool              `json:"values"`
	Kind          designer.TypeKind `json:"kind,omitempty"`
	Legacy        bool              `json:"legacy,omitempty"`
}

type formRange struct {
	Min     int  `json:"min"`
	Max     int  `json:"max"`
	Default int  `json:"default"`
	Unset   bool `json:"unset,omitempty"` // may be left out, which means something
}

// Types says what forms offer for a design.
func (c *Canvas) Types(_ context.Context, id string) (any, error) {
	d, err := c.design(id)
	if err != nil {
		return nil, err
	}
	var body forms
	err = d.View(func(s *designer.Schema) { body = formsOf(s) })
	return body, err
}

func formsOf(s *designer.Schema) forms {
	d := s.Dialect()
	f := forms{Dialect: d.Name, Title: d.Title, DefaultSchema: s.DefaultSchema(), Schemas: s.Schemas(),
		FixedSchemas: d.Schemas.Fixed, MaxNameLength: d.Names.MaxLength, Actions: d.ForeignKeys.Actions, IdentityIsKey: d.Identity.Place == designer.IdentityIsKey,
		FixedIdentity: d.Identity.CountsByOne, NoPartialIndexes: d.Indexes.WholeTable, StoredFormulas: d.Columns.Computed == designer.ComputedStored,
		Arrays: d.TypeNames.Arrays, Types: make([]formType, len(d.Types))}
	lengths := map[designer.Param]string{designer.NotTaken: "none", designer.Optional: "optional", designer.Required: "required"}
	for i, t := range d.Types {
		f.Types[i] = formType{Name: t.Name, Aliases: t.Aliases, Family: t.Family, Length: lengths[t.Length],
			DefaultLength: t.DefaultLength, MaxLength: t.MaxLength, AllowsMax: t.AllowsMax,
			Precision: rangeOf(t.Precision), Scale: rangeOf(t.Scale), Identity: t.Identity, Values: t.Values,
			Kind: t.Kind, Legacy: t.Legacy}
	}
	return f
}

// rangeOf is nil where the type takes none.
func rangeOf(r designer.Range) *formRange {
	if r == (designer.Range{}) {
		return nil
	}
	return &formRange{r.Min, r.Max, r.Default, r.Unset}
}
