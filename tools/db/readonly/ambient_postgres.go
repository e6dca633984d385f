package readonly

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

const (
	// doesMorePostgres selects, of the server's own functions p, those that do
	// more than compute.
	doesMorePostgres = `(p.provolatile = 'v' OR p.proname ~ '_to_xml|xact_id$|^txid_current$')`
	// judgedPostgres selects, of functions p, those that must be judged: these,
	// and all that did not come with the server.
	judgedPostgres = `(p.oid >= 16384 OR ` + doesMorePostgres + `)`
)

// ambient judges the functions that no query names: those of casts, operator
// classes, domains, types and operators that are meant without being written.
// Of functions that did not come with the server it does not matter how
// volatile they are said to be, for they run in a transaction that reads only;
// but what they run must be legible. Those of other operators are judged where
// a text has the operator: see operators.
func (r *PostgresReach) ambient() error {
	const find = `SELECT castfunc AS oid FROM pg_catalog.pg_cast WHERE oid >= 16384
UNION SELECT amproc::oid FROM pg_catalog.pg_amproc WHERE oid >= 16384
UNION SELECT pg_catalog.unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout]::oid[]) FROM pg_catalog.pg_type WHERE oid >= 16384
UNION SELECT pg_catalog.unnest(ARRAY[rngcanonical, rngsubdiff]::oid[]) FROM pg_catalog.pg_range WHERE rngtypid >= 16384
UNION SELECT pg_catalog.unnest(ARRAY[oprcode, oprrest, oprjoin]::oid[]) FROM pg_catalog.pg_operator o WHERE o.oid >= 16384 AND ` + meantOperator
	if err := r.judge("", true, `SELECT p.oid FROM (`+find+`) a JOIN pg_catalog.pg_proc p ON p.oid = a.oid WHERE `+judgedPostgres); err != nil {
		return err
	}
	if err := r.findOperators(); err != nil {
		return err
	}
	return r.domains()
}

// meantOperator selects operators o that run without being written: in IN,
// BETWEEN, LIKE, DISTINCT, JOIN … USING and their like, or because they belong
// to a class that sorts or compares.
const meantOperator = `(o.oprname IN ('=', '<>', '<', '<=', '>', '>=', '~~', '!~~', '~~*', '!~~*', '~', '!~')
OR EXISTS (SELECT FROM pg_catalog.pg_amop a WHERE a.amopopr = o.oid))`

// operatorPostgres is an operator that runs where a text has it, that did not
// come with the server, and whose functions must be judged.
type operatorPostgres struct {
	name   string
	oid    string
	judged bool
}

// findOperators lists the operators that operators looks for: under their own
// names, and under those of operators that the planner replaces by them, as
// NOT does with a negator. Where that one is meant without being written, they
// are judged at once.
func (r *PostgresReach) findOperators() error {
	rows, err := ask(r.ctx, r.server, Question{`SELECT DISTINCT u.oid, o.oprname, ` + meantOperator + ` FROM pg_catalog.pg_operator u
JOIN pg_catalog.pg_proc p ON p.oid IN (u.oprcode, u.oprrest, u.oprjoin)
JOIN pg_catalog.pg_operator o ON o.oid IN (u.oid, u.oprnegate, u.oprcom) OR u.oid IN (o.oprnegate, o.oprcom)
WHERE u.oid >= 16384 AND ` + judgedPostgres, 3, nil})
	if err != nil {
		return err
	}
	for _, row := range rows {
		o := &operatorPostgres{oid: row[0], name: row[1]}
		r.unnamed = append(r.unnamed, o)
		if isTrue(row[2]) {
			if err := r.operator(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// operators judges the operators that a text has. Where one operator's name is
// a part of another's, that counts too.
func (r *PostgresReach) operators(tokens []sqltext.Token) error {
	if len(r.unnamed) == 0 {
		return nil
	}
	var symbols strings.Builder // with no space between tokens: together they can be one
	for _, t := range tokens {
		symbols.WriteString(t.Text)
	}
	text := symbols.String()
	for _, o := range r.unnamed {
		if strings.Contains(text, o.name) {
			if err := r.operator(o); err != nil {
				return err
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
	return r.judge("the operator "+o.name, true, `SELECT p.oid FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid IN (o.oprcode, o.oprrest, o.oprjoin)
WHERE o.oid = $1::text::oid AND `+judgedPostgres, o.oid)
}

// domains judges what the checks of domains run: any value may be of one.
func (r *PostgresReach) domains() error {
	rows, err := ask(r.ctx, r.server, Question{`SELECT t.oid::pg_catalog.regtype::text, pg_catalog.pg_get_expr(c.conbin, 0)
FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_type t ON t.oid = c.contypid WHERE c.contypid <> 0 AND c.oid >= 16384`, 2, nil})
	if err != nil {
		return err
	}
	called, all := map[string][]string{}, []string{}
	for _, row := range rows {
		tokens := sqltext.Significant(PostgresTokens(row[1]))
		if err := r.operators(tokens); err != nil {
			return err
		}
		for i, t := range tokens {
			if t.IsName() && i+1 < len(tokens) && tokens[i+1].Is("(") {
				called[t.Name] = append(called[t.Name], row[0])
				all = append(all, t.Name)
			}
		}
	}
	return r.calledByDomains(called, all)
}

// calledByDomains judges functions by name; called has the domains that call
// them.
func (r *PostgresReach) calledByDomains(called map[string][]string, all []string) error {
	if len(all) == 0 {
		return nil
	}
	rows, err := ask(r.ctx, r.server, Question{`SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p WHERE p.proname = ANY($1::text[]) AND ` + judgedPostgres, 1, []string{TextArray(all)}})
	if err != nil {
		return err
	}
	for _, row := range rows {
		name, via := row[0], "a domain"
		if of := called[name]; len(of) > 0 { // else the server names what was not asked for
			via = "the domain " + of[0]
		}
		err := r.judge(via, true, `SELECT p.oid FROM pg_catalog.pg_proc p WHERE p.proname = $1::text AND `+judgedPostgres, name)
		if err != nil {
			return err
		}
	}
	return nil
}
