package readonly

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// question asks for what no query names; where little changes, only whether
// that is still what is known.
func (r *PostgresReach) question() CatalogQuery {
	if r.steady && r.known != nil {
		return CatalogQuery{statePostgres, ambientColumns, []string{r.known.state}}
	}
	return r.whole()
}

func (r *PostgresReach) whole() CatalogQuery {
	state := ""
	if r.known != nil {
		state = r.known.state
	}
	return CatalogQuery{ambientPostgres, ambientColumns, []string{state}}
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
	if len(rows) == 1 && rows[0][0] == "s" && !isTrue(rows[0][2]) && r.known != nil && rows[0][1] == r.known.state {
		*a = r.known.ambientState
		r.look(a)
		return nil
	}
	if asked.SQL == statePostgres {
		r.memory.Changed()
		asked, rows, err := r.whole(), [][]string(nil), error(nil)
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
