package designer

import (
	"slices"
	"strings"
)

// Domain is what a [NamedType] is that restricts another type.
type Domain struct {
	Base    string        `json:"base"` // a type of the dialect's own, as [Dialect.TypeText] writes it
	NotNull bool          `json:"notNull,omitempty"`
	Default string        `json:"default,omitempty"` // SQL expression; "": none
	Checks  []DomainCheck `json:"checks,omitempty"`  // by name
}

// DomainCheck is a condition on the values of a domain, which it calls VALUE.
type DomainCheck struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
}

func (d *Domain) clone() *Domain {
	if d == nil {
		return nil
	}
	c := *d
	c.Checks = cloneList(d.Checks)
	slices.SortFunc(c.Checks, func(a, b DomainCheck) int { return compareNames(a.Name, b.Name) })
	return &c
}

// Equal reports whether both mean the same to a database.
func (d *Domain) Equal(o *Domain) bool {
	if d == nil || o == nil {
		return d == o
	}
	return strings.EqualFold(d.Base, o.Base) && d.NotNull == o.NotNull && d.Default == o.Default && slices.Equal(d.Checks, o.Checks)
}

// respelled returns d in the words of got, as [TakeSpelling] does for tables;
// was is what was there before, nil for a new one.
func (d *Dialect) respelled(was, want, got *Domain) *Domain {
	if want == nil || got == nil {
		return want
	}
	if was == nil {
		was = &Domain{}
	}
	want = want.clone()
	d.takeText(was.Default, &want.Default, got.Default)
	for i, k := range want.Checks {
		byName := func(list []DomainCheck) string {
			at := slices.IndexFunc(list, func(c DomainCheck) bool { return c.Name == k.Name })
			if at < 0 {
				return ""
			}
			return list[at].Expression
		}
		d.takeText(byName(was.Checks), &want.Checks[i].Expression, byName(got.Checks))
	}
	return want
}

// Text says what the domain is, for a reader.
func (d *Domain) Text() string {
	if d == nil {
		return ""
	}
	text := d.Base
	if d.NotNull {
		text += " not null"
	}
	if d.Default != "" {
		text += " default " + d.Default
	}
	for _, k := range d.Checks {
		text += " check (" + k.Expression + ")"
	}
	return text
}

// write sets what spec says of the domain that a type called name is.
func (d *Domain) write(dialect *Dialect, name string, spec DomainSpec) {
	if spec.DataType != nil {
		d.Base = *spec.DataType
		if c, err := dialect.ReadType(*spec.DataType); err == nil {
			d.Base = dialect.TypeText(c)
		}
	}
	if spec.IsNullable != nil {
		d.NotNull = !*spec.IsNullable
	}
	set(&d.Default, spec.DefaultValue)
	if spec.Check == nil {
		return
	}
	d.Checks = nil
	if *spec.Check != "" {
		d.Checks = []DomainCheck{{Name: freeCheckName(name), Expression: *spec.Check}}
	}
}

// freeCheckName is the name that the server gives a domain's first check.
func freeCheckName(name string) string { return name + "_check" }

// resolveBase returns what is wrong with the type that a domain is to be of: it
// has to be one of the dialect's own.
func (d *Dialect) resolveBase(spec DomainSpec) *Error {
	if spec.DataType == nil {
		return nil
	}
	if d.origin != nil {
		d = d.origin
	}
	_, err := d.ReadType(*spec.DataType)
	return err.blame("dataType")
}

// checkDomain verifies what an edit says of a domain; base is what is wrong
// with its type.
func (d *Dialect) checkDomain(spec DomainSpec, base *Error) *Error {
	if base != nil {
		return base
	}
	if spec.DefaultValue != nil && *spec.DefaultValue != "" {
		if err := d.checkExpression("The default", *spec.DefaultValue); err != nil {
			return err.At("defaultValue")
		}
	}
	if spec.Check != nil && *spec.Check != "" {
		if err := d.checkExpression("The check", *spec.Check); err != nil {
			return err.At("check")
		}
	}
	return nil
}
