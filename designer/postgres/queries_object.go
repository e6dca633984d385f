package postgres

import "strings"

// The queries of what the catalogue has in parts: each puts a statement
// together of them, as pg_dump does. They belong to [objectQuery], whose
// columns they have. What may hold a secret is read by name only.

// part is one of them. It has rows only where the condition there holds, which
// costs the server far less than to plan the query.
type part struct{ there, query string }

// everyPart lists them.
func everyPart(v version) []part {
	of := func(catalogue, oid, query string) part {
		return part{`EXISTS (SELECT FROM ` + catalogue + ` WHERE ` + oid + ` >= 16384)`, query}
	}
	return []part{of("pg_aggregate", "aggfnoid::oid", aggregateQuery()), of("pg_operator", "oid", operatorQuery()),
		of("pg_opfamily", "oid", operatorFamilyQuery()), of("pg_opclass", "oid", operatorClassQuery()), of("pg_cast", "oid", castQuery()),
		of("pg_conversion", "oid", conversionQuery()), of("pg_transform", "oid", transformQuery()), of("pg_language", "oid", languageQuery()),
		of("pg_am", "oid", accessMethodQuery()), of("pg_ts_parser", "oid", searchParserQuery()), of("pg_ts_template", "oid", searchTemplateQuery()),
		of("pg_ts_dict", "oid", searchDictionaryQuery()), of("pg_ts_config", "oid", searchConfigurationQuery()),
		of("pg_foreign_data_wrapper", "oid", wrapperQuery()), of("pg_foreign_server", "oid", serverQuery()),
		of("pg_foreign_data_wrapper", "oid", secretQuery), // what has options or users belongs to one
		of("pg_publication", "oid", publicationQuery(v)), of("pg_subscription", "oid", subscriptionQuery), of("pg_event_trigger", "oid", eventTriggerQuery()),
		{"true", schemaCommentQuery()}}
}

// own is what [ours] is, for an object of no schema. What comes with another
// object, as the cast of a range does, is left out too.
func own(catalogue, oid string) string {
	return ` ` + oid + ` >= 16384 AND NOT EXISTS (SELECT FROM pg_depend e
WHERE e.classid = '` + catalogue + `'::regclass AND e.objid = ` + oid + ` AND e.deptype IN ('e', 'i'))`
}

// clauses writes one of SQL for each pair of what it is called and a function,
// which is left out where there is none.
func clauses(pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, `CASE WHEN `+pairs[i+1]+`::oid <> 0 THEN '`+pairs[i]+` ' || `+pairs[i+1]+`::regproc END`)
	}
	return strings.Join(list, ", ")
}

func aggregateQuery() string {
	modify := func(word, column string) string {
		return `CASE WHEN a.` + column + ` <> CASE a.aggkind WHEN 'n' THEN 'r' ELSE 'w' END THEN '` + word + ` = ' ||
    CASE a.` + column + ` WHEN 'r' THEN 'READ_ONLY' WHEN 's' THEN 'SHAREABLE' ELSE 'READ_WRITE' END END`
	}
	return `SELECT 'routine', 'pg_proc', p.oid, n.nspname, p.proname || '(' || oidvectortypes(p.proargtypes) || ')', '', ` + noText + `,
format('CREATE AGGREGATE %I.%I(%s) (%s)', n.nspname, p.proname, CASE p.pronargs WHEN 0 THEN '*' ELSE pg_get_function_arguments(p.oid) END,
  concat_ws(', ', ` + clauses("SFUNC =", "a.aggtransfn") + `, 'STYPE = ' || format_type(a.aggtranstype, NULL), 'SSPACE = ' || nullif(a.aggtransspace, 0),
  ` + clauses("FINALFUNC =", "a.aggfinalfn") + `, CASE WHEN a.aggfinalextra THEN 'FINALFUNC_EXTRA' END, ` + modify("FINALFUNC_MODIFY", "aggfinalmodify") + `,
  ` + clauses("COMBINEFUNC =", "a.aggcombinefn", "SERIALFUNC =", "a.aggserialfn", "DESERIALFUNC =", "a.aggdeserialfn") + `,
  'INITCOND = ' || quote_literal(a.agginitval), ` + clauses("MSFUNC =", "a.aggmtransfn", "MINVFUNC =", "a.aggminvtransfn") + `,
  'MSTYPE = ' || format_type(nullif(a.aggmtranstype, 0), NULL), 'MSSPACE = ' || nullif(a.aggmtransspace, 0), ` + clauses("MFINALFUNC =", "a.aggmfinalfn") + `,
  CASE WHEN a.aggmfinalextra THEN 'MFINALFUNC_EXTRA' END, ` + modify("MFINALFUNC_MODIFY", "aggmfinalmodify") + `, 'MINITCOND = ' || quote_literal(a.aggminitval),
  (SELECT format('SORTOP = OPERATOR(%I.%s)', m.nspname, o.oprname) FROM pg_operator o JOIN pg_namespace m ON m.oid = o.oprnamespace WHERE o.oid = a.aggsortop),
  CASE p.proparallel WHEN 's' THEN 'PARALLEL = SAFE' WHEN 'r' THEN 'PARALLEL = RESTRICTED' END, CASE a.aggkind WHEN 'h' THEN 'HYPOTHETICAL' END)), ` + noText + `
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_aggregate a ON a.aggfnoid = p.oid
WHERE p.prokind = 'a' AND p.oid >= 16384 AND` + ours("pg_proc", "p.oid")
}

// operatorQuery leaves out operators that are only named, as the commutator of
// another.
func operatorQuery() string {
	const other = `(SELECT format('%s = OPERATOR(%I.%s)', $word, m.nspname, x.oprname) FROM pg_operator x JOIN pg_namespace m ON m.oid = x.oprnamespace WHERE x.oid = o.$of)`
	related := func(word, of string) string {
		return strings.NewReplacer("$word", "'"+word+"'", "$of", of).Replace(other)
	}
	return `SELECT 'operator', 'pg_operator', o.oid, n.nspname, format('%s(%s, %s)', o.oprname,
  coalesce(format_type(nullif(o.oprleft, 0), NULL), 'NONE'), coalesce(format_type(nullif(o.oprright, 0), NULL), 'NONE')), '', ` + noText + `,
format('CREATE OPERATOR %I.%s (%s)', n.nspname, o.oprname, concat_ws(', ', ` + clauses("FUNCTION =", "o.oprcode") + `,
  'LEFTARG = ' || format_type(nullif(o.oprleft, 0), NULL), 'RIGHTARG = ' || format_type(nullif(o.oprright, 0), NULL),
  ` + related("COMMUTATOR", "oprcom") + `, ` + related("NEGATOR", "oprnegate") + `, ` + clauses("RESTRICT =", "o.oprrest", "JOIN =", "o.oprjoin") + `,
  CASE WHEN o.oprcanhash THEN 'HASHES' END, CASE WHEN o.oprcanmerge THEN 'MERGES' END)), ` + noText + `
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
WHERE o.oprcode::oid <> 0 AND o.oid >= 16384 AND` + ours("pg_operator", "o.oid")
}

// members lists the operators and functions of an operator class or family,
// one after another; NULL where it has none.
func members(catalogue, oid string) string {
	from := func(table string) string {
		return ` FROM pg_depend d JOIN ` + table + ` m ON m.oid = d.objid WHERE d.classid = '` + table + `'::regclass
      AND d.refclassid = '` + catalogue + `'::regclass AND d.refobjid = ` + oid
	}
	return `(SELECT string_agg(x.text, ', ' ORDER BY x.kind, x.number, x.text) FROM (
    SELECT 1, m.amopstrategy, format('OPERATOR %s %s', m.amopstrategy, m.amopopr::regoperator) || coalesce((SELECT format(' FOR ORDER BY %I.%I', sn.nspname, s.opfname)
      FROM pg_opfamily s JOIN pg_namespace sn ON sn.oid = s.opfnamespace WHERE s.oid = m.amopsortfamily), '')` + from("pg_amop") + `
    UNION ALL SELECT 2, m.amprocnum, format('FUNCTION %s (%s, %s) %s', m.amprocnum, format_type(m.amproclefttype, NULL), format_type(m.amprocrighttype, NULL),
      m.amproc::oid::regprocedure)` + from("pg_amproc") + `) x(kind, number, text))`
}

// operatorFamilyQuery gives the method as the value of a family, and as extras
// what belongs to none of its classes.
func operatorFamilyQuery() string {
	return `SELECT 'operator family', 'pg_opfamily', f.oid, n.nspname, f.opfname, '', ARRAY[m.amname::text],
format('CREATE OPERATOR FAMILY %I.%I USING %I', n.nspname, f.opfname, m.amname),
array_remove(ARRAY[format('ALTER OPERATOR FAMILY %I.%I USING %I ADD ', n.nspname, f.opfname, m.amname) || ` + members("pg_opfamily", "f.oid") + `], NULL)
FROM pg_opfamily f JOIN pg_namespace n ON n.oid = f.opfnamespace JOIN pg_am m ON m.oid = f.opfmethod
WHERE f.oid >= 16384 AND` + ours("pg_opfamily", "f.oid")
}

func operatorClassQuery() string {
	return `SELECT 'operator class', 'pg_opclass', o.oid, n.nspname, o.opcname, '', ARRAY[m.amname::text],
format('CREATE OPERATOR CLASS %I.%I%s FOR TYPE %s USING %I FAMILY %I.%I AS %s', n.nspname, o.opcname, CASE WHEN o.opcdefault THEN ' DEFAULT' ELSE '' END,
  format_type(o.opcintype, NULL), m.amname, fn.nspname, f.opfname,
  coalesce(nullif(concat_ws(', ', 'STORAGE ' || format_type(nullif(o.opckeytype, 0), NULL), ` + members("pg_opclass", "o.oid") + `), ''), 'STORAGE ' || format_type(o.opcintype, NULL))),
` + noText + `
FROM pg_opclass o JOIN pg_namespace n ON n.oid = o.opcnamespace JOIN pg_am m ON m.oid = o.opcmethod
JOIN pg_opfamily f ON f.oid = o.opcfamily JOIN pg_namespace fn ON fn.oid = f.opfnamespace
WHERE o.oid >= 16384 AND` + ours("pg_opclass", "o.oid")
}

func castQuery() string {
	return `SELECT 'cast', 'pg_cast', k.oid, '', format_type(k.castsource, NULL) || ' AS ' || format_type(k.casttarget, NULL), '', ` + noText + `,
format('CREATE CAST (%s AS %s) %s%s', format_type(k.castsource, NULL), format_type(k.casttarget, NULL),
  CASE k.castmethod WHEN 'f' THEN 'WITH FUNCTION ' || k.castfunc::regprocedure WHEN 'i' THEN 'WITH INOUT' ELSE 'WITHOUT FUNCTION' END,
  CASE k.castcontext WHEN 'a' THEN ' AS ASSIGNMENT' WHEN 'i' THEN ' AS IMPLICIT' ELSE '' END), ` + noText + `
FROM pg_cast k WHERE` + own("pg_cast", "k.oid")
}

func conversionQuery() string {
	return `SELECT 'conversion', 'pg_conversion', k.oid, n.nspname, k.conname, '', ` + noText + `,
format('CREATE%s CONVERSION %I.%I FOR %L TO %L FROM %s', CASE WHEN k.condefault THEN ' DEFAULT' ELSE '' END, n.nspname, k.conname,
  pg_encoding_to_char(k.conforencoding), pg_encoding_to_char(k.contoencoding), k.conproc), ` + noText + `
FROM pg_conversion k JOIN pg_namespace n ON n.oid = k.connamespace WHERE k.oid >= 16384 AND` + ours("pg_conversion", "k.oid")
}

func transformQuery() string {
	return `SELECT 'transform', 'pg_transform', k.oid, '', format('FOR %s LANGUAGE %I', format_type(k.trftype, NULL), l.lanname), '', ` + noText + `,
format('CREATE TRANSFORM FOR %s LANGUAGE %I (%s)', format_type(k.trftype, NULL), l.lanname, concat_ws(', ',
  CASE WHEN k.trffromsql::oid <> 0 THEN 'FROM SQL WITH FUNCTION ' || k.trffromsql::oid::regprocedure END,
  CASE WHEN k.trftosql::oid <> 0 THEN 'TO SQL WITH FUNCTION ' || k.trftosql::oid::regprocedure END)), ` + noText + `
FROM pg_transform k JOIN pg_language l ON l.oid = k.trflang WHERE` + own("pg_transform", "k.oid")
}

func languageQuery() string {
	return `SELECT 'language', 'pg_language', l.oid, '', l.lanname, '', ` + noText + `,
concat_ws(' ', format('CREATE%s LANGUAGE %I', CASE WHEN l.lanpltrusted THEN ' TRUSTED' ELSE '' END, l.lanname),
  ` + clauses("HANDLER", "l.lanplcallfoid", "INLINE", "l.laninline", "VALIDATOR", "l.lanvalidator") + `), ` + noText + `
FROM pg_language l WHERE l.lanispl AND` + own("pg_language", "l.oid")
}

func accessMethodQuery() string {
	return `SELECT 'access method', 'pg_am', m.oid, '', m.amname, '', ` + noText + `,
format('CREATE ACCESS METHOD %I TYPE %s HANDLER %s', m.amname, CASE m.amtype WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, m.amhandler), ` + noText + `
FROM pg_am m WHERE` + own("pg_am", "m.oid")
}

func searchParserQuery() string {
	return `SELECT 'text search parser', 'pg_ts_parser', s.oid, n.nspname, s.prsname, '', ` + noText + `,
format('CREATE TEXT SEARCH PARSER %I.%I (%s)', n.nspname, s.prsname, concat_ws(', ', ` + clauses("START =", "s.prsstart", "GETTOKEN =", "s.prstoken",
		"END =", "s.prsend", "HEADLINE =", "s.prsheadline", "LEXTYPES =", "s.prslextype") + `)), ` + noText + `
FROM pg_ts_parser s JOIN pg_namespace n ON n.oid = s.prsnamespace WHERE s.oid >= 16384 AND` + ours("pg_ts_parser", "s.oid")
}

func searchTemplateQuery() string {
	return `SELECT 'text search template', 'pg_ts_template', s.oid, n.nspname, s.tmplname, '', ` + noText + `,
format('CREATE TEXT SEARCH TEMPLATE %I.%I (%s)', n.nspname, s.tmplname, concat_ws(', ', ` + clauses("INIT =", "s.tmplinit", "LEXIZE =", "s.tmpllexize") + `)), ` + noText + `
FROM pg_ts_template s JOIN pg_namespace n ON n.oid = s.tmplnamespace WHERE s.oid >= 16384 AND` + ours("pg_ts_template", "s.oid")
}

// searchDictionaryQuery has the options of a dictionary from the catalogue,
// where they are SQL text.
func searchDictionaryQuery() string {
	return `SELECT 'text search dictionary', 'pg_ts_dict', s.oid, n.nspname, s.dictname, '', ` + noText + `,
format('CREATE TEXT SEARCH DICTIONARY %I.%I (%s)', n.nspname, s.dictname, concat_ws(', ', format('TEMPLATE = %I.%I', tn.nspname, t.tmplname), s.dictinitoption)), ` + noText + `
FROM pg_ts_dict s JOIN pg_namespace n ON n.oid = s.dictnamespace JOIN pg_ts_template t ON t.oid = s.dicttemplate JOIN pg_namespace tn ON tn.oid = t.tmplnamespace
WHERE s.oid >= 16384 AND` + ours("pg_ts_dict", "s.oid")
}

// searchConfigurationQuery gives as extras which dictionaries each kind of
// word goes through.
func searchConfigurationQuery() string {
	return `SELECT 'text search configuration', 'pg_ts_config', s.oid, n.nspname, s.cfgname, '', ` + noText + `,
format('CREATE TEXT SEARCH CONFIGURATION %I.%I (PARSER = %I.%I)', n.nspname, s.cfgname, pn.nspname, p.prsname),
ARRAY(SELECT format('ALTER TEXT SEARCH CONFIGURATION %I.%I ADD MAPPING FOR %I WITH %s', n.nspname, s.cfgname, k.alias,
    string_agg(format('%I.%I', dn.nspname, d.dictname), ', ' ORDER BY m.mapseqno))
  FROM pg_ts_config_map m JOIN ts_token_type(s.cfgparser) k ON k.tokid = m.maptokentype
  JOIN pg_ts_dict d ON d.oid = m.mapdict JOIN pg_namespace dn ON dn.oid = d.dictnamespace WHERE m.mapcfg = s.oid GROUP BY k.tokid, k.alias ORDER BY k.tokid)
FROM pg_ts_config s JOIN pg_namespace n ON n.oid = s.cfgnamespace JOIN pg_ts_parser p ON p.oid = s.cfgparser JOIN pg_namespace pn ON pn.oid = p.prsnamespace
WHERE s.oid >= 16384 AND` + ours("pg_ts_config", "s.oid")
}

// isSecret is a condition on the name of an option that people keep secrets
// in.
const isSecret = ` ~* '(pass|pwd|secret|token|credential|api_?key|access_?key|private_?key)'`

// foreignOptions writes the OPTIONS of something foreign, without secrets;
// NULL where it has none.
func foreignOptions(list string) string {
	return `(SELECT format('OPTIONS (%s)', string_agg(format('%I %L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', '))
  FROM unnest(` + list + `) o WHERE NOT split_part(o, '=', 1)` + isSecret + ` HAVING count(*) > 0)`
}

func wrapperQuery() string {
	return `SELECT 'foreign data wrapper', 'pg_foreign_data_wrapper', w.oid, '', w.fdwname, '', ` + noText + `,
concat_ws(' ', format('CREATE FOREIGN DATA WRAPPER %I', w.fdwname), ` + clauses("HANDLER", "w.fdwhandler", "VALIDATOR", "w.fdwvalidator") + `, ` + foreignOptions("w.fdwoptions") + `), ` + noText + `
FROM pg_foreign_data_wrapper w WHERE` + own("pg_foreign_data_wrapper", "w.oid")
}

func serverQuery() string {
	return `SELECT 'server', 'pg_foreign_server', s.oid, '', s.srvname, '', ` + noText + `,
concat_ws(' ', format('CREATE SERVER %I', s.srvname), 'TYPE ' || quote_literal(s.srvtype), 'VERSION ' || quote_literal(s.srvversion),
  format('FOREIGN DATA WRAPPER %I', w.fdwname), ` + foreignOptions("s.srvoptions") + `), ` + noText + `
FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw WHERE` + own("pg_foreign_server", "s.oid")
}

// secretQuery names what may hold a password: options of something foreign,
// and who is who on a server.
const secretQuery = `SELECT 'option', 'pg_foreign_server', s.oid, '', format('%s of the %s %s', split_part(o, '=', 1), s.kind, s.name), '', ` + noText + `, '', ` + noText + `
FROM (SELECT oid, 'server', srvname::text, srvoptions FROM pg_foreign_server
  UNION ALL SELECT oid, 'foreign data wrapper', fdwname::text, fdwoptions FROM pg_foreign_data_wrapper
  UNION ALL SELECT f.ftrelid, 'foreign table', c.relname::text, f.ftoptions FROM pg_foreign_table f JOIN pg_class c ON c.oid = f.ftrelid) s(oid, kind, name, options)
CROSS JOIN LATERAL unnest(s.options) o WHERE split_part(o, '=', 1)` + isSecret + `
UNION ALL SELECT 'user mapping', 'pg_user_mapping', u.umid, '', format('of %s on %s', u.usename, u.srvname), '', ` + noText + `, '', ` + noText + ` FROM pg_user_mappings u`

// publicationQuery names the tables by what they are called now.
func publicationQuery(v version) string {
	columns := v.since(15, ` || coalesce((SELECT format(' (%s)', string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)) FROM pg_attribute a
    WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs) HAVING count(*) > 0), '') || coalesce(' WHERE ' || pg_get_expr(r.prqual, r.prrelid), '')`, "")
	schemas := v.since(15, `(SELECT 'TABLES IN SCHEMA ' || string_agg(quote_ident(n.nspname), ', ' ORDER BY n.nspname) FROM pg_publication_namespace k
    JOIN pg_namespace n ON n.oid = k.pnnspid WHERE k.pnpubid = p.oid)`, "NULL")
	root := v.since(13, `CASE WHEN p.pubviaroot THEN 'publish_via_partition_root = true' END`, "NULL")
	generated := v.since(18, `CASE p.pubgencols WHEN 's' THEN 'publish_generated_columns = stored' END`, "NULL")
	return `SELECT 'publication', 'pg_publication', p.oid, '', p.pubname, '', ` + noText + `,
concat_ws(' ', format('CREATE PUBLICATION %I', p.pubname), CASE WHEN p.puballtables THEN 'FOR ALL TABLES' ELSE 'FOR ' || nullif(concat_ws(', ',
  (SELECT string_agg(format('TABLE ONLY %I.%I', n.nspname, c.relname)` + columns + `, ', ' ORDER BY n.nspname, c.relname)
    FROM pg_publication_rel r JOIN pg_class c ON c.oid = r.prrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE r.prpubid = p.oid), ` + schemas + `), '') END,
  format('WITH (%s)', concat_ws(', ', format('publish = %L', concat_ws(', ', CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,
    CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END)), ` + root + `, ` + generated + `))), ` + noText + `
FROM pg_publication p WHERE` + own("pg_publication", "p.oid")
}

// subscriptionQuery reads no more than names: where a subscription connects
// to may hold a password.
const subscriptionQuery = `SELECT 'subscription', 'pg_subscription', s.oid, '', s.subname, '', ` + noText + `, '', ` + noText + `
FROM pg_subscription s JOIN pg_database b ON b.oid = s.subdbid WHERE b.datname = current_database()`

func eventTriggerQuery() string {
	return `SELECT 'event trigger', 'pg_event_trigger', g.oid, '', g.evtname, '', ` + noText + `,
concat_ws(' ', format('CREATE EVENT TRIGGER %I ON %I', g.evtname, g.evtevent),
  (SELECT format('WHEN TAG IN (%s)', string_agg(quote_literal(x), ', ')) FROM unnest(g.evttags) x HAVING count(*) > 0), format('EXECUTE FUNCTION %s()', g.evtfoid::regproc)),
CASE g.evtenabled WHEN 'O' THEN ` + noText + ` ELSE ARRAY[format('ALTER EVENT TRIGGER %I %s', g.evtname,
  CASE g.evtenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END)] END
FROM pg_event_trigger g WHERE` + own("pg_event_trigger", "g.oid")
}

// schemaCommentQuery reads what schemas are for, but not what the server says
// of its own.
func schemaCommentQuery() string {
	return `SELECT 'comment', 'pg_namespace', n.oid, '', format('SCHEMA %I', n.nspname), '', ` + noText + `,
format('COMMENT ON SCHEMA %I IS %L', n.nspname, d.description), ` + noText + `
FROM pg_namespace n JOIN pg_description d ON d.classoid = 'pg_namespace'::regclass AND d.objoid = n.oid
WHERE d.description <> CASE n.nspname WHEN 'public' THEN 'standard public schema' ELSE '' END AND` + ours("pg_namespace", "n.oid")
}

// settingsOf lists what the columns and indexes of a relation c of the schema n
// have beside what makes them, if a condition holds.
func settingsOf(condition string, v version) string {
	compression := v.since(14, `CASE a.attcompression WHEN 'p' THEN 'SET COMPRESSION pglz' WHEN 'l' THEN 'SET COMPRESSION lz4' END`, "NULL")
	return `ARRAY(SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I %s', n.nspname, c.relname, a.attname, k.clause)
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid CROSS JOIN LATERAL (VALUES
    (1, CASE WHEN a.attstattarget >= 0 THEN 'SET STATISTICS ' || a.attstattarget END), (2, 'SET (' || nullif(` + parametersOf("a.attoptions") + `, '') || ')'),
    (3, CASE WHEN a.attstorage <> t.typstorage THEN 'SET STORAGE ' || CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END END),
    (4, ` + compression + `)) k(n, clause)
  WHERE ` + condition + ` AND a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND k.clause IS NOT NULL ORDER BY a.attnum, k.n)
|| ARRAY(SELECT format('ALTER INDEX %I.%I ALTER COLUMN %s SET STATISTICS %s', n.nspname, x.relname, a.attnum, a.attstattarget)
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_attribute a ON a.attrelid = x.oid
  WHERE ` + condition + ` AND i.indrelid = c.oid AND a.attstattarget >= 0 ORDER BY x.relname, a.attnum)
|| ARRAY(SELECT format('ALTER TABLE %I.%I CLUSTER ON %I', n.nspname, c.relname, x.relname) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  WHERE ` + condition + ` AND i.indrelid = c.oid AND i.indisclustered)`
}

// ownOfPartition lists what a partition c of the table p has beside keys and
// indexes that its table has not, or otherwise.
func ownOfPartition() string {
	return `ARRAY(SELECT format('ALTER TABLE ONLY %I.%I ALTER COLUMN %I %s', n.nspname, c.relname, a.attname, k.clause)
  FROM pg_attribute a JOIN pg_attribute b ON b.attrelid = p.oid AND b.attname = a.attname
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_attrdef e ON e.adrelid = p.oid AND e.adnum = b.attnum
  CROSS JOIN LATERAL (SELECT pg_get_expr(d.adbin, c.oid), pg_get_expr(e.adbin, p.oid)) x(own, inherited)
  CROSS JOIN LATERAL (VALUES (1, CASE WHEN x.own IS DISTINCT FROM x.inherited THEN coalesce('SET DEFAULT ' || x.own, 'DROP DEFAULT') END),
    (2, CASE WHEN a.attnotnull AND NOT b.attnotnull THEN 'SET NOT NULL' END)) k(n, clause)
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = '' AND k.clause IS NOT NULL ORDER BY a.attnum, k.n)
|| array_remove(ARRAY[CASE WHEN c.relrowsecurity THEN format('ALTER TABLE %I.%I ENABLE ROW LEVEL SECURITY', n.nspname, c.relname) END,
  CASE WHEN c.relforcerowsecurity THEN format('ALTER TABLE ONLY %I.%I FORCE ROW LEVEL SECURITY', n.nspname, c.relname) END,
  CASE WHEN c.relreplident IN ('f', 'n') THEN format('ALTER TABLE ONLY %I.%I REPLICA IDENTITY %s', n.nspname, c.relname, CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END) END], NULL)
|| ARRAY(SELECT format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, a.attname, d.description) FROM pg_description d
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid > 0 ORDER BY a.attnum)
|| ARRAY(SELECT format('COMMENT ON CONSTRAINT %I ON %I.%I IS %L', k.conname, n.nspname, c.relname, d.description) FROM pg_constraint k
  JOIN pg_description d ON d.classoid = 'pg_constraint'::regclass AND d.objoid = k.oid WHERE k.conrelid = c.oid ORDER BY k.conname)
|| ARRAY(SELECT format('COMMENT ON INDEX %I.%I IS %L', n.nspname, x.relname, d.description) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = x.oid WHERE i.indrelid = c.oid ORDER BY x.relname)`
}

// madeOtherwise lists what of a partition c of the table p gets another name or
// order when it is made of its table: indexes that somebody named, and columns.
const madeOtherwise = `ARRAY(SELECT 'index ' || x.relname FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_inherits k ON k.inhrelid = x.oid
  WHERE i.indrelid = c.oid AND NOT starts_with(x.relname::text, left(c.relname::text, 20)) ORDER BY x.relname)
|| CASE WHEN (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
  <> (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = p.oid AND a.attnum > 0 AND NOT a.attisdropped)
  THEN ARRAY['the order of its columns'] ELSE '{}' END`

// foreignTableQuery reads foreign tables that are no partitions, as viewQuery
// does views.
func foreignTableQuery() string {
	return `SELECT c.oid, format('CREATE FOREIGN TABLE %I.%I (%s)%s SERVER %I', n.nspname, c.relname, concat_ws(', ',
  (SELECT string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), ` + foreignOptions("a.attfdwoptions") + `,
    (SELECT format('COLLATE %I.%I', ln.nspname, l.collname) FROM pg_collation l JOIN pg_namespace ln ON ln.oid = l.collnamespace WHERE l.oid = a.attcollation AND l.oid <> t.typcollation),
    CASE a.attgenerated WHEN '' THEN 'DEFAULT ' || pg_get_expr(d.adbin, c.oid) ELSE format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, c.oid)) END,
    CASE WHEN a.attnotnull THEN 'NOT NULL' END), ', ' ORDER BY a.attnum)
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attislocal),
  (SELECT string_agg(format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), ', ' ORDER BY k.conname) FROM pg_constraint k
    WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conislocal AND k.convalidated)),
  (SELECT coalesce(format(' INHERITS (%s)', string_agg(format('%I.%I', pn.nspname, p.relname), ', ' ORDER BY h.inhseqno)), '') FROM pg_inherits h
    JOIN pg_class p ON p.oid = h.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace WHERE h.inhrelid = c.oid HAVING count(*) > 0), v.srvname) ||
coalesce(' ' || ` + foreignOptions("f.ftoptions") + `, ''),
ARRAY(SELECT format('ALTER FOREIGN TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) FROM pg_constraint k
  WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conislocal AND NOT k.convalidated ORDER BY k.conname)
|| ARRAY(SELECT CASE d.objsubid WHEN 0 THEN format('COMMENT ON FOREIGN TABLE %I.%I IS %L', n.nspname, c.relname, d.description)
    ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, a.attname, d.description) END
  FROM pg_description d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
  WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid ORDER BY d.objsubid), n.nspname, c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_foreign_table f ON f.ftrelid = c.oid JOIN pg_foreign_server v ON v.oid = f.ftserver
WHERE NOT c.relispartition AND` + ours("pg_class", "c.oid")
}

// allRightsQuery reads owner and rights of every object that a script makes.
func allRightsQuery() string {
	const none = "NULL::aclitem[]"
	of := func(catalogue, from, alias, owner, acl, kind, alter, grant, where string) string {
		return rightsOf(catalogue, from, alias+".oid", alias+"."+owner, acl, kind, alter+", "+grant, where, "true")
	}
	in := func(catalogue, alias, schema string) string {
		return catalogue + " " + alias + " JOIN pg_namespace n ON n.oid = " + alias + "." + schema
	}
	// the names of rightsOf are not to be had again
	const nowhere = " CROSS JOIN (SELECT ''::name AS nspname, 0::oid AS oid) n"
	const member = "NOT EXISTS (SELECT FROM pg_depend i WHERE i.classid = $c::regclass AND i.objid = $o AND i.deptype = 'i')"
	free := func(catalogue, oid string) string {
		return strings.NewReplacer("$c", "'"+catalogue+"'", "$o", oid).Replace(member)
	}
	const relation = "format('%I.%I', n.nspname, c.relname)"
	const sequence = "'SEQUENCE ' || " + relation
	const routine = "format('ROUTINE %I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes))"
	const owned = "EXISTS (SELECT FROM pg_depend q WHERE q.classid = 'pg_class'::regclass AND q.objid = c.oid AND q.deptype IN ('a', 'i') AND q.refobjsubid > 0)"
	list := []string{
		of("pg_namespace", "pg_namespace n", "n", "nspowner", "n.nspacl", "n", "format('SCHEMA %I', n.nspname)", "format('SCHEMA %I', n.nspname)", "true"),
		of("pg_class", in("pg_class", "c", "relnamespace"), "c", "relowner", "c.relacl", "r", "CASE c.relkind WHEN 'v' THEN 'VIEW ' WHEN 'm' THEN 'MATERIALIZED VIEW ' WHEN 'f' THEN 'FOREIGN TABLE ' ELSE 'TABLE ' END || "+relation,
			"'TABLE ' || "+relation, "c.relkind IN ('r', 'p', 'v', 'm', 'f')"),
		of("pg_class", in("pg_class", "c", "relnamespace"), "c", "relowner", "c.relacl", "s", "CASE WHEN "+owned+" THEN '' ELSE "+sequence+" END", sequence, "c.relkind = 'S'"),
		of("pg_proc", in("pg_proc", "p", "pronamespace"), "p", "proowner", "p.proacl", "f", routine, routine, free("pg_proc", "p.oid")),
		of("pg_type", in("pg_type", "t", "typnamespace"), "t", "typowner", "t.typacl", "T", "format('TYPE %I.%I', n.nspname, t.typname)", "format('TYPE %I.%I', n.nspname, t.typname)",
			"(t.typtype IN ('d', 'e', 'r') OR t.typtype = 'c' AND EXISTS (SELECT FROM pg_class k WHERE k.oid = t.typrelid AND k.relkind = 'c'))"),
		of("pg_operator", in("pg_operator", "own", "oprnamespace"), "own", "oprowner", none, "f", "format('OPERATOR %I.%s (%s, %s)', n.nspname, own.oprname, coalesce(format_type(nullif(own.oprleft, 0), NULL), 'NONE'), coalesce(format_type(nullif(own.oprright, 0), NULL), 'NONE'))", "''", "own.oid >= 16384"),
		of("pg_language", "pg_language lang"+nowhere, "lang", "lanowner", "lang.lanacl", "l", "format('LANGUAGE %I', lang.lanname)", "format('LANGUAGE %I', lang.lanname)", "lang.oid >= 16384 AND lang.lanispl"),
		of("pg_foreign_data_wrapper", "pg_foreign_data_wrapper w"+nowhere, "w", "fdwowner", "w.fdwacl", "F", "format('FOREIGN DATA WRAPPER %I', w.fdwname)", "format('FOREIGN DATA WRAPPER %I', w.fdwname)", "true"),
		of("pg_foreign_server", "pg_foreign_server s"+nowhere, "s", "srvowner", "s.srvacl", "S", "format('SERVER %I', s.srvname)", "format('FOREIGN SERVER %I', s.srvname)", "true"),
		of("pg_publication", "pg_publication p"+nowhere, "p", "pubowner", none, "f", "format('PUBLICATION %I', p.pubname)", "''", "true"),
		of("pg_event_trigger", "pg_event_trigger ev"+nowhere, "ev", "evtowner", none, "f", "format('EVENT TRIGGER %I', ev.evtname)", "''", "true"),
	}
	for _, o := range [][4]string{{"pg_collation", "coll", "COLLATION", ""}, {"pg_conversion", "con", "CONVERSION", ""}, {"pg_ts_dict", "dict", "TEXT SEARCH DICTIONARY", ""},
		{"pg_ts_config", "cfg", "TEXT SEARCH CONFIGURATION", ""}, {"pg_statistic_ext", "stx", "STATISTICS", ""},
		{"pg_opclass", "opc", "OPERATOR CLASS", "method"}, {"pg_opfamily", "opf", "OPERATOR FAMILY", "method"}} {
		name := "format('" + o[2] + " %I.%I', n.nspname, obj." + o[1] + "name)"
		if o[3] != "" {
			name += " || (SELECT ' USING ' || quote_ident(m.amname) FROM pg_am m WHERE m.oid = obj." + o[1] + o[3] + ")"
		}
		list = append(list, of(o[0], in(o[0], "obj", o[1]+"namespace"), "obj", o[1]+"owner", none, "f", name, "''", "obj.oid >= 16384"))
	}
	return "WITH me AS (SELECT oid FROM pg_roles WHERE rolname = current_user)\n" + strings.Join(list, "\nUNION ALL\n")
}
