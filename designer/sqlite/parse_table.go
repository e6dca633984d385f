package sqlite

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// tableText is what a stored CREATE TABLE says.
type tableText struct {
	name         string
	columns      []columnText
	primary      primaryText
	uniques      []uniqueText
	checks       []checkText
	foreignKeys  []foreignKeyText
	withoutRowID bool
	strict       bool
}

// primaryText is a primary key; the zero value stands for none.
type primaryText struct {
	name       string // of the constraint
	keys       []key
	auto       bool   // AUTOINCREMENT
	onConflict string // here and below: "ignore", …; "": the default
}

type columnText struct {
	name      string
	typeText  string // exactly as written, without GENERATED ALWAYS
	collation string
	def       string // the default's expression; "": none
	generated string // the expression; "": not generated
	stored    bool

	onConflict string // of NOT NULL
}

type uniqueText struct {
	name       string
	keys       []key
	onConflict string
}

type checkText struct{ name, expression, onConflict string }

type foreignKeyText struct {
	name       string
	columns    []string
	match      string
	deferrable designer.Deferral
}

// parseTable reads a stored CREATE TABLE. It is not for virtual tables.
func parseTable(sql string) (*tableText, error) {
	p := newParser(sql)
	if err := p.expect("CREATE"); err != nil {
		return nil, err
	}
	_ = p.accept("TEMP") || p.accept("TEMPORARY")
	if err := p.expect("TABLE"); err != nil {
		return nil, err
	}
	p.accept("IF", "NOT", "EXISTS")
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	if p.accept(".") {
		if name, err = p.name(); err != nil {
			return nil, err
		}
	}
	t := &tableText{name: name}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if err := p.body(t); err != nil {
		return nil, err
	}
	if err := p.options(t); err != nil {
		return nil, err
	}
	return t, p.end()
}

// body reads columns, then table constraints, up to the closing parenthesis.
// The comma between table constraints is optional.
func (p *parser) body(t *tableText) error {
	for len(t.columns) == 0 || !p.atTableConstraint() {
		if err := p.column(t); err != nil {
			return err
		}
		if p.accept(")") {
			return nil
		}
		if err := p.expect(","); err != nil {
			return err
		}
	}
	name := ""
	for !p.accept(")") {
		if p.accept(",") {
			name = ""
			continue
		}
		if p.accept("CONSTRAINT") {
			var err error
			if name, err = p.name(); err != nil {
				return err
			}
			continue
		}
		if err := p.tableConstraint(t, name); err != nil {
			return err
		}
		name = ""
	}
	return nil
}

func (p *parser) atTableConstraint() bool {
	for _, word := range [...]string{"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"} {
		if p.at(word) {
			return true
		}
	}
	return false
}

func (p *parser) tableConstraint(t *tableText, name string) error {
	switch {
	case p.accept("PRIMARY", "KEY"):
		keys, auto, err := p.keys()
		if err != nil {
			return err
		}
		conflict, err := p.onConflict()
		t.primary = primaryText{name: name, keys: keys, auto: auto, onConflict: conflict}
		return err
	case p.accept("UNIQUE"):
		keys, _, err := p.keys()
		if err != nil {
			return err
		}
		return p.unique(t, uniqueText{name: name, keys: keys})
	case p.accept("CHECK"):
		return p.check(t, name)
	case p.accept("FOREIGN", "KEY"):
		columns, err := p.names()
		if err != nil {
			return err
		}
		if err := p.expect("REFERENCES"); err != nil {
			return err
		}
		return p.references(t, name, columns)
	}
	return p.fail("a table constraint")
}

func (p *parser) check(t *tableText, name string) error {
	expression, err := p.parens()
	if err != nil {
		return err
	}
	conflict, err := p.onConflict()
	t.checks = append(t.checks, checkText{name: name, expression: expression, onConflict: conflict})
	return err
}

// unique reads the end of a unique constraint and adds it to t.
func (p *parser) unique(t *tableText, u uniqueText) (err error) {
	u.onConflict, err = p.onConflict()
	t.uniques = append(t.uniques, u)
	return err
}

// names reads a parenthesised list of plain names, with the COLLATE and order
// that SQLite's legacy syntax still takes there.
func (p *parser) names() ([]string, error) {
	keys, _, err := p.keys()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		if !k.plain {
			return nil, p.fail("a list of column names")
		}
		names[i] = k.column
	}
	return names, nil
}

// references reads what follows REFERENCES.
func (p *parser) references(t *tableText, name string, columns []string) error {
	if _, err := p.name(); err != nil {
		return err
	}
	if p.at("(") {
		if _, err := p.names(); err != nil {
			return err
		}
	}
	k := foreignKeyText{name: name, columns: columns}
	for {
		switch {
		case p.accept("ON", "DELETE"), p.accept("ON", "UPDATE"), p.accept("ON", "INSERT"):
			if err := p.action(); err != nil {
				return err
			}
		case p.accept("MATCH"):
			match, err := p.name()
			if err != nil {
				return err
			}
			k.match = match
		default:
			k.deferrable, _ = p.deferral()
			t.foreignKeys = append(t.foreignKeys, k)
			return nil
		}
	}
}

func (p *parser) action() error {
	if p.accept("SET", "NULL") || p.accept("SET", "DEFAULT") || p.accept("CASCADE") ||
		p.accept("RESTRICT") || p.accept("NO", "ACTION") {
		return nil
	}
	return p.fail("a foreign key action")
}

// deferral reads a DEFERRABLE clause; found says whether there was one.
func (p *parser) deferral() (d designer.Deferral, found bool) {
	not := p.accept("NOT", "DEFERRABLE")
	if !not && !p.accept("DEFERRABLE") {
		return designer.NotDeferrable, false
	}
	d = designer.DeferrableInitNow
	if p.accept("INITIALLY", "DEFERRED") {
		d = designer.DeferrableInitEnd
	} else {
		p.accept("INITIALLY", "IMMEDIATE")
	}
	if not {
		d = designer.NotDeferrable
	}
	return d, true
}

// options reads WITHOUT ROWID and STRICT. SQLite takes a comma before the
// first one too.
func (p *parser) options(t *tableText) error {
	p.accept(",")
	for p.pos < len(p.tokens) && !p.at(";") {
		switch {
		case p.accept("WITHOUT", "ROWID"):
			t.withoutRowID = true
		case p.accept("STRICT"):
			t.strict = true
		default:
			return p.quotedOption(t)
		}
		p.accept(",")
	}
	return nil
}

// quotedOption takes the option names that someone put in quotes.
func (p *parser) quotedOption(t *tableText) error {
	without := p.accept("WITHOUT")
	tok, ok := p.peek()
	if !ok || tok.Kind == sqltext.Word || !isNameToken(tok) {
		return p.fail("a table option")
	}
	switch name := strings.ToUpper(tok.Name); {
	case without && name == "ROWID":
		t.withoutRowID = true
	case !without && name == "STRICT":
		t.strict = true
	default:
		return p.fail("a table option")
	}
	p.pos++
	return p.options(t)
}
