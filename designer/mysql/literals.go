package mysql

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/sqltext"
)

// The information schema leaves out the character set before a string, as in
// _binary'x', of views and of all that acts by itself, where it decides what is
// equal and what the value is. SHOW CREATE keeps it, for one object at a time.

// stored is a text of the catalogue that may lack character sets.
type stored struct {
	kind, name string // as SHOW CREATE wants them
	text       *string
}

// mayLack reports whether a text has something that a character set can stand
// before.
func mayLack(text string) bool {
	return strings.ContainsAny(text, `'"`) || strings.Contains(text, "0x")
}

// stored lists the texts that may lack character sets.
func (c *catalog) stored() (all []stored) {
	add := func(kind, name string, text *string) {
		if mayLack(*text) {
			all = append(all, stored{kind, name, text})
		}
	}
	for i := range c.views {
		add("VIEW", c.views[i].name, &c.views[i].query)
	}
	for i := range c.triggers {
		add("TRIGGER", c.triggers[i].name, &c.triggers[i].body)
	}
	for i, r := range c.routines {
		if r.kind == "FUNCTION" || r.kind == "PROCEDURE" {
			add(r.kind, r.name, &c.routines[i].body)
		}
	}
	for i := range c.events {
		add("EVENT", c.events[i].name, &c.events[i].body)
	}
	return all
}

// readLiterals puts the character sets back into the texts. MariaDB is asked
// for all in one round trip. A text that the server does not show, or shows
// otherwise, stays as it is.
func (c *catalog) readLiterals(ctx context.Context, conn *sql.Conn) error {
	all := c.stored()
	if len(all) == 0 {
		return nil
	}
	statements := make([]string, len(all))
	for i, s := range all {
		statements[i] = "SHOW CREATE " + s.kind + " " + quoteName(s.name)
	}
	if c.maria {
		statements = []string{"BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; " + strings.Join(statements, "; ") + "; END"}
	}
	shown := map[[2]string]shownText{}
	for _, statement := range statements {
		if err := showCreated(ctx, conn, statement, shown); err != nil && !refused(err) {
			return fmt.Errorf("read texts of the schema: %w", err)
		}
	}
	for _, s := range all {
		if t, has := shown[[2]string{s.kind, s.name}]; has {
			*s.text = c.withCharsets(c.unqualified(*s.text), t)
		}
	}
	return nil
}

// shownText is what SHOW CREATE says.
type shownText struct{ text, client string }

// showCreated adds what statements of SHOW CREATE say, by kind and name.
func showCreated(ctx context.Context, conn *sql.Conn, statement string, shown map[[2]string]shownText) error {
	rows, err := conn.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	for more := true; more; more = rows.NextResultSet() {
		names, err := rows.Columns()
		if err != nil {
			return err
		}
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			var t shownText
			for i, name := range names {
				switch {
				case strings.HasPrefix(name, "Create "), name == "SQL Original Statement":
					t.text = values[i].String
				case name == "character_set_client":
					t.client = values[i].String
				}
			}
			if len(names) > 0 && t.text != "" {
				shown[[2]string{strings.ToUpper(names[0]), values[0].String}] = t
			}
		}
	}
	return rows.Err()
}

// withCharsets puts the character sets of what SHOW CREATE says before the
// strings of a text of the catalogue, which is the end of that, but for the
// check option of a view.
func (c *catalog) withCharsets(text string, shown shownText) string {
	if !strings.Contains(shown.text, "_") {
		return text
	}
	all, whole := scan(text), code(scan(c.unqualified(shown.text)))
	var at []int // of the code in all
	for i, t := range all {
		if !isBlank(t) {
			at = append(at, i)
		}
	}
	for start := range whole {
		charsets, fits := introducers(whole[start:], all, at)
		if !fits {
			continue
		}
		for i, by := range charsets {
			literal, ok := withCharset(by[0], by[1], shown.client)
			if !ok {
				return text
			}
			all[i].Text = literal
			if i > 0 && len(all[i-1].Text) > 1 && strings.TrimSpace(all[i-1].Text) == "" { // the blank behind the character set was left
				all[i-1].Text = all[i-1].Text[:len(all[i-1].Text)-1]
			}
		}
		return textOf(all)
	}
	return text
}

// introducers returns, for each of the tokens of a text that has a character
// set in the whole, that and the token there. fits reports whether the whole
// says the same otherwise.
func introducers(whole, all []sqltext.Token, at []int) (found map[int][2]sqltext.Token, fits bool) {
	found = map[int][2]sqltext.Token{}
	for _, i := range at {
		if len(whole) > 1 && isIntroducer(whole[0]) && all[i].Text != whole[0].Text {
			found[i] = [2]sqltext.Token{whole[0], whole[1]}
			whole = whole[1:]
		}
		if len(whole) == 0 || whole[0].Kind != all[i].Kind || whole[0].Kind != sqltext.String && whole[0].Text != all[i].Text {
			return nil, false
		}
		whole = whole[1:]
	}
	return found, len(whole) == 0 || whole[0].Is("WITH")
}

func isIntroducer(t sqltext.Token) bool {
	return t.Kind == sqltext.Word && t.Name == "" && strings.HasPrefix(t.Text, "_")
}

// withCharset writes a string with its character set. The bytes of one that is
// not ASCII stand in the text as they are, where that came from a client of
// UTF-8, and so they are written as digits.
func withCharset(charset, literal sqltext.Token, client string) (text string, ok bool) {
	space := ""
	if literal.Text[0] != '\'' && literal.Text[0] != '"' {
		space = " "
	}
	ascii := !strings.ContainsFunc(literal.Text, func(r rune) bool { return r >= utf8.RuneSelf })
	utf := strings.HasPrefix(charset.Text, "_utf8") && utf8.ValidString(literal.Text)
	switch {
	case ascii || utf:
		return charset.Text + space + literal.Text, true
	case !strings.HasPrefix(client, "utf8") || space != "" || strings.ContainsAny(literal.Text[1:len(literal.Text)-1], `\'"`):
		return "", false
	}
	return charset.Text + " X'" + strings.ToUpper(hex.EncodeToString([]byte(literal.Text[1:len(literal.Text)-1]))) + "'", true
}
