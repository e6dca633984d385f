package postgres

import "strings"

// The queries. Every one covers the whole database. What belongs to the
// server or to an extension is left out: objects from 16384 on are not the
// server's own, and [ours] tells the rest. What hangs on a relation that
// relationQuery does not list is dropped where the rows are put together.

// ours is a condition on a schema n and the object that is told by its
// catalogue and oid.
func ours(catalogue, oid string) string {
	return ` n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS (SELECT FROM pg_depend e
WHERE e.classid = '` + catalogue + `'::regclass AND e.objid = ` + oid + ` AND e.deptype = 'e')`
}

// settings make the server spell values the same way for every reader, and
// spare it what takes longer than the queries.
const settingsQuery = `SELECT current_setting('server_version_num')::int, set_config('search_path', '', true),
set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'postgres', true), set_config('TimeZone', 'UTC', true),
set_config('extra_float_digits', '1', true), set_config('bytea_output', 'hex', true), set_config('lc_monetary', 'C', true),
set_config('standard_conforming_strings', 'on', true), set_config('quote_all_identifiers', 'off', true),
set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`

func schemaQuery() string {
	return `SELECT n.nspname FROM pg_namespace n WHERE` + ours("pg_namespace", "n.oid") + ` ORDER BY 1`
}

// relationQuery reads tables, partitions, views, sequences and indexes' kin.
func relationQuery() string {
	return `SELECT c.oid, n.nspname, c.relname, c.relkind::text, c.relispartition, c.relpersistence = 'u',
coalesce(array_to_string(c.reloptions, ', '), ''), coalesce(s.spcname, ''), coalesce(m.amname, ''),
CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) ELSE '' END,
coalesce(pg_get_expr(c.relpartbound, c.oid), ''),
CASE WHEN c.relrowsecurity AND c.relforcerowsecurity THEN 'forced' WHEN c.relrowsecurity THEN 'enabled'
  WHEN c.relforcerowsecurity THEN 'owner' ELSE '' END,
CASE c.relreplident WHEN 'f' THEN 'full' WHEN 'n' THEN 'nothing' ELSE '' END,
coalesce((SELECT string_agg(i.inhparent::text, ',' ORDER BY i.inhseqno) FROM pg_inherits i WHERE i.inhrelid = c.oid), '')
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
LEFT JOIN pg_am m ON m.oid = c.relam AND m.amname <> 'heap'
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND` + ours("pg_class", "c.oid") + ` ORDER BY 2, 3`
}

// typeQuery reads the types that columns have. The name with its modifier
// left open is how a cast of a constant spells it. Of an array the name is
// that of its elements.
const typeQuery = `SELECT t.oid, coalesce(e.oid, 0), en.nspname, coalesce(e.typname, t.typname), t.typtype::text, format_type(t.oid, -1)
FROM pg_type t LEFT JOIN pg_type e ON e.typarray = t.oid
JOIN pg_namespace en ON en.oid = coalesce(e.typnamespace, t.typnamespace)
WHERE t.oid IN (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid >= 16384 AND a.attnum > 0)`

// columnQuery reads the columns of tables, in no order. The type's full
// text is asked for only where it has more than the usual numbers, and the
// table an expression belongs to is told only where it can name its columns:
// both take their time.
func columnQuery(v version) string {
	return strings.NewReplacer("$compression", v.since(14, "a.attcompression::text", "''")).Replace(
		`SELECT a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity::text, a.attgenerated::text,
coalesce(pg_get_expr(d.adbin, CASE a.attgenerated WHEN '' THEN 0 ELSE d.adrelid END), ''), a.attcollation, coalesce(l.collname, ''), coalesce(ln.nspname, ''),
CASE WHEN a.atttypmod >= 0 AND (a.atttypid >= 16384 OR t.typname = 'interval') THEN format_type(a.atttypid, a.atttypmod) ELSE '' END,
a.attinhcount > 0 AND NOT a.attislocal, CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text ELSE '' END,
$compression, coalesce(a.attstattarget, -1)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef
LEFT JOIN pg_collation l ON l.oid = a.attcollation AND a.attcollation <> t.typcollation
LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND c.oid >= 16384`)
}

// sequenceQuery reads sequences with the columns that own them.
func sequenceQuery() string {
	return `SELECT s.seqrelid, n.nspname, c.relname, format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement,
s.seqmin, s.seqmax, s.seqcache, s.seqcycle, coalesce(d.refobjid, 0), coalesce(d.refobjsubid, 0), c.relpersistence = 'u'
FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.objsubid = 0
  AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
WHERE` + ours("pg_class", "c.oid") + ` ORDER BY 2, 3`
}

// constraintQuery reads the constraints of tables but not what the server
// makes of them for partitions. What a foreign key refers to is named where
// it is not among the tables read.
func constraintQuery(v version) string {
	return strings.NewReplacer(
		"$setColumns", v.since(15, "coalesce(array_to_string(k.confdelsetcols, ','), '')", "''"),
		"$enforced", v.since(18, "k.conenforced", "true"),
	).Replace(`SELECT k.oid, k.conrelid, k.conname, k.contype::text, k.condeferrable, k.condeferred, k.convalidated, $enforced,
k.connoinherit, k.conindid, k.confrelid, k.confupdtype::text, k.confdeltype::text, k.confmatchtype::text, array_to_string(k.conkey, ','),
coalesce(array_to_string(k.confkey, ','), ''), $setColumns,
CASE WHEN k.contype = 'c' THEN pg_get_expr(k.conbin, k.conrelid) ELSE '' END,
coalesce((SELECT string_agg(CASE WHEN n.nspname = 'pg_catalog' THEN o.oprname ELSE quote_ident(n.nspname) || '.' || o.oprname END, ' ' ORDER BY x.n)
  FROM unnest(k.conexclop) WITH ORDINALITY x(op, n) JOIN pg_operator o ON o.oid = x.op JOIN pg_namespace n ON n.oid = o.oprnamespace), ''),
k.coninhcount > 0 AND NOT k.conislocal,
CASE WHEN f.relispartition OR x.objid IS NOT NULL THEN ARRAY[fn.nspname, f.relname]::text[] || ARRAY(SELECT a.attname::text
  FROM unnest(k.confkey) WITH ORDINALITY r(attnum, n) JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = r.attnum ORDER BY r.n) END
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
LEFT JOIN pg_depend x ON x.classid = 'pg_class'::regclass AND x.objid = f.oid AND x.deptype = 'e'
WHERE k.contype IN ('c', 'f', 'p', 'u', 'x') AND k.conparentid = 0 AND NOT c.relispartition AND c.oid >= 16384
ORDER BY k.conrelid, k.conname`)
}

// indexQuery reads the keys of indexes, one after another.
func indexQuery(v version) string {
	return strings.NewReplacer("$nulls", v.since(15, "i.indnullsnotdistinct", "false")).Replace(
		`SELECT i.indrelid, i.indexrelid, x.relname, i.indisunique, am.amname, coalesce(pg_get_expr(i.indpred, i.indrelid), ''),
coalesce(array_to_string(x.reloptions, ', '), ''), coalesce(s.spcname, ''), i.indisvalid, i.indisreplident, $nulls,
i.indnkeyatts, k.n, k.attnum, coalesce(i.indoption[k.n - 1], 0),
CASE WHEN k.attnum = 0 THEN pg_get_indexdef(i.indexrelid, k.n::int, false) ELSE '' END,
coalesce(CASE WHEN o.opcdefault AND a.attoptions IS NULL THEN NULL WHEN onn.nspname = 'pg_catalog' THEN o.opcname
  ELSE quote_ident(onn.nspname) || '.' || quote_ident(o.opcname) END, ''),
coalesce(array_to_string(a.attoptions, ', '), ''), coalesce(l.oid, 0), coalesce(l.collname, ''), coalesce(ln.nspname, '')
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam
JOIN pg_class c ON c.oid = i.indrelid
LEFT JOIN pg_tablespace s ON s.oid = x.reltablespace
CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, n)
LEFT JOIN pg_opclass o ON o.oid = i.indclass[k.n - 1] LEFT JOIN pg_namespace onn ON onn.oid = o.opcnamespace
LEFT JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = k.n AND a.attoptions IS NOT NULL
LEFT JOIN pg_collation l ON l.oid = i.indcollation[k.n - 1]
LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.oid >= 16384
ORDER BY i.indrelid, x.relname, k.n`)
}

// commentQuery reads every comment that is not the server's own.
const commentQuery = `SELECT classoid::regclass::text, objoid, objsubid, description FROM pg_description WHERE objoid >= 16384`
