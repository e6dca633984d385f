package mssql

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// run makes the statements of a plan.
func (s *ruleServer) run(p designer.Plan) error {
	for i, step := range p.Steps {
		if err := s.exec(step.Statement); err != nil {
			return fmt.Errorf("step %d: %s: %w", i+1, step.Statement, err)
		}
	}
	return nil
}

// exec makes one statement.
func (s *ruleServer) exec(statement string) error {
	r := readRules(statement)
	switch {
	case strings.HasPrefix(statement, settings), r.eat("SET", "QUOTED_IDENTIFIER"), r.eat("SET", "ANSI_NULLS"),
		r.eat("DISABLE", "TRIGGER"), r.eat("ENABLE", "TRIGGER"), r.eat("CREATE", "TRIGGER"), r.eat("CREATE", "VIEW"),
		r.eat("CREATE", "FUNCTION"), r.eat("CREATE", "PROCEDURE"), r.eat("CREATE", "TYPE"), r.eat("CREATE", "SEQUENCE"),
		r.eat("CREATE", "SYNONYM"), r.eat("CREATE", "XML", "SCHEMA", "COLLECTION"):
		return nil
	case r.eat("CREATE", "SCHEMA"):
		return s.createSchema(r.name())
	case r.eat("CREATE", "TABLE"):
		return s.createTable(r)
	case r.eat("DROP", "TABLE"):
		return s.dropTable(r)
	case r.eat("ALTER", "TABLE"):
		return s.alterTable(r)
	case r.eat("ALTER", "SCHEMA"):
		return s.transfer(r)
	case r.eat("DROP", "INDEX"):
		return s.dropIndex(r)
	case r.eat("ALTER", "INDEX"):
		return s.disableIndex(r)
	case r.eat("EXEC", "sys", ".", "sp_rename"):
		return s.rename(r)
	case r.eat("EXEC", "sys", ".", "sp_refreshview"), r.eat("EXEC", "sys", ".", "sp_refreshsqlmodule"), r.eat("EXEC", "sys", ".", "sp_settriggerorder"):
		return nil
	case r.eat("EXEC", "sys", "."):
		return s.comment(r)
	case r.eat("DECLARE", "@name"):
		return s.lookup(r)
	case r.eat("DECLARE", "@last"), r.eat("IF", "EXISTS"):
		return nil
	case r.eat("UPDATE"):
		return s.update(r)
	case r.eat("SET", "IDENTITY_INSERT"), r.eat("INSERT", "INTO"):
		return s.copyRows(statement)
	case r.eat("CREATE"):
		return s.createIndex(r)
	}
	return fmt.Errorf("incorrect syntax near %s", r.peek().Text)
}

func (s *ruleServer) createSchema(name string) error {
	if s.schemas[designer.Fold(name)] {
		return fmt.Errorf("schema %s is already there", name)
	}
	s.schemas[designer.Fold(name)] = true
	return nil
}

func (s *ruleServer) createTable(r *ruleReader) error {
	schema, name := r.qualified()
	if err := s.free(schema, name); err != nil {
		return err
	}
	t := &ruleTable{schema: schema, name: name}
	s.tables = append(s.tables, t)
	for _, e := range elements(r.parens()) {
		sub := &ruleReader{tokens: e}
		first := strings.ToUpper(e[0].Text)
		var err error
		switch {
		case e[0].Kind == sqltext.Quoted:
			err = s.addColumn(t, sub)
		case first == "PERIOD":
		default:
			err = s.addConstraint(t, sub)
		}
		if err != nil {
			return err
		}
	}
	if _, history, has := strings.Cut(r.rest(), "HISTORY_TABLE = "); has {
		s.history[strings.ReplaceAll(strings.TrimSuffix(history, " ) )"), " ", "")] = true
	}
	return t.expressions()
}

// expressions checks that formulas and checks use columns that are there.
func (t *ruleTable) expressions() error {
	for _, c := range t.columns {
		if err := t.known(significant(scan(c.computed))); err != nil {
			return err
		}
		for _, other := range t.columns {
			if c.computed != "" && other.computed != "" && c != other && identifiers(c.computed)[designer.Fold(other.name)] {
				return fmt.Errorf("computed column %s is not allowed to be used in another", other.name)
			}
		}
	}
	for _, k := range t.constraints {
		if k.kind == "CHECK" {
			if err := t.known(significant(scan(k.text))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *ruleServer) dropTable(r *ruleReader) error {
	schema, name := r.qualified()
	t, err := s.table(schema, name)
	if s.history[qualified(schema, name)] {
		return nil
	}
	if err != nil {
		return err
	}
	for _, k := range s.referring(t) {
		if !slices.Contains(t.constraints, k) {
			return fmt.Errorf("could not drop %s: foreign key %s refers to it", t.name, k.name)
		}
	}
	s.tables = slices.DeleteFunc(s.tables, func(o *ruleTable) bool { return o == t })
	return nil
}

func (s *ruleServer) alterTable(r *ruleReader) error {
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	r.eat("WITH", "NOCHECK")
	switch {
	case r.eat("ADD"):
		if r.peek().Kind == sqltext.Quoted {
			err = s.addColumn(t, r)
		} else {
			err = s.addConstraint(t, r)
		}
		return errors.Join(err, t.expressions())
	case r.eat("ALTER", "COLUMN"):
		return s.alterColumn(t, r)
	case r.eat("DROP", "COLUMN"):
		return s.dropColumn(t, r.name())
	case r.eat("DROP", "CONSTRAINT"):
		return s.dropConstraint(t, r.name())
	case r.eat("NOCHECK", "CONSTRAINT"):
		return s.disable(t, r.name())
	case r.eat("SET"):
		return nil
	}
	return fmt.Errorf("incorrect syntax near %s", r.peek().Text)
}

func (s *ruleServer) alterColumn(t *ruleTable, r *ruleReader) error {
	c, err := t.column(r.name())
	if err != nil {
		return err
	}
	if r.eat("DROP", "ROWGUIDCOL") || r.eat("ADD", "ROWGUIDCOL") {
		return nil
	}
	if r.eat("DROP", "MASKED") || r.eat("ADD", "MASKED") {
		return nil
	}
	next := &ruleColumn{nullable: true}
	s.readColumn(next, r)
	if strings.Contains(next.attributes, "MASKED") {
		return fmt.Errorf("incorrect syntax near MASKED: ALTER COLUMN adds or drops it alone")
	}
	base := func(typ string) string { return strings.TrimSpace(strings.SplitN(typ, "(", 2)[0]) }
	widening := strings.HasPrefix(base(c.typ), "var") || strings.HasPrefix(base(c.typ), "nvar")
	widening = widening && base(c.typ) == base(next.typ) && next.nullable == c.nullable && next.collation == c.collation
	switch users := s.users(t, c.name, false, widening); {
	case c.computed != "", base(c.typ) == "rowversion":
		return fmt.Errorf("column %s cannot be altered", c.name)
	case len(users) > 0:
		return fmt.Errorf("ALTER COLUMN %s failed because %v depend on it", c.name, users)
	case c.standard != nil && base(c.typ) != base(next.typ):
		return fmt.Errorf("ALTER COLUMN %s failed because its default depends on it", c.name)
	}
	c.typ, c.collation, c.nullable = next.typ, next.collation, next.nullable
	return nil
}

func (s *ruleServer) dropColumn(t *ruleTable, name string) error {
	c, err := t.column(name)
	if err != nil {
		return err
	}
	users := s.users(t, c.name, false, false)
	switch {
	case len(users) > 0:
		return fmt.Errorf("DROP COLUMN %s failed because %v depend on it", name, users)
	case c.standard != nil:
		return fmt.Errorf("DROP COLUMN %s failed because its default depends on it", name)
	case c.computed == "" && t.dataColumns() == 1:
		return fmt.Errorf("column %s is the only data column of %s", name, t.name)
	}
	t.columns = slices.DeleteFunc(t.columns, func(o *ruleColumn) bool { return o == c })
	return nil
}

func (t *ruleTable) dataColumns() int {
	n := 0
	for _, c := range t.columns {
		if c.computed == "" {
			n++
		}
	}
	return n
}

func (s *ruleServer) dropConstraint(t *ruleTable, name string) error {
	for _, c := range t.columns {
		if c.standard != nil && same(c.standard.name, name) {
			c.standard = nil
			return nil
		}
	}
	for i, k := range t.constraints {
		if !same(k.name, name) {
			continue
		}
		for _, f := range s.referring(t) {
			if keys := s.keyOf(f); len(keys) == 1 && same(keys[0], name) {
				return fmt.Errorf("constraint %s is referenced by foreign key %s", name, f.name)
			}
		}
		t.constraints = slices.Delete(t.constraints, i, i+1)
		return nil
	}
	return fmt.Errorf("%s is not a constraint of %s", name, t.name)
}

func (s *ruleServer) disable(t *ruleTable, name string) error {
	for _, k := range t.constraints {
		if same(k.name, name) {
			k.disabled = true
			return nil
		}
	}
	return fmt.Errorf("%s is not a constraint of %s", name, t.name)
}

func (s *ruleServer) transfer(r *ruleReader) error {
	schema := r.name()
	r.eat("TRANSFER", "OBJECT", "::")
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	for _, n := range t.objects() {
		if err := s.free(schema, n); err != nil {
			return err
		}
	}
	t.schema = schema
	return nil
}

func (s *ruleServer) createIndex(r *ruleReader) error {
	x := &ruleIndex{}
	for !r.eat("INDEX") {
		w := strings.ToUpper(r.next().Text)
		x.clustered = x.clustered || w == "CLUSTERED"
		x.unique = x.unique || w == "UNIQUE"
		x.text += w + " "
		if r.at >= len(r.tokens) {
			return fmt.Errorf("incorrect syntax")
		}
	}
	x.name = r.name()
	r.eat("ON")
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	columns, written := r.list()
	x.columns, x.text = columns, x.text+written
	if r.eat("INCLUDE") {
		include, _ := r.list()
		x.columns = append(x.columns, include...)
		x.text += " include " + strings.Join(include, ",")
	}
	if r.eat("WHERE") {
		tokens := r.parens()
		if err := t.known(tokens); err != nil {
			return err
		}
		condition := joined(tokens)
		x.uses, x.text = identifiers(condition), x.text+" where "+condition
	}
	x.text += " " + r.rest()
	for _, other := range t.indexes {
		if same(other.name, x.name) || other.clustered && x.clustered {
			return fmt.Errorf("index %s or another clustered one already exists", x.name)
		}
	}
	for _, k := range t.constraints {
		if same(k.name, x.name) || strings.Contains(k.text, "clustered!") && x.clustered {
			return fmt.Errorf("constraint %s is in the way of index %s", k.name, x.name)
		}
	}
	for _, n := range x.columns {
		if _, err := t.column(n); err != nil {
			return err
		}
	}
	t.indexes = append(t.indexes, x)
	return nil
}

func (t *ruleTable) index(name string) (*ruleIndex, error) {
	for _, x := range t.indexes {
		if same(x.name, name) {
			return x, nil
		}
	}
	return nil, fmt.Errorf("index %s does not exist on %s", name, t.name)
}

func (s *ruleServer) dropIndex(r *ruleReader) error {
	name := r.name()
	r.eat("ON")
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	x, err := t.index(name)
	if err != nil {
		return err
	}
	for _, f := range s.referring(t) {
		if keys := s.keyOf(f); len(keys) == 1 && same(keys[0], name) {
			return fmt.Errorf("index %s is used by foreign key %s", name, f.name)
		}
	}
	t.indexes = slices.DeleteFunc(t.indexes, func(o *ruleIndex) bool { return o == x })
	return nil
}

func (s *ruleServer) disableIndex(r *ruleReader) error {
	name := r.name()
	r.eat("ON")
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	x, err := t.index(name)
	if err != nil {
		return err
	}
	x.disabled = true
	return nil
}
