package pageapi

import (
	"context"

	"github.com/berth-dev/berth/designer"
)

// Forms is the body of GET /designs/{connection}/types: what a form offers.
// The rules stay with the instance.
type Forms struct {
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
	Comments         bool              `json:"comments"` // tables and columns have them
	Types            []FormType        `json:"types"`
	// NamedTypes are the classes of types of the database's own that edits make.
	NamedTypes []designer.TypeClass `json:"namedTypes,omitempty"`
	// IndexMethods are those of an index, the ordinary one first; IndexMethodsOf
	// those of the tables that have others.
	IndexMethods   []FormMethod                 `json:"indexMethods"`
	IndexMethodsOf map[designer.ID][]FormMethod `json:"indexMethodsOf,omitempty"`
}

// FormType is a type of columns as a form offers it.
type FormType struct {
	Name          string            `json:"name"`
	Aliases       []string          `json:"aliases,omitempty"`
	Family        string            `json:"family,omitempty"`
	Length        string            `json:"length"` // "none", "optional" or "required"
	DefaultLength string            `json:"defaultLength,omitempty"`
	MaxLength     int               `json:"maxLength,omitempty"`
	AllowsMax     bool              `json:"allowsMax"`
	Precision     *FormRange        `json:"precision,omitempty"`
	Scale         *FormRange        `json:"scale,omitempty"`
	Identity      bool              `json:"identity"`
	Values        bool              `json:"values"`
	Kind          designer.TypeKind `json:"kind,omitempty"`
	Legacy        bool              `json:"legacy,omitempty"`
}

// FormRange is what a parameter of a type may be.
type FormRange struct {
	Min     int  `json:"min"`
	Max     int  `json:"max"`
	Default int  `json:"default"`
	Unset   bool `json:"unset,omitempty"` // may be left out, which means something
}

// Types says what forms offer for a design.
func (a *API) Types(_ context.Context, id string) (Forms, error) {
	d, err := a.design(id)
	if err != nil {
		return Forms{}, err
	}
	var body Forms
	err = d.View(func(s *designer.Schema) { body = formsOf(s) })
	return body, err
}

func formsOf(s *designer.Schema) Forms {
	d := s.Dialect()
	f := Forms{Dialect: d.Name, Title: d.Title, DefaultSchema: s.DefaultSchema(), Schemas: s.Schemas(),
		FixedSchemas: d.Schemas.Fixed, MaxNameLength: d.Names.MaxLength, Actions: d.ForeignKeys.Actions, IdentityIsKey: d.Identity.Place == designer.IdentityIsKey,
		FixedIdentity: d.Identity.CountsByOne, NoPartialIndexes: d.Indexes.WholeTable, StoredFormulas: d.Columns.Computed == designer.ComputedStored,
		Arrays: d.TypeNames.Arrays, Comments: !d.Comments.None, NamedTypes: d.NamedTypes.Classes, Types: make([]FormType, len(d.Types))}
	lengths := map[designer.Param]string{designer.NotTaken: "none", designer.Optional: "optional", designer.Required: "required"}
	for i, t := range d.Types {
		f.Types[i] = FormType{Name: t.Name, Aliases: t.Aliases, Family: t.Family, Length: lengths[t.Length],
			DefaultLength: t.DefaultLength, MaxLength: t.MaxLength, AllowsMax: t.AllowsMax,
			Precision: rangeOf(t.Precision), Scale: rangeOf(t.Scale), Identity: t.Identity, Values: t.Values,
			Kind: t.Kind, Legacy: t.Legacy}
	}
	f.offerIndexMethods(s)
	return f
}

// rangeOf is nil where the type takes none.
func rangeOf(r designer.Range) *FormRange {
	if r == (designer.Range{}) {
		return nil
	}
	return &FormRange{r.Min, r.Max, r.Default, r.Unset}
}
