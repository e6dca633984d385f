package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// arguments reads @name = value pairs of a call.
func (r *ruleReader) arguments() map[string]string {
	args := map[string]string{}
	for r.at < len(r.tokens) {
		name := r.next().Text
		r.eat("=")
		args[name] = unquoted(r.next().Text)
		r.eat(",")
	}
	return args
}

func unquoted(text string) string {
	text = strings.TrimPrefix(text, "N")
	return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
}

// rename is sp_rename.
func (s *ruleServer) rename(r *ruleReader) error {
	args := r.arguments()
	path := readRules(args["@objname"])
	var parts []string
	for path.at < len(path.tokens) {
		parts = append(parts, path.name())
		path.eat(".")
	}
	name := args["@newname"]
	if args["@objtype"] == "OBJECT" {
		return s.renameObject(parts[0], parts[1], name)
	}
	t, err := s.table(parts[0], parts[1])
	if err != nil {
		return err
	}
	if args["@objtype"] == "INDEX" {
		return t.renameIndex(parts[2], name)
	}
	c, err := t.column(parts[2])
	if err != nil {
		return err
	}
	if _, err := t.column(name); err == nil {
		return fmt.Errorf("the new name %s is already in use in %s", name, t.name)
	}
	if users := s.users(t, c.name, true, false); len(users) > 0 {
		return fmt.Errorf("%s cannot be renamed because it participates in enforced dependencies: %v", c.name, users)
	}
	s.renameColumn(t, c, name)
	return nil
}

// renameColumn carries the new name to all who know the column.
func (s *ruleServer) renameColumn(t *ruleTable, c *ruleColumn, name string) {
	change := func(list []string) {
		for i := range list {
			if same(list[i], c.name) {
				list[i] = name
			}
		}
	}
	old, next := quote(c.name), quote(name)
	for _, k := range t.constraints {
		change(k.columns)
		if k.kind == "PRIMARY" || k.kind == "UNIQUE" {
			k.text = strings.ReplaceAll(k.text, old, next)
		}
	}
	for _, k := range s.referring(t) {
		change(k.targetColumns)
	}
	for _, x := range t.indexes {
		change(x.columns)
		x.text = strings.ReplaceAll(x.text, old, next)
		if _, include, has := strings.Cut(x.text, " include "); has {
			x.text = strings.Replace(x.text, include, strings.ReplaceAll(include, c.name, name), 1)
		}
	}
	c.name = name
}

func (t *ruleTable) renameIndex(from, to string) error {
	x, err := t.index(from)
	if err != nil {
		return err
	}
	if _, err := t.index(to); err == nil {
		return fmt.Errorf("the new name %s is already in use", to)
	}
	x.name = to
	return nil
}

func (s *ruleServer) renameObject(schema, from, to string) error {
	if err := s.free(schema, to); err != nil {
		return err
	}
	if t, err := s.table(schema, from); err == nil {
		t.name = to
		return nil
	}
	for _, t := range s.tables {
		for _, k := range t.all() {
			if same(t.schema, schema) && same(k.name, from) {
				k.name, k.madeUp = to, false
				return nil
			}
		}
	}
	return fmt.Errorf("no item by the name of %s could be found", from)
}

// comment is the calls that set, change and drop an extended property.
func (s *ruleServer) comment(r *ruleReader) error {
	verb := r.next().Text
	args := r.arguments()
	t, err := s.table(args["@level0name"], args["@level1name"])
	if err != nil {
		return err
	}
	place := &t.comment
	if name, has := args["@level2name"]; has {
		c, err := t.column(name)
		if err != nil {
			return err
		}
		place = &c.comment
	}
	if adds := verb == "sp_addextendedproperty"; adds != (*place == "") {
		return fmt.Errorf("%s: the property is there or missing", verb)
	}
	*place = args["@value"]
	return nil
}

// lookup is the batch that finds the name of an unnamed constraint.
func (s *ruleServer) lookup(r *ruleReader) error {
	r.eat("sysname", "=")
	query := r.parens()
	var literals []string
	for _, t := range query {
		if t.Kind == sqltext.String {
			literals = append(literals, unquoted(t.Text))
		}
	}
	whole := joined(query)
	t, err := s.table(readRules(literals[len(literals)-1]).qualified())
	if err != nil {
		return err
	}
	k := find(s, t, whole, literals[:len(literals)-1])
	if k == nil {
		return fmt.Errorf("the constraint is not there")
	}
	statement := ""
	for _, tok := range r.tokens[r.at:] {
		if tok.Kind == sqltext.String && strings.Contains(tok.Text, "ALTER TABLE") {
			statement = unquoted(tok.Text)
		}
	}
	return s.exec(statement + quote(k.name))
}

func find(s *ruleServer, t *ruleTable, query string, literals []string) *ruleConstraint {
	match := func(kind string, pass func(*ruleConstraint) bool) *ruleConstraint {
		for _, k := range t.constraints {
			if k.kind == kind && pass(k) {
				return k
			}
		}
		return nil
	}
	switch {
	case strings.Contains(query, "default_constraints"):
		c, err := t.column(literals[0])
		if err != nil {
			return nil
		}
		return c.standard
	case strings.Contains(query, "'PK'"):
		return match("PRIMARY", func(*ruleConstraint) bool { return true })
	case strings.Contains(query, "'UQ'"):
		return match("UNIQUE", func(k *ruleConstraint) bool {
			return k.madeUp && designer.Fold(strings.Join(k.columns, "\x00")) == designer.Fold(strings.Join(literals[1:], "\x00"))
		})
	case strings.Contains(query, "check_constraints"):
		return match("CHECK", func(k *ruleConstraint) bool {
			return k.madeUp && strings.HasSuffix(k.text, joined(significant(scan(literals[0]))))
		})
	}
	return match("FOREIGN", func(k *ruleConstraint) bool {
		return k.madeUp && same(qualified(k.target.schema, k.target.name), literals[0]) && len(k.columns) == (len(literals)-1)/2 && has(k.columns, literals[1])
	})
}

// update and copyRows see that the columns that are named are there.
func (s *ruleServer) update(r *ruleReader) error {
	t, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	r.eat("SET")
	if _, err := t.column(r.name()); err != nil {
		return err
	}
	last := ""
	for _, tok := range r.tokens[r.at:] {
		if tok.Kind == sqltext.Quoted {
			last = tok.Name
		}
	}
	_, err = t.column(last)
	return err
}

func (s *ruleServer) copyRows(statement string) error {
	r := readRules(statement)
	for !r.eat("INTO") {
		r.next()
	}
	to, err := s.table(r.qualified())
	if err != nil {
		return err
	}
	columns, _ := r.list()
	for _, n := range columns {
		if _, err := to.column(n); err != nil {
			return err
		}
	}
	numbers := false
	for _, c := range to.columns {
		given, identity := has(columns, c.name), strings.Contains(c.attributes, "IDENTITY")
		numbers = numbers || given && identity
	}
	if numbers != strings.Contains(statement, "SET IDENTITY_INSERT") {
		return fmt.Errorf("IDENTITY_INSERT is on without need, or off in need of it, for %s", to.name)
	}
	return nil
}

// known checks that what an expression uses are columns of the table.
func (t *ruleTable) known(expression []sqltext.Token) error {
	for i, tok := range expression {
		follows := func(text string) bool { return i+1 < len(expression) && expression[i+1].Is(text) }
		after := func(text string) bool { return i > 0 && expression[i-1].Is(text) }
		_, isType := typesByName[strings.ToLower(tok.Name)]
		switch {
		case tok.Kind != sqltext.Word && tok.Kind != sqltext.Quoted, follows("("), follows("."), after("."):
		case tok.Kind == sqltext.Word && (isType || reserved[strings.ToUpper(tok.Text)]):
		default:
			if _, err := t.column(tok.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

var reserved = sqltext.WordSet(reservedWords)
