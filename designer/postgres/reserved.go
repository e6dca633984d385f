package postgres

import "github.com/berth-dev/berth/designer/sqltext"

// reservedWords are the key words that cannot be a column's or table's name
// unquoted, of any version from 12 to 18 (pg_get_keywords, categories R and
// T).
const reservedWords = `all analyse analyze and any array as asc asymmetric authorization binary both case cast check
collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema
current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign
freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like
limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
references returning right select session_user similar some symmetric system_user table tablesample then to trailing
true union unique user using variadic verbose when where window with`

// typeWords are those that can be a column's name but not a function's or
// type's (category C); the server quotes them as well.
const typeWords = `between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping
inout int integer interval json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar
json_serialize json_table json_value least merge_action national nchar none normalize nullif numeric out overlay position
precision real row setof smallint substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement
xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`

// reserved is reservedWords as a set, quoted every word that has to be quoted
// as a name. Neither is ever modified.
var (
	reserved = sqltext.WordSet(reservedWords)
	quoted   = sqltext.WordSet(reservedWords + " " + typeWords)
)
