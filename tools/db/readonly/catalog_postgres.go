package readonly

import "strings"

// The questions to PostgreSQL are fixed, so that a session keeps their plans.
// Operators and types in them are the server's own, whatever the search path
// of the database puts before those.

// qualified writes a question's operators and types with their schema.
func qualified(question string) string {
	return strings.NewReplacer(
		" = ", " OPERATOR(pg_catalog.=) ", " <> ", " OPERATOR(pg_catalog.<>) ", " >= ", " OPERATOR(pg_catalog.>=) ", " <= ", " OPERATOR(pg_catalog.<=) ",
		" < ", " OPERATOR(pg_catalog.<) ", " > ", " OPERATOR(pg_catalog.>) ", " ~ ", " OPERATOR(pg_catalog.~) ", " - ", " OPERATOR(pg_catalog.-) ",
		"::text", "::pg_catalog.text", "::bool", "::pg_catalog.bool", "::oid", "::pg_catalog.oid", "::int4", "::pg_catalog.int4", "::name", "::pg_catalog.name",
		"::regclass", "::pg_catalog.regclass", "::regtype", "::pg_catalog.regtype", "::\"char\"", "::pg_catalog.\"char\"",
	).Replace(question)
}

const (
	// doesMorePostgres selects, of the server's own functions p, those that do
	// more than compute.
	doesMorePostgres = `(p.provolatile = 'v' OR p.proname ~ '_to_xml|xact_id$|^txid_current$')`
	// judgedPostgres selects, of functions p, those that must be judged: these,
	// and all that did not come with the server.
	judgedPostgres = `(p.oid >= 16384 OR ` + doesMorePostgres + `)`
)

// functionColumns are those that describedPostgres selects.
const functionColumns = 11

// describedPostgres selects what [newPostgresFunction] reads of the functions
// p that are joined before it. Another name for a function of the server
// stands beside that: with a range, the server makes such functions.
const describedPostgres = `p.oid::text, p.proname::text, (p.oid < 16384)::text, (p.provolatile = 'v')::text, l.lanname::text, e.extname::text,
  CASE WHEN p.prokind <> 'a' AND p.oid >= 16384 AND (e.oid IS NULL OR l.lanname <> 'c'::name AND l.lanname <> 'internal'::name) THEN pg_catalog.pg_get_functiondef(p.oid) END,
  CASE WHEN p.oid >= 16384 AND l.lanname <> 'c'::name THEN p.prosrc END, t.name::text, t.more::text, (p.provolatile = 'i')::text`

const describedFrom = `JOIN pg_catalog.pg_language l ON l.oid = p.prolang
LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
LEFT JOIN LATERAL (SELECT b.proname AS name, (b.provolatile = 'v' OR b.proname ~ '_to_xml|xact_id$|^txid_current$') AS more FROM pg_catalog.pg_proc b
  WHERE l.lanname = 'internal' AND p.oid >= 16384 AND b.oid < 16384 AND b.prolang = p.prolang AND b.prosrc = p.prosrc ORDER BY 2 DESC, b.oid LIMIT 1) t ON true`

// functionsPostgres finds the functions that names may mean, and those that
// aggregates among them run. Only those that must be judged are asked for.
var functionsPostgres = qualified(`WITH f AS (SELECT p.oid, pg_catalog.min(w.text) AS text
  FROM ROWS FROM (pg_catalog.unnest($1::int4[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[]), pg_catalog.unnest($4::bool[])) AS w(text, schema, name, called)
  JOIN LATERAL (SELECT * FROM pg_catalog.pg_proc p WHERE p.proname = w.name::name OFFSET 0) p ON true JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
  WHERE ` + judgedPostgres + `
  AND CASE WHEN w.schema = '*' THEN true WHEN w.schema = '' THEN n.nspname = ANY (pg_catalog.current_schemas(true)) ELSE n.nspname = w.schema END
  AND (w.called OR p.pronargs > 0 AND (p.pronargs - p.pronargdefaults) <= 1
    AND (SELECT a.typtype = ANY (ARRAY['c', 'd', 'p']::"char"[]) AND a.typname <> 'internal' FROM pg_catalog.pg_type a WHERE a.oid = p.proargtypes[0]))
  GROUP BY p.oid),
a AS (SELECT oid, text FROM f UNION SELECT s.oid, f.text FROM f JOIN pg_catalog.pg_aggregate g ON g.aggfnoid = f.oid,
  pg_catalog.unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[]) s(oid)
  JOIN pg_catalog.pg_proc p ON p.oid = s.oid WHERE ` + judgedPostgres + `)
SELECT a.text::text, ` + describedPostgres + ` FROM a JOIN pg_catalog.pg_proc p ON p.oid = a.oid ` + describedFrom + ` ORDER BY a.text, p.oid`)

// madeHerePostgres selects, for an object of the catalogue class, whether it
// uses a function or an operator that did not come with the server.
func madeHerePostgres(class, object string) string {
	return `EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.` + class + `'::regclass AND d.objid = ` + object + `
    AND d.refobjid >= 16384 AND (d.refclassid = 'pg_catalog.pg_proc'::regclass OR d.refclassid = 'pg_catalog.pg_operator'::regclass))`
}

// plannedPostgres selects what the planner simplifies when it meets the table
// c, which runs functions that say they are immutable: the expressions of its
// indexes, statistics objects and partition key, and its checks.
var plannedPostgres = `(SELECT pg_catalog.string_agg(e.text, ' ') FROM (
    SELECT pg_catalog.concat_ws(' ', pg_catalog.pg_get_expr(x.indexprs, x.indrelid), pg_catalog.pg_get_expr(x.indpred, x.indrelid)) AS text FROM pg_catalog.pg_index x
    WHERE x.indrelid = c.oid AND (x.indexprs IS NOT NULL OR x.indpred IS NOT NULL) AND ` + madeHerePostgres("pg_class", "x.indexrelid") + `
    UNION ALL SELECT pg_catalog.pg_get_expr(k.conbin, k.conrelid) FROM pg_catalog.pg_constraint k
    WHERE k.conrelid = c.oid AND k.contype = 'c' AND ` + madeHerePostgres("pg_constraint", "k.oid") + `
    UNION ALL SELECT pg_catalog.pg_get_partkeydef(c.oid) WHERE c.relkind = 'p' AND ` + madeHerePostgres("pg_class", "c.oid") + `
    UNION ALL SELECT pg_catalog.pg_get_statisticsobjdef(z.oid) FROM pg_catalog.pg_statistic_ext z
    WHERE z.stxrelid = c.oid AND ` + madeHerePostgres("pg_statistic_ext", "z.oid") + `) e)`

// notPlainPostgres finds the names of relations of which relationsPostgres may
// have something to say: all but tables that nothing inherits from, without
// row security or rules, for which the planner runs nothing that somebody made.
// Most queries name no other, and to ask this costs a fraction. OFFSET 0 and
// LIMIT 1 hold the server to the indexes: it would read whole catalogues ahead.
var notPlainPostgres = qualified(`SELECT c.relname::text
FROM pg_catalog.unnest($1::text[]) AS w(name) JOIN LATERAL (SELECT * FROM pg_catalog.pg_class c WHERE c.relname = w.name::name OFFSET 0) c ON true
WHERE c.oid >= 16384 AND ` + runsMorePostgres)

// runsMorePostgres selects, of relations c, all but those of notPlainPostgres.
var runsMorePostgres = `(c.relkind <> 'r' OR c.relrowsecurity OR c.relhasrules OR c.relhassubclass
  OR c.relhasindex AND (SELECT true FROM pg_catalog.pg_index x WHERE x.indrelid = c.oid AND (x.indexprs IS NOT NULL OR x.indpred IS NOT NULL) AND ` + madeHerePostgres("pg_class", "x.indexrelid") + ` LIMIT 1)
  OR c.relchecks > 0 AND (SELECT true FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND ` + madeHerePostgres("pg_constraint", "k.oid") + ` LIMIT 1)
  OR (SELECT true FROM pg_catalog.pg_statistic_ext z WHERE z.stxrelid = c.oid AND ` + madeHerePostgres("pg_statistic_ext", "z.oid") + ` LIMIT 1))`

// doubtful finds what keeps a query from being certain: functions of a name
// in $1 that must be judged, in any schema, names in $2 (before a parenthesis)
// of which the server has no function, and relations of a name in $3 that are no
// plain tables. The server's own views are among these.
var doubtful = `SELECT p.proname::text FROM pg_catalog.unnest($1::text[]) AS w(name) JOIN LATERAL (SELECT * FROM pg_catalog.pg_proc p WHERE p.proname = w.name::name OFFSET 0) p ON true
  WHERE ` + judgedPostgres + `
UNION ALL SELECT pg_catalog.concat('(', w.name) FROM pg_catalog.unnest($2::text[]) AS w(name) WHERE (SELECT true FROM pg_catalog.pg_proc p WHERE p.proname = w.name::name AND p.oid < 16384 LIMIT 1) IS NULL
UNION ALL SELECT c.relname::text FROM pg_catalog.unnest($3::text[]) AS w(name) JOIN LATERAL (SELECT * FROM pg_catalog.pg_class c WHERE c.relname = w.name::name OFFSET 0) c ON true
  WHERE c.relkind <> 'r' OR c.oid >= 16384 AND ` + runsMorePostgres

var doubtsPostgres = qualified(doubtful)

// certainPostgres fails, with a division by zero, unless the state is $4 and
// nothing is doubtful. It also takes back that the session's questions are planned
// once, which the query is not to know of, and reports whether a relation of
// a name in $3 has bytes.
var certainPostgres = qualified(`SELECT pg_catalog.int4div(1, CASE WHEN ` + statePostgresKey + ` = $4::text AND NOT EXISTS (` + doubtful + `) THEN 1 ELSE 0 END)::text,
  pg_catalog.set_config('plan_cache_mode', NULL, true),
  EXISTS (SELECT FROM pg_catalog.unnest($3::text[]) AS w(name) JOIN LATERAL (SELECT * FROM pg_catalog.pg_class c WHERE c.relname = w.name::name OFFSET 0) c ON true
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE a.atttypid = 'pg_catalog.bytea'::regtype)::text`)

// PostgresStateHolds is an expression that fails, with a division by zero,
// unless the state is $4.
var PostgresStateHolds = qualified(`pg_catalog.int4div(1, CASE WHEN ` + statePostgresKey + ` = $4::text THEN 1 ELSE 0 END)`)

// relationsPostgres finds views, tables with row security, foreign tables and
// those for which the planner runs something, by name, with what views among
// them read and what inherits from tables. Row security that does not hold for
// the login runs nothing where the query itself names the table.
var relationsPostgres = qualified(`WITH RECURSIVE w AS (SELECT * FROM ROWS FROM (pg_catalog.unnest($1::int4[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::bool[])) AS w(text, name, anywhere)),
r(oid, text, parent, direct) AS (SELECT c.oid, w.text, 0::oid, NOT w.anywhere FROM w JOIN LATERAL (SELECT * FROM pg_catalog.pg_class c WHERE c.relname = w.name::name OFFSET 0) c ON true JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid >= 16384 AND (w.anywhere OR pg_catalog.pg_table_is_visible(c.oid) OR n.nspname = ANY ($2::text[]))
  UNION SELECT x.oid, r.text, r.oid, false FROM r CROSS JOIN LATERAL (SELECT d.refobjid AS oid FROM pg_catalog.pg_rewrite u
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = u.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass
    WHERE u.ev_class = r.oid AND d.refobjid <> r.oid AND d.refobjid >= 16384 UNION ALL SELECT h.inhrelid FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.oid) x),
f AS (SELECT g.*, c.relkind, c.relrowsecurity, ` + plannedPostgres + ` AS planned
  FROM (SELECT r.oid, pg_catalog.min(r.text) AS text, pg_catalog.min(r.parent) AS parent, pg_catalog.bool_and(r.direct) AS direct FROM r GROUP BY r.oid) g
  JOIN pg_catalog.pg_class c ON c.oid = g.oid WHERE c.relkind = ANY (ARRAY['r', 'p', 'v', 'm', 'f']::"char"[]))
SELECT c.text, c.oid, c.parent, c.relkind, c.oid::regclass::text,
CASE WHEN c.relkind = 'v' THEN pg_catalog.pg_get_viewdef(c.oid) END,
CASE WHEN c.relrowsecurity AND (NOT c.direct OR pg_catalog.row_security_active(c.oid)) THEN (SELECT pg_catalog.string_agg(pg_catalog.pg_get_expr(p.polqual, p.polrelid), ' ') FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid) END,
x.fdwname, t.ftoptions::text, s.srvoptions::text, c.planned
FROM f c LEFT JOIN pg_catalog.pg_foreign_table t ON t.ftrelid = c.oid
LEFT JOIN pg_catalog.pg_foreign_server s ON s.oid = t.ftserver LEFT JOIN pg_catalog.pg_foreign_data_wrapper x ON x.oid = s.srvfdw
WHERE c.relkind = 'v' OR c.relkind = 'f' OR c.relrowsecurity OR c.planned IS NOT NULL ORDER BY c.text, c.parent, c.oid`)

// ambientPostgres finds what no query names: the functions of casts, operator
// classes, types and operators (rows f, under the number of their operator or
// 0), the operators that run where a text has them, under each name that may
// mean them (o), and the checks of domains (d). A row s names the state of the
// database: while that is $1 nothing has changed, and there are no others. It
// is nothing on a standby, which cannot tell.
var ambientPostgres = qualified(`WITH f(op, fn) AS (
  SELECT 0::oid, castfunc::oid FROM pg_catalog.pg_cast WHERE ` + changedPostgres + ` AND oid >= 16384
  UNION SELECT 0::oid, amproc::oid FROM pg_catalog.pg_amproc WHERE ` + changedPostgres + ` AND oid >= 16384
  UNION SELECT 0::oid, pg_catalog.unnest(ARRAY[i, o, r, s, m, n]) FROM (SELECT DISTINCT typinput::oid AS i, typoutput::oid AS o, typreceive::oid AS r, typsend::oid AS s, typmodin::oid AS m, typmodout::oid AS n
    FROM pg_catalog.pg_type WHERE ` + changedPostgres + ` AND oid >= 16384) t
  UNION SELECT 0::oid, pg_catalog.unnest(ARRAY[rngcanonical, rngsubdiff]::oid[]) FROM pg_catalog.pg_range WHERE ` + changedPostgres + ` AND rngtypid >= 16384
  UNION SELECT oid, pg_catalog.unnest(ARRAY[oprcode, oprrest, oprjoin]::oid[]) FROM pg_catalog.pg_operator WHERE ` + changedPostgres + ` AND oid >= 16384)
` + stateColumns + `
UNION ALL SELECT 'f', f.op::text, ` + describedPostgres + ` FROM f JOIN pg_catalog.pg_proc p ON p.oid = f.fn ` + describedFrom + ` WHERE ` + judgedPostgres + `
UNION ALL SELECT DISTINCT 'o', u.oid::text, o.oprname::text, (` + meantOperator + `)::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM pg_catalog.pg_operator u
  JOIN pg_catalog.pg_proc p ON p.oid = ANY (ARRAY[u.oprcode, u.oprrest, u.oprjoin]::oid[])
  JOIN pg_catalog.pg_operator o ON o.oid = ANY (ARRAY[u.oid, u.oprnegate, u.oprcom]) OR u.oid = ANY (ARRAY[o.oprnegate, o.oprcom])
  WHERE ` + changedPostgres + ` AND u.oid >= 16384 AND ` + judgedPostgres + `
UNION ALL SELECT 'd', t.oid::regtype::text, pg_catalog.pg_get_expr(c.conbin, 0), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_type t ON t.oid = c.contypid WHERE ` + changedPostgres + ` AND c.contypid <> 0 AND c.oid >= 16384
ORDER BY kind DESC`)

// stateColumns select the row s.
const stateColumns = `SELECT 's' AS kind, ` + statePostgresKey + ` AS key, (` + changedPostgres + `)::text AS c1,
  NULL::text AS c2, NULL::text AS c3, NULL::text AS c4, NULL::text AS c5, NULL::text AS c6, NULL::text AS c7, NULL::text AS c8, NULL::text AS c9, NULL::text AS c10, NULL::text AS c11`

// statePostgresKey names the state, and nothing on a standby.
const statePostgresKey = `CASE WHEN pg_catalog.pg_is_in_recovery() THEN '' ELSE ` + snapshotPostgres + ` END`

// snapshotPostgres names a snapshot. A number of transactions may come again on
// another server, which a pooler or an address may lead to.
const snapshotPostgres = `pg_catalog.concat_ws(' ', pg_catalog.txid_current_snapshot(), pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time()), pg_catalog.current_database())`

// statePostgres asks for the row s alone.
var statePostgres = qualified(stateColumns)

const ambientColumns = 2 + functionColumns

// changedPostgres reports whether a transaction ended since the state $1, or
// one that was under way did: then the catalogues may be others.
const changedPostgres = snapshotPostgres + ` <> $1::text`

// meantOperator selects operators o that run without being written: in IN,
// BETWEEN, LIKE, DISTINCT, JOIN … USING and their like, or because they belong
// to a class that sorts or compares.
const meantOperator = `o.oprname = ANY (ARRAY['=', '<>', '<', '<=', '>', '>=', '~~', '!~~', '~~*', '!~~*', '~', '!~']::name[])
OR EXISTS (SELECT FROM pg_catalog.pg_amop a WHERE a.amopopr = o.oid)`

// PostgresTypeNames asks for the names of types, given by their numbers and
// modifiers.
func PostgresTypeNames(oids, mods []string) CatalogQuery {
	return CatalogQuery{typeNamesPostgres, 1, []string{TextArray(oids), TextArray(mods)}}
}

var typeNamesPostgres = qualified(`SELECT pg_catalog.format_type(t.id, t.mods)
FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::int4[])) WITH ORDINALITY AS t(id, mods, n) ORDER BY t.n`)
