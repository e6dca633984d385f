package postgres

import "strings"

// The queries. Every one covers the whole database. What belongs to the
// server or to an extension is left out: objects from 16384 on are not the
// server's own, and [ours] excludes the rest. What hangs on a relation that
// relationQuery does not list is dropped where the rows are put together.

// ours is a condition on a schema n and the object that is identified by its
// catalogue and oid.
func ours(catalogue, oid string) string {
	return ` n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS (SELECT FROM pg_depend e
WHERE e.classid = '` + catalogue + `'::regclass AND e.objid = ` + oid + ` AND e.deptype = 'e')`
}

// scope is a condition on the oid of a relation: which of them are read.
type scope string

// everyTable is the scope of what is not the server's own.
const everyTable scope = ">= 16384"

// scopeOf is that of some relations or other objects.
func scopeOf(ids []oid) scope {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = decimal(int64(id))
	}
	return scope("= ANY ('{" + strings.Join(texts, ",") + "}'::oid[])")
}

// settings make the server spell values the same way for every reader, and
// spare it what takes longer than the queries. What is asked of the search_path
// comes before it is set.
const settingsQuery = `SELECT coalesce(current_schema(), ''), current_setting('server_version_num')::int, set_config('search_path', '', true),
set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'postgres', true), set_config('TimeZone', 'UTC', true),
set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true), set_config('lc_monetary', 'C', true),
set_config('standard_conforming_strings', 'on', true), set_config('quote_all_identifiers', 'off', true),
set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`

func schemaQuery() string {
	return `SELECT n.nspname FROM pg_namespace n WHERE` + ours("pg_namespace", "n.oid") + ` ORDER BY 1`
}

// relationQuery reads tables, partitions, views, sequences and indexes' kin.
func relationQuery(in scope) string {
	return `SELECT c.oid, n.nspname, c.relname, c.relkind::text, c.relispartition, c.relpersistence = 'u',
concat_ws(', ', array_to_string(c.reloptions, ', '), CASE WHEN x.oid IS NOT NULL THEN (SELECT string_agg('toast.' || o, ', ') FROM unnest(x.reloptions) o) END), coalesce(s.spcname, ''), coalesce(m.amname, ''),
CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) ELSE '' END,
coalesce(pg_get_expr(c.relpartbound, c.oid), ''),
CASE WHEN c.relrowsecurity AND c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'enabled'
  WHEN c.relforcerowsecurity THEN 'owner' ELSE '' END,
CASE c.relreplident WHEN 'f' THEN 'full' WHEN 'n' THEN 'nothing' ELSE '' END,
coalesce(i.parents, ''),
CASE WHEN c.reloftype <> 0 THEN format_type(c.reloftype, NULL) ELSE '' END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_class x ON x.oid = c.reltoastrelid AND x.reloptions IS NOT NULL LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
LEFT JOIN pg_am m ON m.oid = c.relam AND m.amname <> 'heap'
LEFT JOIN (SELECT inhrelid, string_agg(inhparent::text, ',' ORDER BY inhseqno) AS parents FROM pg_inherits GROUP BY 1) i ON i.inhrelid = c.oid
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND c.oid ` + string(in) + ` AND` + ours("pg_class", "c.oid") + ` ORDER BY 2, 3`
}

// nameQuery reads the tables and views that make a definition, in its order,
// by name, tables with their columns.
func nameQuery() string {
	return `SELECT c.oid, n.nspname, c.relname, c.relkind IN ('v', 'm', 'f'), coalesce(a.names, '{}')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN (SELECT attrelid, array_agg(attname::text ORDER BY attnum) AS names FROM pg_attribute
  WHERE attrelid >= 16384 AND attnum > 0 AND NOT attisdropped GROUP BY 1) a ON a.attrelid = c.oid AND c.relkind IN ('r', 'p')
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.oid >= 16384 AND` + ours("pg_class", "c.oid") + ` ORDER BY 2, 3`
}

// typeQuery reads the types that columns have. The name with its modifier
// left open is how a cast of a constant spells it. Of an array the name is
// that of its elements.
func typeQuery(in scope) string {
	return `SELECT t.oid, coalesce(e.oid, 0), en.nspname, coalesce(e.typname, t.typname), t.typtype::text, format_type(t.oid, -1)
FROM pg_type t LEFT JOIN pg_type e ON e.typarray = t.oid
JOIN pg_namespace en ON en.oid = coalesce(e.typnamespace, t.typnamespace)
WHERE t.oid IN (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid ` + string(in) + ` AND a.attnum > 0)`
}

// columnQuery reads the columns of tables, in no order. The type's full
// text is asked for only where it has more than the usual numbers, and the
// table an expression belongs to is given only where it can name its columns:
// both take their time.
func columnQuery(v version, in scope) string {
	return strings.NewReplacer("$compression", v.since(14, "a.attcompression::text", "''")).Replace(
		`SELECT a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity::text, a.attgenerated::text,
coalesce(pg_get_expr(d.adbin, CASE a.attgenerated WHEN '' THEN 0 ELSE d.adrelid END), ''), a.attcollation, coalesce(l.collname, ''), coalesce(ln.nspname, ''),
CASE WHEN a.atttypmod >= 0 AND (a.atttypid >= 16384 OR t.typname = 'interval') THEN format_type(a.atttypid, a.atttypmod) ELSE '' END,
a.attinhcount > 0 AND NOT a.attislocal, CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text ELSE '' END,
$compression, coalesce(a.attstattarget, -1), ` + parametersOf("a.attoptions") + `
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef
LEFT JOIN pg_collation l ON l.oid = a.attcollation AND a.attcollation <> t.typcollation
LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND c.oid ` + string(in))
}

// sequenceQuery reads sequences, whose own numbers are in a scope, with the
// columns that own them.
func sequenceQuery(of scope) string {
	return `SELECT s.seqrelid, n.nspname, c.relname, format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement,
s.seqmin, s.seqmax, s.seqcache, s.seqcycle, coalesce(d.refobjid, 0), coalesce(d.refobjsubid, 0), c.relpersistence = 'u'
FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.objsubid = 0
  AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
WHERE s.seqrelid ` + string(of) + ` AND` + ours("pg_class", "c.oid") + ` ORDER BY 2, 3`
}

// parametersOf writes the options of a column, for the planner, without what the
// server counts there for itself; ” where there are none. Some servers count
// in every column, so a lone one is not unnested.
func parametersOf(options string) string {
	return `CASE WHEN ` + options + ` IS NULL OR cardinality(` + options + `) = 1 AND starts_with((` + options + `)[1], 'pg_attver=') THEN '' ELSE (SELECT coalesce(string_agg(o, ', '), '') FROM unnest(` + options + `) o WHERE NOT starts_with(o, 'pg_attver=')) END`
}

// constraintQuery reads the constraints of tables but not what the server
// makes of them for partitions. What a foreign key refers to is named where
// it is not among the tables read.
func constraintQuery(v version, in scope) string {
	return strings.NewReplacer(
		"$setColumns", v.since(15, "coalesce(array_to_string(k.confdelsetcols, ','), '')", "''"),
		"$enforced", v.since(18, "k.conenforced", "true"),
	).Replace(`SELECT k.oid, k.conrelid, k.conname, k.contype::text, k.condeferrable, k.condeferred, k.convalidated, $enforced,
k.connoinherit, k.conindid, k.confrelid, k.confupdtype::text, k.confdeltype::text, k.confmatchtype::text, coalesce(array_to_string(k.conkey, ','), ''),
coalesce(array_to_string(k.confkey, ','), ''), $setColumns,
CASE WHEN k.contype = 'c' THEN pg_get_expr(k.conbin, k.conrelid) ELSE '' END,
CASE WHEN k.conexclop IS NULL THEN '' ELSE coalesce((SELECT string_agg(CASE WHEN n.nspname = 'pg_catalog' THEN o.oprname ELSE quote_ident(n.nspname) || '.' || o.oprname END, ' ' ORDER BY x.n)
  FROM unnest(k.conexclop) WITH ORDINALITY x(op, n) JOIN pg_operator o ON o.oid = x.op JOIN pg_namespace n ON n.oid = o.oprnamespace), '') END,
k.coninhcount > 0 AND NOT k.conislocal,
CASE WHEN f.relispartition OR x.objid IS NOT NULL THEN ARRAY[fn.nspname, f.relname]::text[] || ARRAY(SELECT a.attname::text
  FROM unnest(k.confkey) WITH ORDINALITY r(attnum, n) JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = r.attnum ORDER BY r.n) END
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
LEFT JOIN pg_depend x ON x.classid = 'pg_class'::regclass AND x.objid = f.oid AND x.deptype = 'e'
WHERE k.contype IN ('c', 'f', 'p', 'u', 'x') AND k.conparentid = 0 AND NOT c.relispartition AND c.oid ` + string(in) + `
ORDER BY k.conrelid, k.conname`)
}

// indexQuery reads the keys of indexes, one after another. An expression has the
// collation of its columns; where the server's own text says none, the key has
// no other, and zero stands for that.
func indexQuery(v version, in scope) string {
	return strings.NewReplacer("$nulls", v.since(15, "i.indnullsnotdistinct", "false")).Replace(
		`SELECT i.indrelid, i.indexrelid, x.relname, i.indisunique, am.amname, coalesce(pg_get_expr(i.indpred, i.indrelid), ''),
coalesce(array_to_string(x.reloptions, ', '), ''), coalesce(s.spcname, ''), i.indisvalid, i.indisreplident, i.indisclustered, $nulls,
i.indnkeyatts, k.n, k.attnum, coalesce(i.indoption[k.n - 1], 0),
CASE WHEN k.attnum = 0 THEN pg_get_indexdef(i.indexrelid, k.n::int, false) ELSE '' END,
coalesce(CASE WHEN o.opcdefault AND a.attoptions IS NULL THEN NULL WHEN onn.nspname = 'pg_catalog' THEN o.opcname
  ELSE quote_ident(onn.nspname) || '.' || quote_ident(o.opcname) END, ''),
coalesce(array_to_string(a.attoptions, ', '), ''), coalesce(a.attstattarget, -1),
CASE WHEN k.attnum = 0 AND position(pg_get_indexdef(i.indexrelid, k.n::int, false) || ' COLLATE ' IN pg_get_indexdef(i.indexrelid)) = 0 THEN 0 ELSE coalesce(l.oid, 0) END,
coalesce(l.collname, ''), coalesce(ln.nspname, '')
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam
JOIN pg_class c ON c.oid = i.indrelid
LEFT JOIN pg_tablespace s ON s.oid = x.reltablespace
CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, n)
LEFT JOIN pg_opclass o ON o.oid = i.indclass[k.n - 1] LEFT JOIN pg_namespace onn ON onn.oid = o.opcnamespace
LEFT JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = k.n
LEFT JOIN pg_collation l ON l.oid = i.indcollation[k.n - 1]
LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.oid ` + string(in) + `
ORDER BY i.indrelid, x.relname, k.n`)
}

// commentQuery reads the comments on objects, whatever they are.
func commentQuery(in scope) string {
	return `SELECT classoid::regclass::text, objoid, objsubid, description FROM pg_description WHERE objoid ` + string(in)
}

// The queries of what is carried. They bring statements, made by the server
// where it can, else put together here with its own quoting.

// viewQuery reads views, materialized views and foreign tables, with what has
// to be said after one is re-created.
func viewQuery(v version, in scope) string {
	return `SELECT id, definition, extras FROM (
SELECT c.oid, 'CREATE ' || CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END || 'VIEW ' || format('%I.%I', n.nspname, c.relname) ||
coalesce(' USING ' || quote_ident(m.amname), '') || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') ||
coalesce(' TABLESPACE ' || quote_ident(s.spcname), '') || E' AS\n' || rtrim(pg_get_viewdef(c.oid), '; ') ||
CASE WHEN c.relkind = 'm' AND NOT c.relispopulated THEN E'\nWITH NO DATA' ELSE '' END,
ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = c.oid ORDER BY x.relname)
|| ARRAY(SELECT format('ALTER VIEW %I.%I ALTER COLUMN %I SET DEFAULT %s', n.nspname, c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid))
  FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE d.adrelid = c.oid ORDER BY a.attnum)
|| ARRAY(SELECT CASE d.objsubid WHEN 0 THEN format('COMMENT ON %s %I.%I IS %L', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END, n.nspname, c.relname, d.description)
    ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, a.attname, d.description) END
  FROM pg_description d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
  WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid ORDER BY d.objsubid)
|| ARRAY(SELECT format('COMMENT ON INDEX %I.%I IS %L', n.nspname, x.relname, d.description) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = x.oid WHERE i.indrelid = c.oid ORDER BY x.relname)
|| ` + settingsOf("c.relkind = 'm'", v) + `, n.nspname, c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
LEFT JOIN pg_am m ON m.oid = c.relam AND m.amname <> 'heap'
WHERE c.relkind IN ('v', 'm') AND` + ours("pg_class", "c.oid") + `
UNION ALL
` + foreignTableQuery() + `) x(id, definition, extras, schema, name) WHERE id ` + string(in) + ` ORDER BY schema, name`
}

// objectQuery reads everything else: its kind, catalogue, oid, schema, name,
// table, values, statement and what belongs to it. parts are of [everyPart].
func objectQuery(v version, parts []part) string {
	all := []string{extensionQuery, collationQuery(v), enumQuery(), domainQuery(), compositeQuery(), rangeQuery(v),
		routineQuery(), triggerQuery(v), ruleQuery(), policyQuery(), statisticsQuery(v), partitionQuery(v)}
	for _, p := range parts {
		all = append(all, p.query)
	}
	return strings.Join(all, "\nUNION ALL\n")
}

const noText = `'{}'::text[]`

// extensionQuery lists an extension's types as its values.
const extensionQuery = `SELECT 'extension', 'pg_extension', x.oid, n.nspname::text, x.extname::text, '',
ARRAY(SELECT t.typname::text FROM pg_depend d JOIN pg_type t ON t.oid = d.objid
  WHERE d.classid = 'pg_type'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND d.deptype = 'e'
  AND t.typtype IN ('b', 'd', 'e', 'r') AND t.typnamespace = x.extnamespace AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid) ORDER BY 1),
format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', x.extname, n.nspname),
ARRAY(SELECT format('COMMENT ON EXTENSION %I IS %L', x.extname, d.description) FROM pg_description d WHERE d.classoid = 'pg_extension'::regclass AND d.objoid = x.oid
  AND d.description IS DISTINCT FROM (SELECT a.comment FROM pg_available_extensions() a WHERE a.name = x.extname))
FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace WHERE x.extname <> 'plpgsql'`

func collationQuery(v version) string {
	locale := v.since(17, "l.colllocale", v.since(15, "l.colliculocale", "CASE WHEN l.collprovider = 'i' THEN l.collcollate END"))
	return `SELECT 'collation', 'pg_collation', l.oid, n.nspname, l.collname, '', ` + noText + `,
format('CREATE COLLATION %I.%I (provider = %s, %s%s)', n.nspname, l.collname,
  CASE l.collprovider WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin' ELSE 'libc' END,
  CASE WHEN ` + locale + ` IS NOT NULL THEN format('locale = %L', ` + locale + `)
    ELSE format('lc_collate = %L, lc_ctype = %L', l.collcollate, l.collctype) END,
  CASE WHEN l.collisdeterministic THEN '' ELSE ', deterministic = false' END), ` + noText + `
FROM pg_collation l JOIN pg_namespace n ON n.oid = l.collnamespace WHERE` + ours("pg_collation", "l.oid")
}

func enumQuery() string {
	return `SELECT 'type', 'pg_type', t.oid, n.nspname, t.typname, '', e.labels::text[],
format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname, (SELECT string_agg(quote_literal(v), ', ' ORDER BY o) FROM unnest(e.labels) WITH ORDINALITY x(v, o))), ` + noText + `
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
CROSS JOIN LATERAL (SELECT ARRAY(SELECT enumlabel FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder) AS labels) e
WHERE t.typtype = 'e' AND` + ours("pg_type", "t.oid")
}

func domainQuery() string {
	return `SELECT 'type', 'pg_type', t.oid, n.nspname, t.typname, '', ARRAY[format_type(t.typbasetype, t.typtypmod),
CASE WHEN t.typnotnull THEN 'not null' ELSE '' END, coalesce(pg_get_expr(t.typdefaultbin, 0), '')] || ARRAY(SELECT x FROM pg_constraint k
  CROSS JOIN LATERAL unnest(ARRAY[k.conname::text, pg_get_expr(k.conbin, 0)]) WITH ORDINALITY u(x, o)
  WHERE k.contypid = t.oid AND k.contype = 'c' AND k.convalidated ORDER BY k.conname, o),
format('CREATE DOMAIN %I.%I AS %s', n.nspname, t.typname, format_type(t.typbasetype, t.typtypmod)) ||
coalesce((SELECT format(' COLLATE %I.%I', ln.nspname, l.collname) FROM pg_collation l JOIN pg_namespace ln ON ln.oid = l.collnamespace
  JOIN pg_type b ON b.oid = t.typbasetype WHERE l.oid = t.typcollation AND l.oid <> b.typcollation), '') ||
coalesce(' DEFAULT ' || pg_get_expr(t.typdefaultbin, 0), '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END ||
coalesce((SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.conname)
  FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c' AND k.convalidated), ''),
ARRAY(SELECT format('ALTER DOMAIN %I.%I ADD CONSTRAINT %I %s', n.nspname, t.typname, k.conname, pg_get_constraintdef(k.oid))
  FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c' AND NOT k.convalidated ORDER BY k.conname)
|| ARRAY(SELECT format('COMMENT ON CONSTRAINT %I ON DOMAIN %I.%I IS %L', k.conname, n.nspname, t.typname, d.description) FROM pg_constraint k
  JOIN pg_description d ON d.classoid = 'pg_constraint'::regclass AND d.objoid = k.oid WHERE k.contypid = t.oid ORDER BY k.conname)
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND` + ours("pg_type", "t.oid")
}

func compositeQuery() string {
	return `SELECT 'type', 'pg_type', t.oid, n.nspname, t.typname, '', ` + noText + `,
format('CREATE TYPE %I.%I AS (%s)', n.nspname, t.typname, (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)) ||
  coalesce((SELECT format(' COLLATE %I.%I', ln.nspname, l.collname) FROM pg_collation l JOIN pg_namespace ln ON ln.oid = l.collnamespace
    JOIN pg_type b ON b.oid = a.atttypid WHERE l.oid = a.attcollation AND l.oid <> b.typcollation), ''), ', ' ORDER BY a.attnum)
  FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)),
ARRAY(SELECT format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, t.typname, a.attname, d.description) FROM pg_description d
  JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid WHERE d.classoid = 'pg_class'::regclass AND d.objoid = t.typrelid ORDER BY a.attnum)
FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c' JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.typtype = 'c' AND` + ours("pg_type", "t.oid")
}

// rangeQuery reads ranges, and types in C, whose statements nothing gives.
func rangeQuery(v version) string {
	return `SELECT 'type', 'pg_type', t.oid, n.nspname, t.typname, '', ` + noText + `,
coalesce((SELECT format('CREATE TYPE %I.%I AS RANGE (subtype = %s%s%s)', n.nspname, t.typname, format_type(r.rngsubtype, NULL),
  coalesce((SELECT format(', subtype_opclass = %I.%I', onn.nspname, o.opcname) FROM pg_opclass o JOIN pg_namespace onn ON onn.oid = o.opcnamespace
    WHERE o.oid = r.rngsubopc AND NOT o.opcdefault), ''),
  CASE WHEN r.rngsubdiff::oid <> 0 THEN format(', subtype_diff = %s', r.rngsubdiff) ELSE '' END ||
  coalesce((SELECT format(', collation = %I.%I', ln.nspname, l.collname) FROM pg_collation l JOIN pg_namespace ln ON ln.oid = l.collnamespace
    JOIN pg_type b ON b.oid = r.rngsubtype WHERE l.oid = r.rngcollation AND l.oid <> b.typcollation), '')` + v.since(14, `
  || coalesce((SELECT format(', multirange_type_name = %I.%I', n.nspname, x.typname) FROM pg_type x WHERE x.oid = r.rngmultitypid
    AND x.typname <> CASE WHEN t.typname LIKE '%range%' THEN regexp_replace(t.typname, 'range', 'multirange') ELSE t.typname || '_multirange' END), '')`, "") + `)
  FROM pg_range r WHERE r.rngtypid = t.oid AND r.rngcanonical::oid = 0), ''), ` + noText + `
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE (t.typtype = 'r' OR t.typtype = 'b' AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)) AND` + ours("pg_type", "t.oid")
}

// routineQuery reads functions and procedures, but not the constructors that a
// range brings.
func routineQuery() string {
	return `SELECT 'routine', 'pg_proc', p.oid, n.nspname, p.proname || '(' || oidvectortypes(p.proargtypes) || ')', '', ` + noText + `,
rtrim(pg_get_functiondef(p.oid), E'\n'), ` + noText + `
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.prokind <> 'a' AND NOT EXISTS (SELECT FROM pg_depend i WHERE i.classid = 'pg_proc'::regclass AND i.objid = p.oid AND i.deptype = 'i')
AND` + ours("pg_proc", "p.oid")
}

func triggerQuery(v version) string {
	return `SELECT 'trigger', 'pg_trigger', g.oid, n.nspname, g.tgname, c.relname, ` + noText + `, pg_get_triggerdef(g.oid),
CASE g.tgenabled WHEN 'O' THEN ` + noText + ` ELSE ARRAY[format('ALTER TABLE %I.%I %s TRIGGER %I', n.nspname, c.relname,
  CASE g.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, g.tgname)] END
FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE NOT g.tgisinternal ` + v.since(13, "AND g.tgparentid = 0", "") + ` AND` + ours("pg_class", "c.oid")
}

func ruleQuery() string {
	return `SELECT 'rule', 'pg_rewrite', r.oid, n.nspname, r.rulename, c.relname, ` + noText + `, rtrim(pg_get_ruledef(r.oid), ';'),
CASE r.ev_enabled WHEN 'O' THEN ` + noText + ` ELSE ARRAY[format('ALTER TABLE %I.%I %s RULE %I', n.nspname, c.relname,
  CASE r.ev_enabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, r.rulename)] END
FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE r.rulename <> '_RETURN' AND` + ours("pg_class", "c.oid")
}

func policyQuery() string {
	return `SELECT 'policy', 'pg_policy', y.oid, n.nspname, y.polname, c.relname, ` + noText + `,
format('CREATE POLICY %I ON %I.%I', y.polname, n.nspname, c.relname) || CASE WHEN y.polpermissive THEN '' ELSE ' AS RESTRICTIVE' END ||
CASE y.polcmd WHEN 'r' THEN ' FOR SELECT' WHEN 'a' THEN ' FOR INSERT' WHEN 'w' THEN ' FOR UPDATE' WHEN 'd' THEN ' FOR DELETE' ELSE '' END ||
coalesce((SELECT ' TO ' || string_agg(CASE WHEN o.oid = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(o.oid)) END, ', ' ORDER BY pg_get_userbyid(o.oid))
  FROM unnest(y.polroles) o(oid) WHERE y.polroles <> '{0}'), '') ||
coalesce(' USING (' || pg_get_expr(y.polqual, y.polrelid) || ')', '') || coalesce(' WITH CHECK (' || pg_get_expr(y.polwithcheck, y.polrelid) || ')', ''),
` + noText + `
FROM pg_policy y JOIN pg_class c ON c.oid = y.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE` + ours("pg_class", "c.oid")
}

func statisticsQuery(v version) string {
	return `SELECT 'statistics', 'pg_statistic_ext', x.oid, n.nspname, x.stxname, c.relname, ` + noText + `, pg_get_statisticsobjdef(x.oid),
` + v.since(13, `CASE WHEN x.stxstattarget >= 0 THEN ARRAY[format('ALTER STATISTICS %I.%I SET STATISTICS %s', n.nspname, x.stxname, x.stxstattarget)] ELSE '{}' END`, noText) + `
FROM pg_statistic_ext x JOIN pg_class c ON c.oid = x.stxrelid JOIN pg_namespace n ON n.oid = x.stxnamespace
WHERE` + ours("pg_statistic_ext", "x.oid")
}

// partitionQuery reads partitions: what they take from their table, as values
// what the server makes otherwise and, as extras, what they have of their own.
func partitionQuery(v version) string {
	return `SELECT 'partition', 'pg_class', c.oid, n.nspname, c.relname, p.relname, ` + madeOtherwise + `,
format('CREATE %sTABLE %I.%I PARTITION OF %I.%I %s', CASE WHEN c.relkind = 'f' THEN 'FOREIGN ' WHEN c.relpersistence = 'u' THEN 'UNLOGGED ' ELSE '' END,
  n.nspname, c.relname, pn.nspname, p.relname, pg_get_expr(c.relpartbound, c.oid)) ||
CASE WHEN c.relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) ELSE '' END ||
coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') || coalesce(' TABLESPACE ' || quote_ident(s.spcname), '') ||
(SELECT coalesce(max(concat_ws(' ', format(' SERVER %I', v.srvname), ` + foreignOptions("f.ftoptions") + `)), '') FROM pg_foreign_table f JOIN pg_foreign_server v ON v.oid = f.ftserver WHERE f.ftrelid = c.oid),
ARRAY(SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) FROM pg_constraint k
  WHERE k.conrelid = c.oid AND k.contype IN ('c', 'f', 'p', 'u', 'x') AND k.coninhcount = 0 AND k.conparentid = 0 ORDER BY k.conname)
|| ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = c.oid
  AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = c.oid) ORDER BY x.relname)
|| ` + ownOfPartition() + `
|| ` + settingsOf("true", v) + `
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits h ON h.inhrelid = c.oid
JOIN pg_class p ON p.oid = h.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
WHERE c.relispartition AND c.relkind IN ('r', 'p', 'f') AND` + ours("pg_class", "c.oid")
}

// useQuery reads what views, routines, types and the other objects depend on.
// The dependent is identified by its catalogue and oid, what it uses by a
// relation and column, or by an object. What the operators and functions of an
// operator class use is its own. Types are joined to their arrays, for
// pg_type has no index on typarray: asked row by row it is read as often as
// there are rows. Most of pg_depend is of columns' defaults and constraints:
// what it says of them is left out where it is read, before the joins.
const useQuery = `SELECT DISTINCT * FROM (
SELECT CASE WHEN r.rulename = '_RETURN' THEN 'pg_class' WHEN d.classid = 'pg_class'::regclass OR k.contypid <> 0 THEN 'pg_type'
  WHEN i.objid IS NOT NULL THEN i.refclassid::regclass::text ELSE d.classid::regclass::text END,
CASE WHEN r.rulename = '_RETURN' THEN r.ev_class WHEN k.contypid <> 0 THEN k.contypid WHEN d.classid = 'pg_class'::regclass THEN c.reltype
  WHEN i.objid IS NOT NULL THEN i.refobjid ELSE d.objid END,
CASE WHEN f.oid IS NOT NULL OR u.conrelid <> 0 OR e.typrelid <> 0 THEN 'pg_class' ELSE d.refclassid::regclass::text END,
CASE WHEN f.oid IS NOT NULL THEN f.oid WHEN u.conrelid <> 0 THEN u.conrelid WHEN e.typrelid <> 0 THEN e.typrelid WHEN e.oid IS NOT NULL THEN e.oid ELSE d.refobjid END,
CASE WHEN f.oid IS NOT NULL THEN d.refobjsubid ELSE 0 END
FROM pg_depend d
LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
LEFT JOIN pg_class c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind = 'c'
LEFT JOIN pg_depend i ON d.classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass) AND i.classid = d.classid AND i.objid = d.objid
  AND i.refclassid IN ('pg_opclass'::regclass, 'pg_opfamily'::regclass)
LEFT JOIN pg_class f ON d.refclassid = 'pg_class'::regclass AND f.oid = d.refobjid
LEFT JOIN pg_constraint u ON d.refclassid = 'pg_constraint'::regclass AND u.oid = d.refobjid
LEFT JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
LEFT JOIN pg_type a ON a.typarray = t.oid
LEFT JOIN pg_type e ON e.oid = coalesce(a.oid, t.oid)
WHERE d.objid >= 16384 AND d.refobjid >= 16384 AND d.deptype IN ('n', 'a')
AND d.classid = ANY ('{pg_rewrite, pg_proc, pg_type, pg_trigger, pg_policy, pg_statistic_ext, pg_operator, pg_amop, pg_amproc, pg_opclass,
  pg_opfamily, pg_cast, pg_conversion, pg_transform, pg_language, pg_am, pg_ts_parser, pg_ts_template, pg_ts_dict, pg_ts_config,
  pg_foreign_data_wrapper, pg_foreign_server, pg_event_trigger, pg_constraint, pg_class}'::regclass[])
AND (d.classid <> ALL ('{pg_constraint, pg_class}'::regclass[]) OR k.contypid <> 0 OR c.oid IS NOT NULL)
AND d.refclassid = ANY ('{pg_class, pg_type, pg_proc, pg_constraint, pg_operator, pg_opclass, pg_opfamily, pg_collation, pg_conversion, pg_language,
  pg_am, pg_ts_parser, pg_ts_template, pg_ts_dict, pg_ts_config, pg_foreign_data_wrapper, pg_foreign_server}'::regclass[])) x`
