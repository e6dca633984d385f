package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// A view or trigger acts with the rights of its definer. One that is made again
// has to keep him, or it would act with those of who publishes.

// noteDefiner notes the definer of a view or trigger in its options, where
// the session's user would not be it by making it again.
func (c *catalog) noteDefiner(options *map[string]string, definer string) {
	if definer == "" || definer == c.user {
		return
	}
	at := strings.LastIndexByte(definer, '@')
	user, host := definer[:max(at, 0)], definer[at+1:]
	text := quoteName(user)
	if at < 0 {
		text = quoteName(definer)
	} else if host != "" { // else it is a role
		text += "@" + quoteName(host)
	}
	setOption(options, OptionDefiner, text)
	if !c.setsDefiner {
		setOption(options, OptionDefinerFixed, yes)
	}
}

// hasForeign reports whether any view or trigger has another definer than the
// session's user.
func (c *catalog) hasForeign() bool {
	return slices.ContainsFunc(c.views, func(r viewRow) bool { return r.definer != c.user }) ||
		slices.ContainsFunc(c.triggers, func(r triggerRow) bool { return r.definer != c.user })
}

// definerRights let a user name another definer, on all databases.
var definerRights = []string{"ALL PRIVILEGES", "SUPER", "SET USER", "SET_USER_ID", "SET_ANY_DEFINER"}

// definedBy writes the statement that makes a view or trigger so that its
// definer stays.
func definedBy(definition string, options map[string]string) string {
	if definer := options[OptionDefiner]; definer != "" {
		return "CREATE DEFINER=" + definer + " " + strings.TrimPrefix(definition, "CREATE ")
	}
	return definition
}

// rightsObjects makes one object of what each user was granted on each table
// and its columns, as far as who reads may see it. Rights on whole databases
// are no part of it.
func (c *catalog) rightsObjects() []designer.Object {
	var out []designer.Object
	for i := 0; i < len(c.rights); {
		first, end := c.rights[i], i
		for end < len(c.rights) && c.rights[end].table == first.table && c.rights[end].grantee == first.grantee {
			end++
		}
		out = append(out, designer.Object{Kind: designer.ObjectRights, Table: first.table, Name: first.grantee, Grants: []string{grantStatement(c.rights[i:end])}})
		i = end
	}
	return out
}

// grantStatement grants rights of one user on one table.
func grantStatement(rights []rightRow) string {
	columns := map[string][]string{}
	var order, list []string
	grantable := false
	for _, r := range rights {
		if r.column == "" && r.privilege != "USAGE" {
			list = append(list, r.privilege)
		}
		if r.column != "" {
			if columns[r.privilege] == nil {
				order = append(order, r.privilege)
			}
			columns[r.privilege] = append(columns[r.privilege], r.column)
		}
		grantable = grantable || r.grantable == "YES"
	}
	for _, privilege := range order {
		list = append(list, privilege+" ("+quoteNames(columns[privilege])+")")
	}
	text := "GRANT " + strings.Join(list, ", ") + " ON " + quoteName(rights[0].table) + " TO " + rights[0].grantee
	if grantable {
		text += withGrant
	}
	return text
}

// granteeName writes a user or role as SQL does. The server puts quotes around
// the parts and does not double those within.
func granteeName(text string) string {
	user, host := strings.TrimSuffix(strings.TrimPrefix(text, "'"), "'"), ""
	if at := strings.LastIndex(user, "'@'"); at >= 0 {
		user, host = user[:at], user[at+3:]
	}
	if host == "" {
		return quoteName(user)
	}
	return quoteName(user) + "@" + quoteName(host)
}

const withGrant = " WITH GRANT OPTION"

// noteRights says which rights do not follow new names: the server keeps them
// by the names of tables and columns.
func (p *planner) noteRights() {
	for _, o := range p.d.From.Objects() {
		if o.Kind != designer.ObjectRights {
			continue
		}
		for _, c := range p.d.Changed {
			if c.From.Name == o.Table {
				p.noteRightsOf(c, o)
			}
		}
	}
}

func (p *planner) noteRightsOf(c designer.TableDiff, o designer.Object) {
	for _, grant := range o.Grants {
		now := p.grantAfter(c, grant)
		if now == grant {
			continue
		}
		revoke := "REVOKE" + strings.TrimPrefix(strings.TrimSuffix(grant, withGrant), "GRANT")
		to := strings.LastIndex(revoke, " TO "+o.Name)
		p.Notes = append(p.Notes, "Rights that "+o.Name+" was granted on "+c.From.Name+" do not follow the new names. To move them: "+
			now+"; "+revoke[:to]+" FROM "+o.Name+".")
	}
}

// grantAfter is a grant on a table with the names that it and its columns have
// after the plan.
func (p *planner) grantAfter(c designer.TableDiff, grant string) string {
	var b strings.Builder
	depth, on := 0, false
	for _, t := range scan(grant) {
		text := t.Text
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Is("ON") && depth == 0:
			on = true
		case t.Kind == sqltext.Quoted && depth > 0:
			text = quoteName(p.columnAfter(c.From.Name, t.Name))
		case t.Kind == sqltext.Quoted && on:
			text, on = quoteName(c.To.Name), false
		}
		b.WriteString(text)
	}
	return b.String()
}

// refuseDefiners finds what would have to be made again in a name that who
// publishes may not use.
func (p *planner) refuseDefiners() error {
	refused := func(t *designer.Table, what string, options map[string]string) error {
		return broken(t, "%s would have to be re-created with the new names, and only a user with the right SET USER (MySQL: SET_USER_ID) "+
			"can leave it to its definer %s: publish as such a user, or drop it first", what, options[OptionDefiner])
	}
	for _, c := range p.d.Changed {
		for _, o := range p.triggersOf(c.From) {
			if o.Options[OptionDefinerFixed] != "" && p.triggerAfter(c, o) != o.Definition {
				return refused(c.From, "trigger "+o.Name, o.Options)
			}
		}
	}
	for _, v := range p.touchedViews() {
		if text, now := p.viewAfter(v); v.Options[OptionDefinerFixed] != "" && now != v.Definition {
			for _, t := range text.tables {
				if from := p.tableBefore(t.name); from != nil {
					return refused(from, "view "+v.Name, v.Options)
				}
			}
		}
	}
	return nil
}
