package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// findDependents finds the views and objects that have to go while columns
// change, and decides when they are put back. What reads something that is
// gone afterwards cannot be.
func (p *planner) findDependents() error {
	list := p.carried()
	if err := p.refuseOrphans(list); err != nil {
		return err
	}
	hit, rebuilt := p.shakenUses()
	named := p.renamedArguments(list)
	if len(hit)+len(named) == 0 {
		return nil
	}
	going := dependents(list, func(u designer.Dependency) bool { return hit[u] })
	late := dependents(list, func(u designer.Dependency) bool { return rebuilt[u] })
	p.vanish = map[place]bool{}
	for _, m := range ordered(list) {
		host := place{schema: m.schema, name: m.table}
		onView := m.isPart() && going[host] && !going[m.place()]
		switch {
		case m.kind == designer.ObjectStatistics && !late[m.place()]:
			continue // which the server keeps in step with its columns
		case !going[m.place()] && !onView && !named[m.place()]:
			continue
		}
		m, _ = p.withNewArguments(m)
		if err := p.noteDependent(m); err != nil {
			return err
		}
		p.vanish[m.place()] = onView || going[host] || m.kind == designer.ObjectStatistics
		p.gone = append(p.gone, m)
		if late[m.place()] || late[host] {
			p.later = append(p.later, m)
		} else {
			p.soon = append(p.soon, m)
		}
	}
	return p.refuseStale()
}

// renamedArguments finds the triggers whose arguments name columns that get
// other names.
func (p *planner) renamedArguments(list []dependent) map[place]bool {
	named := map[place]bool{}
	for _, m := range list {
		if _, changed := p.withNewArguments(m); changed {
			named[m.place()] = true
		}
	}
	return named
}

// carried lists all that may depend on columns.
func (p *planner) carried() []dependent {
	var list []dependent
	for _, v := range p.d.From.Views() {
		list = append(list, dependentView(v))
	}
	for _, o := range p.d.From.Objects() {
		switch o.Kind {
		case designer.ObjectRoutine, designer.ObjectTrigger, designer.ObjectRule, designer.ObjectPolicy, designer.ObjectStatistics:
			list = append(list, dependentObject(o))
		}
	}
	return list
}

// shakenUses lists the columns that cannot change while something depends on
// them: those with another type, and those re-created. The latter, and tables
// whose primary key is re-created, are there again only at the end.
func (p *planner) shakenUses() (hit, rebuilt map[designer.Dependency]bool) {
	hit, rebuilt = map[designer.Dependency]bool{}, map[designer.Dependency]bool{}
	for _, tp := range p.order {
		for _, c := range tp.Columns {
			if c.Changed() && (c.Type || c.Collation) {
				hit[designer.Dependency{Schema: tp.From.Schema, Name: tp.From.Name, Column: c.From.Name}] = true
			}
		}
		for id := range tp.rebuilt {
			u := designer.Dependency{Schema: tp.From.Schema, Name: tp.From.Name, Column: columnByID(tp.From, id).Name}
			hit[u], rebuilt[u] = true, true
		}
		if tp.dropPrimary {
			p.groupedBy(tp, hit, rebuilt)
		}
	}
	if p.types != nil {
		for _, t := range p.types.Replaced {
			hit[designer.Dependency{Schema: t.Schema, Name: t.Name}] = true
		}
	}
	return hit, rebuilt
}

// groupedBy adds the table itself where a view may group by its primary key:
// it then depends on the key.
func (p *planner) groupedBy(tp *tablePlan, hit, rebuilt map[designer.Dependency]bool) {
	u := designer.Dependency{Schema: tp.From.Schema, Name: tp.From.Name}
	for _, v := range p.d.From.Views() {
		if slices.Contains(v.Uses, u) && strings.Contains(v.Definition, "GROUP BY") {
			hit[u], rebuilt[u] = true, true
		}
	}
}

// refuseOrphans refuses to drop what views or other objects still use, and
// names them.
func (p *planner) refuseOrphans(list []dependent) error {
	users := map[designer.Dependency][]string{}
	for _, m := range list {
		if m.kind == designer.ObjectStatistics {
			continue
		}
		for _, u := range m.uses {
			if t := p.named[usedPlace(u)]; t != nil && !(m.isPart() && m.schema == t.Schema && m.table == t.Name && p.dropped(t)) {
				users[u] = append(users[u], m.label())
			}
		}
		for _, name := range argumentColumns(m) {
			u := designer.Dependency{Schema: m.schema, Name: m.table, Column: name}
			if t := p.named[usedPlace(u)]; t != nil && !p.dropped(t) {
				users[u] = append(users[u], m.label())
			}
		}
	}
	for _, t := range p.d.Dropped {
		if all := usersOfTable(users, t); len(all) > 0 {
			return errTable(t, "the %s %s it: drop that first", listed(all), verb(all))
		}
	}
	for _, tp := range p.order {
		for _, c := range tp.Columns {
			u := designer.Dependency{Schema: tp.From.Schema, Name: tp.From.Name}
			if !c.Dropped() {
				continue
			}
			u.Column = c.From.Name
			if all := users[u]; len(all) > 0 {
				return errTable(tp.From, "the %s %s column %s: drop or change that first", listed(all), verb(all), c.From.Name)
			}
		}
	}
	return nil
}

// usersOfTable lists what uses a table or a column of it, each once.
func usersOfTable(users map[designer.Dependency][]string, t *designer.Table) []string {
	all := slices.Clone(users[designer.Dependency{Schema: t.Schema, Name: t.Name}])
	for _, c := range t.Columns {
		all = append(all, users[designer.Dependency{Schema: t.Schema, Name: t.Name, Column: c.Name}]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// verb agrees with a list of users.
func verb(all []string) string { return map[bool]string{true: "uses", false: "use"}[len(all) == 1] }

// maxListed bounds the names of a list in a message.
const maxListed = 5

// listed writes names for a reader, no more than fit.
func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		names = append(slices.Clone(names[:maxListed]), strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// refuseStale refuses to put something back at the end whose text has names
// of before.
func (p *planner) refuseStale() error {
	for _, tp := range p.order {
		for id := range tp.rebuilt {
			before, after := columnByID(tp.From, id).Name, columnByID(tp.To, id).Name
			if p.rightsOn(tp, id) != nil && (tp.Renamed || tp.Moved || before != after) {
				return errTable(tp.From, "column %s has to be re-created and has rights of its own: publish the new names first, then the rest", before)
			}
		}
	}
	for _, m := range p.later {
		uses := append(slices.Clone(m.uses), designer.Dependency{Schema: m.schema, Name: m.table})
		for _, u := range uses {
			t := p.named[usedPlace(u)]
			if t == nil || p.tables[t.ID] == nil {
				continue
			}
			tp := p.tables[t.ID]
			_, column := tp.names.columns[u.Column]
			if tp.Renamed || tp.Moved || column {
				return errTable(t, "the %s has to be re-created and names something that is renamed: publish the new names first, then the rest", m.label())
			}
		}
	}
	return nil
}

// dropDependents takes away what is in the way of columns, the last made
// first.
func (p *planner) dropDependents() {
	for _, m := range slices.Backward(p.gone) {
		if !p.vanish[m.place()] {
			p.add(nil, "drop "+m.label()+" until its columns have changed", m.drop(), m.again())
		}
	}
}

// again takes back that it was dropped, "" where one statement does not.
func (m dependent) again() string {
	if len(m.grants) > 0 {
		return "" // it would be someone else's, or open to others
	}
	return m.definition
}

// putBack makes again what was taken away, with all that belonged to it.
//
// What is not the publisher's own is given back before anything in it is
// computed: the rows of a materialized view and the keys of its indexes are
// computed with the rights of its owner, by functions that anybody may have
// written.
func (p *planner) putBack(list []dependent) {
	for _, m := range list {
		const unfilled = "\nWITH NO DATA"
		if !m.isMaterialized() || len(m.grants) == 0 {
			p.add(nil, "put "+m.label()+" back", m.definition, m.drop())
			p.run(nil, "part of "+m.label(), m.extras...)
			p.run(nil, "rights on "+m.label(), m.grants...)
			continue
		}
		text, empty := strings.CutSuffix(m.definition, unfilled)
		p.add(nil, "put "+m.label()+" back, without its rows", text+unfilled, m.drop())
		p.run(nil, "rights on "+m.label(), m.grants...)
		p.run(nil, "part of "+m.label(), m.extras...)
		if !empty {
			p.run(nil, "compute the rows of "+m.label(), "REFRESH MATERIALIZED VIEW "+qualified(m.schema, m.name))
		}
	}
}

// triggerCall is what a trigger runs.
type triggerCall struct {
	schema, function string // "": the server's own
	arguments        []int  // tokens of the statement, each a string
}

// callOf finds the call at the end of a trigger's statement.
func callOf(tokens []sqltext.Token) (call triggerCall, ok bool) {
	i := len(tokens) - 1
	for i >= 0 && !tokens[i].Is("EXECUTE") {
		i--
	}
	if i < 0 {
		return call, false
	}
	for i++; i < len(tokens) && textAt(tokens, i) != "("; i++ {
		switch t := tokens[i]; {
		case t.Is("."):
			call.schema = call.function
		case t.IsName() && !t.Is("FUNCTION") && !t.Is("PROCEDURE"):
			call.function = t.Name
		}
	}
	for ; i < len(tokens); i++ {
		if tokens[i].Kind == sqltext.String {
			call.arguments = append(call.arguments, i)
		}
	}
	return call, call.function != ""
}

// columnArguments says which arguments of the trigger functions of the server
// and of its own extensions are names of columns of the trigger's table.
var columnArguments = map[string]func(i int) bool{
	"tsvector_update_trigger":        func(i int) bool { return i != 1 }, // of a configuration
	"tsvector_update_trigger_column": func(int) bool { return true },
	"moddatetime":                    func(int) bool { return true },
	"insert_username":                func(int) bool { return true },
	"lo_manage":                      func(int) bool { return true },
	"autoinc":                        func(i int) bool { return i%2 == 0 }, // each with its sequence
}

// argumentsOf returns the tokens of a trigger's statement and those of them
// that are names of columns for certain: its function is no one's own.
func argumentsOf(m dependent) (tokens []sqltext.Token, columns []int) {
	if m.kind != designer.ObjectTrigger || !strings.Contains(m.definition, "('") {
		return nil, nil // without arguments
	}
	tokens = scan(m.definition)
	call, ok := callOf(tokens)
	is := columnArguments[call.function]
	own := slices.ContainsFunc(m.uses, func(u designer.Dependency) bool {
		return u.Schema == call.schema && strings.HasPrefix(u.Name, call.function+"(")
	})
	if !ok || is == nil || own {
		return tokens, nil
	}
	for i, at := range call.arguments {
		if is(i) && strings.HasPrefix(tokens[at].Text, "'") {
			columns = append(columns, at)
		}
	}
	return tokens, columns
}

// argumentColumns lists the columns that a trigger names for certain in its
// arguments, which the server keeps as text.
func argumentColumns(m dependent) []string {
	tokens, columns := argumentsOf(m)
	var names []string
	for _, at := range columns {
		names = append(names, tokens[at].Contents())
	}
	return names
}

// withNewArguments is a trigger with the new names of columns in its
// arguments. It is made again while they have the old ones, which the server
// changes everywhere else in it.
func (p *planner) withNewArguments(m dependent) (dependent, bool) {
	t := p.named[place{schema: m.schema, name: m.table}]
	if t == nil || p.tables[t.ID] == nil {
		return m, false
	}
	tokens, columns := argumentsOf(m)
	changed := false
	for _, at := range columns {
		if name := p.tables[t.ID].names.columns[tokens[at].Contents()]; name != "" {
			tokens[at].Text, changed = literal(name), true
		}
	}
	if changed {
		var b strings.Builder
		for _, t := range tokens {
			b.WriteString(t.Text)
		}
		m.definition = b.String()
	}
	return m, changed
}

// followed is a routine's statement with the new names of columns behind NEW
// and OLD, the same as before where it needs none or it is not certain what
// they mean: the triggers of one table alone run it, and it is the publisher's
// own.
func (p *planner) followed(m dependent, on []place) string {
	if len(on) != 1 || p.named[on[0]] == nil || slices.ContainsFunc(m.grants, func(g string) bool { return strings.Contains(g, " OWNER TO ") }) {
		return m.definition
	}
	tp := p.tables[p.named[on[0]].ID]
	tokens, at, language, ok := bodyOf(m)
	away := slices.ContainsFunc(p.gone, func(other dependent) bool { return other.place() == m.place() })
	if tp == nil || !ok || language != "plpgsql" || away || !strings.HasPrefix(tokens[at].Text, "$") {
		return m.definition
	}
	body := tokens[at].Contents()
	mark := tokens[at].Text[:strings.Index(tokens[at].Text[1:], "$")+2]
	now := tp.names.rowColumns(body)
	if now == body || strings.Contains(now, mark) {
		return m.definition
	}
	text := m.definition[:tokens[at].Pos] + mark + now + mark + m.definition[tokens[at].End():]
	return text
}

// followRoutines gives trigger functions the new names of columns.
func (p *planner) followRoutines(list []dependent) {
	on := triggerTables(list)
	for _, m := range list {
		if m.kind != designer.ObjectRoutine {
			continue
		}
		if now := p.followed(m, on[m.place()]); now != m.definition {
			p.add(nil, "let "+m.label()+" follow new names", now, m.definition)
		}
	}
}
