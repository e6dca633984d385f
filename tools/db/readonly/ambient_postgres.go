package readonly

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// PostgresCache is what one session of a server keeps from one query to the
// next: that everything which no query names was judged in a certain state of
// the database. A state is the server's own name of a snapshot. Two are equal
// only where no transaction ended between them that could have changed
// anything. The zero value knows nothing.
type PostgresCache struct {
	state  string // "": nothing is known
	known  ambientState
	steady bool // the last query found the state that it knew

	notPlain map[string]bool // names that were not only those of plain tables
	doubtful map[string]bool // names that made a condition fail; see Doubt
}

// question asks for what no query names; where little changes, only whether
// that is still what is known.
func (m *PostgresCache) question() CatalogQuery {
	if m.steady && m.state != "" {
		return CatalogQuery{statePostgres, ambientColumns, []string{m.state}}
	}
	return m.whole()
}

func (m *PostgresCache) whole() CatalogQuery {
	return CatalogQuery{ambientPostgres, ambientColumns, []string{m.state}}
}

// keep takes an answer of which everything was judged and admitted.
func (m *PostgresCache) keep(a *ambientState) {
	if a.state != "" {
		m.steady = a.state == m.state
		m.state, m.known = a.state, *a
	}
}

// ambientState is what the server says of what no query names.
type ambientState struct {
	state     string
	operators []operatorPostgres
	functions map[string][]postgresFunction // by the number of their operator
}

// operatorPostgres is an operator that runs where a text has it, that did not
// come with the server, and whose functions must be judged.
type operatorPostgres struct {
	oid    string
	name   string // its own, or that of one which the planner replaces by it, as NOT does with a negator
	judged bool
}

// ambient judges the functions that no query names: those of casts, operator
// classes, domains, types and operators that are meant without being written.
// Of functions that did not come with the server it does not matter how
// volatile they are said to be, for they run in a transaction that reads only;
// but what they run must be legible. Those of other operators are judged where
// a text has the operator: see operatorsIn. a takes the answer.
func (r *PostgresReach) ambient(ctx context.Context, a *ambientState, asked CatalogQuery, rows [][]string) error {
	if len(rows) == 1 && rows[0][0] == "s" && !isTrue(rows[0][2]) && r.memory.state != "" && rows[0][1] == r.memory.state {
		*a = r.memory.known
		r.look(a)
		return nil
	}
	if asked.SQL == statePostgres {
		r.memory.steady = false
		asked, rows, err := r.memory.whole(), [][]string(nil), error(nil)
		if rows, err = ask(ctx, r.server, asked); err != nil {
			return err
		}
		return r.ambient(ctx, a, asked, rows)
	}
	a.functions = map[string][]postgresFunction{}
	var meant []int
	for _, row := range rows {
		switch row[0] {
		case "s":
			a.state = row[1]
		case "o":
			a.operators = append(a.operators, operatorPostgres{oid: row[1], name: row[2]})
			if isTrue(row[3]) {
				meant = append(meant, len(a.operators)-1)
			}
		case "f":
			a.functions[row[1]] = append(a.functions[row[1]], newPostgresFunction(row[2:]))
		case "d":
			if err := r.add(sourcePostgres{sqltext.Significant(PostgresTokens(row[2])), "the domain " + row[1], domainText, ""}, len(row[2])); err != nil {
				return err
			}
		}
	}
	r.look(a)
	for _, f := range a.functions["0"] {
		if err := r.function(f, "", ambient); err != nil {
			return err
		}
	}
	for _, i := range meant {
		if err := r.operator(r.operators[i]); err != nil {
			return err
		}
	}
	return nil
}

// look has r know the operators of an answer.
func (r *PostgresReach) look(a *ambientState) {
	r.operators, r.operatorFunctions = make([]*operatorPostgres, len(a.operators)), a.functions
	for i := range a.operators {
		r.operators[i] = &operatorPostgres{oid: a.operators[i].oid, name: a.operators[i].name}
	}
}

// operatorsIn judges the operators that texts have. Where one operator's name
// is a part of another's, that counts too.
func (r *PostgresReach) operatorsIn(texts []sourcePostgres) error {
	if len(r.operators) == 0 {
		return nil
	}
	for _, t := range texts {
		var symbols strings.Builder // with no space between tokens: together they can be one
		for _, token := range t.tokens {
			symbols.WriteString(token.Text)
		}
		text := symbols.String()
		for _, o := range r.operators {
			if strings.Contains(text, o.name) {
				if err := r.operator(o); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *PostgresReach) operator(o *operatorPostgres) error {
	if o.judged {
		return nil
	}
	o.judged = true
	for _, f := range r.operatorFunctions[o.oid] {
		if err := r.function(f, "the operator "+o.name, ambient); err != nil {
			return err
		}
	}
	return nil
}
