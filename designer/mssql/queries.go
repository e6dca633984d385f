package mssql

// The queries of [Inspect]: each brings one kind of thing for the whole
// database, keyed by object_id. What SQL Server itself or its tools have put
// into the database is left out.
const (
	// ownTables are the tables of the user: not SQL Server's, not those that
	// Management Studio keeps its diagrams in, and not the history that a
	// temporal table brings with it.
	ownTables = `sys.tables t WHERE t.is_ms_shipped = 0 AND t.temporal_type <> 1 AND NOT EXISTS
  (SELECT 1 FROM sys.extended_properties p WHERE p.class = 1 AND p.major_id = t.object_id
   AND p.minor_id = 0 AND p.name = N'microsoft_database_tools_support')`

	// collationQuery asks for what a column has that names none: the
	// database's, on a server that follows SQL Server in part its own.
	collationQuery = `SELECT COALESCE(MAX(tp.collation_name), N'') FROM sys.types tp WHERE tp.name = N'nvarchar'`

	schemaQuery = `SELECT name FROM sys.schemas
WHERE name NOT IN (N'sys', N'INFORMATION_SCHEMA', N'guest', N'db_owner', N'db_accessadmin', N'db_securityadmin',
  N'db_ddladmin', N'db_backupoperator', N'db_datareader', N'db_datawriter', N'db_denydatareader', N'db_denydatawriter')
ORDER BY name`

	tableQuery = `SELECT t.object_id, SCHEMA_NAME(t.schema_id), t.name, t.temporal_type,
  COALESCE(QUOTENAME(OBJECT_SCHEMA_NAME(t.history_table_id)) + N'.' + QUOTENAME(OBJECT_NAME(t.history_table_id)), N''),
  t.is_memory_optimized, t.is_filetable, t.is_external
FROM ` + ownTables + ` ORDER BY SCHEMA_NAME(t.schema_id), t.name`

	// objectQuery names what a query may fail for.
	objectQuery = `SELECT o.object_id, COALESCE(SCHEMA_NAME(o.schema_id), N''), o.name, RTRIM(o.type) FROM sys.objects o
WHERE o.is_ms_shipped = 0 OR o.type = 'TT'`

	columnQuery = `SELECT c.object_id, c.column_id, c.name, tp.name, SCHEMA_NAME(tp.schema_id), tp.is_user_defined,
  c.max_length, c.precision, c.scale, COALESCE(c.collation_name, N''), c.is_nullable, c.is_identity, c.is_computed,
  c.is_sparse, c.is_rowguidcol, c.is_hidden, c.generated_always_type, c.is_column_set, c.is_masked,
  COALESCE(d.name, N''), COALESCE(d.is_system_named, 0), COALESCE(d.definition, N''),
  COALESCE(cc.definition, N''), COALESCE(cc.is_persisted, 0),
  COALESCE(QUOTENAME(SCHEMA_NAME(x.schema_id)) + N'.' + QUOTENAME(x.name), N'')
FROM sys.columns c
JOIN sys.types tp ON tp.user_type_id = c.user_type_id
LEFT JOIN sys.default_constraints d ON d.parent_object_id = c.object_id AND d.parent_column_id = c.column_id
LEFT JOIN sys.computed_columns cc ON cc.object_id = c.object_id AND cc.column_id = c.column_id
LEFT JOIN sys.xml_schema_collections x ON x.xml_collection_id = c.xml_collection_id AND c.xml_collection_id <> 0
WHERE (c.object_id IN (SELECT t.object_id FROM ` + ownTables + `)
  OR c.object_id IN (SELECT tt.type_table_object_id FROM sys.table_types tt WHERE tt.is_user_defined = 1))
ORDER BY c.object_id, c.column_id`

	// identityQuery brings numbers as text: those of a decimal(38) are beyond
	// any integer. "" is what the server does not tell.
	identityQuery = `SELECT i.object_id, i.column_id, COALESCE(CONVERT(nvarchar(40), i.seed_value), N''),
  COALESCE(CONVERT(nvarchar(40), i.increment_value), N''), COALESCE(i.is_not_for_replication, 0)
FROM sys.identity_columns i`

	// maskQuery is asked only where a column is masked.
	maskQuery = `SELECT c.object_id, c.column_id, c.masking_function FROM sys.masked_columns c WHERE c.is_masked = 1`

	indexQuery = `SELECT x.object_id, x.index_id, COALESCE(x.name, N''), x.type, x.is_unique, x.is_primary_key,
  x.is_unique_constraint, COALESCE(k.is_system_named, 0), COALESCE(x.filter_definition, N''), x.fill_factor, x.is_padded,
  x.ignore_dup_key, x.is_disabled, COALESCE(p.data_compression, 0)
FROM sys.indexes x
LEFT JOIN sys.key_constraints k ON k.parent_object_id = x.object_id AND k.unique_index_id = x.index_id
LEFT JOIN sys.partitions p ON p.object_id = x.object_id AND p.index_id = x.index_id AND p.partition_number = 1
WHERE x.is_hypothetical = 0 AND (x.object_id IN (SELECT t.object_id FROM ` + ownTables + `)
  OR x.object_id IN (SELECT tt.type_table_object_id FROM sys.table_types tt WHERE tt.is_user_defined = 1)
  OR x.object_id IN (SELECT v.object_id FROM sys.views v WHERE v.is_ms_shipped = 0))
ORDER BY x.object_id, x.index_id`

	indexColumnQuery = `SELECT k.object_id, k.index_id, COALESCE(COL_NAME(k.object_id, k.column_id), N''), k.is_descending_key,
  k.is_included_column
FROM sys.index_columns k
WHERE k.key_ordinal > 0 OR k.is_included_column = 1 OR k.partition_ordinal = 0
ORDER BY k.object_id, k.index_id, k.is_included_column, k.key_ordinal, k.index_column_id`

	xmlIndexQuery = `SELECT x.object_id, x.index_id, COALESCE(p.name, N''), COALESCE(x.secondary_type_desc, N'')
FROM sys.xml_indexes x
LEFT JOIN sys.xml_indexes p ON p.object_id = x.object_id AND p.index_id = x.using_xml_index_id`

	foreignKeyQuery = `SELECT f.object_id, f.parent_object_id, f.name, f.is_system_named,
  OBJECT_SCHEMA_NAME(f.referenced_object_id), OBJECT_NAME(f.referenced_object_id),
  f.delete_referential_action, f.update_referential_action, f.is_disabled, f.is_not_trusted, f.is_not_for_replication
FROM sys.foreign_keys f WHERE f.is_ms_shipped = 0 ORDER BY f.parent_object_id, f.name`

	foreignKeyColumnQuery = `SELECT k.constraint_object_id, COL_NAME(k.parent_object_id, k.parent_column_id),
  COL_NAME(k.referenced_object_id, k.referenced_column_id)
FROM sys.foreign_key_columns k ORDER BY k.constraint_object_id, k.constraint_column_id`

	checkQuery = `SELECT k.parent_object_id, k.name, k.is_system_named, k.definition, k.is_disabled, k.is_not_trusted,
  k.is_not_for_replication
FROM sys.check_constraints k WHERE k.is_ms_shipped = 0 ORDER BY k.parent_object_id, k.name`

	commentQuery = `SELECT p.major_id, p.minor_id, CONVERT(nvarchar(4000), p.value)
FROM sys.extended_properties p WHERE p.class = 1 AND p.name = N'MS_Description' AND p.value IS NOT NULL`

	moduleQuery = `SELECT o.object_id, SCHEMA_NAME(o.schema_id), o.name, RTRIM(o.type), COALESCE(o.parent_object_id, 0),
  COALESCE(OBJECT_NAME(o.parent_object_id), N''), COALESCE(m.definition, N''), COALESCE(m.uses_quoted_identifier, 1),
  COALESCE(m.uses_ansi_nulls, 1), COALESCE(t.is_disabled, 0)
FROM sys.objects o
LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
LEFT JOIN sys.triggers t ON t.object_id = o.object_id
WHERE o.is_ms_shipped = 0 AND o.type IN ('V', 'P', 'PC', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF', 'TR', 'TA')
  AND NOT EXISTS (SELECT 1 FROM sys.extended_properties p WHERE p.class = 1 AND p.major_id = o.object_id
    AND p.minor_id = 0 AND p.name = N'microsoft_database_tools_support')
ORDER BY SCHEMA_NAME(o.schema_id), o.name`

	// featureQuery asks which of the newer parts of the catalogue are there:
	// views, and columns of sys.tables and sys.columns as "table.column".
	featureQuery = `SELECT o.name FROM sys.all_objects o WHERE o.schema_id = SCHEMA_ID(N'sys') AND o.name IN
  (N'sql_expression_dependencies', N'trigger_events', N'data_spaces')
UNION ALL SELECT TOP (1) N'xml collections' FROM sys.xml_schema_collections x WHERE x.xml_collection_id > 1
UNION ALL SELECT o.name + N'.' + c.name FROM sys.all_columns c JOIN sys.all_objects o ON o.object_id = c.object_id
WHERE o.schema_id = SCHEMA_ID(N'sys') AND (o.name = N'tables' AND c.name IN (N'is_node', N'is_edge', N'ledger_type', N'history_retention_period')
  OR o.name = N'columns' AND c.name = N'encryption_type')`

	// placeQuery asks for what lies elsewhere than on the default filegroup. Of a
	// table without a clustered index that is its heap, index 0.
	placeQuery = `SELECT x.object_id, x.index_id, QUOTENAME(s.name)
FROM sys.indexes x JOIN sys.data_spaces s ON s.data_space_id = x.data_space_id
WHERE s.type = 'PS' OR s.type = 'FG' AND s.is_default = 0`

	// triggerOrderQuery brings the triggers that fire first or last, by what
	// they fire for.
	triggerOrderQuery = `SELECT e.object_id, e.type_desc, e.is_first FROM sys.trigger_events e
WHERE e.is_first = 1 OR e.is_last = 1 ORDER BY e.object_id, e.type_desc`

	encryptedQuery = `SELECT c.object_id, c.column_id, c.encryption_type FROM sys.columns c WHERE c.encryption_type IS NOT NULL`

	// xmlSchemaQuery brings the collections that columns of type xml(…) need:
	// "View a Stored XML Schema Collection". 1 is the server's own. Comments and
	// annotations of the schemas are not kept by the server.
	xmlSchemaQuery = `SELECT SCHEMA_NAME(x.schema_id), x.name,
  COALESCE(CONVERT(nvarchar(max), XML_SCHEMA_NAMESPACE(SCHEMA_NAME(x.schema_id), x.name)), N'')
FROM sys.xml_schema_collections x WHERE x.xml_collection_id > 1 ORDER BY SCHEMA_NAME(x.schema_id), x.name`

	// dependencyQuery brings what views and functions use. Of what is not there
	// only its name is known.
	dependencyQuery = `SELECT DISTINCT d.referencing_id, COALESCE(OBJECT_SCHEMA_NAME(d.referenced_id), d.referenced_schema_name, N'dbo'),
  COALESCE(OBJECT_NAME(d.referenced_id), d.referenced_entity_name)
FROM sys.sql_expression_dependencies d JOIN sys.objects o ON o.object_id = d.referencing_id
WHERE o.is_ms_shipped = 0 AND o.type IN ('V', 'IF') AND d.referenced_class = 1 AND d.referenced_id IS NOT NULL
  OR o.is_ms_shipped = 0 AND o.type IN ('V', 'IF') AND d.referenced_class = 1 AND d.referenced_id IS NULL
    AND d.referenced_server_name IS NULL AND d.referenced_database_name IS NULL`

	databaseTriggerQuery = `SELECT t.object_id, t.name, COALESCE(m.definition, N''), COALESCE(m.uses_quoted_identifier, 1),
  COALESCE(m.uses_ansi_nulls, 1), t.is_disabled
FROM sys.triggers t LEFT JOIN sys.sql_modules m ON m.object_id = t.object_id
WHERE t.parent_class = 0 AND t.is_ms_shipped = 0 ORDER BY t.name`

	sequenceQuery = `SELECT SCHEMA_NAME(s.schema_id), s.name, tp.name, SCHEMA_NAME(tp.schema_id), tp.is_user_defined,
  s.precision, CONVERT(nvarchar(40), s.start_value), CONVERT(nvarchar(40), s.increment),
  CONVERT(nvarchar(40), s.minimum_value), CONVERT(nvarchar(40), s.maximum_value), s.is_cycling, s.is_cached,
  COALESCE(s.cache_size, 0)
FROM sys.sequences s JOIN sys.types tp ON tp.user_type_id = s.user_type_id ORDER BY SCHEMA_NAME(s.schema_id), s.name`

	typeQuery = `SELECT SCHEMA_NAME(tp.schema_id), tp.name, COALESCE(b.name, N''), tp.max_length, tp.precision, tp.scale,
  tp.is_nullable, COALESCE(tt.type_table_object_id, 0), tp.is_assembly_type
FROM sys.types tp
LEFT JOIN sys.types b ON b.user_type_id = tp.system_type_id
LEFT JOIN sys.table_types tt ON tt.user_type_id = tp.user_type_id
WHERE tp.is_user_defined = 1 ORDER BY SCHEMA_NAME(tp.schema_id), tp.name`

	synonymQuery = `SELECT SCHEMA_NAME(s.schema_id), s.name, s.base_object_name FROM sys.synonyms s
WHERE s.is_ms_shipped = 0 ORDER BY SCHEMA_NAME(s.schema_id), s.name`
)

// kindQuery asks what kind of table each is, as far as the server knows such
// kinds: features has the columns of sys.tables that it has.
func kindQuery(features map[string]bool) string {
	column := func(name, otherwise string) string {
		if features["tables."+name] {
			return "COALESCE(t." + name + ", " + otherwise + ")"
		}
		return otherwise
	}
	retention := "N''"
	if features["tables.history_retention_period"] { // -1: for ever
		retention = "CASE WHEN t.history_retention_period > 0 THEN CONVERT(nvarchar(20), t.history_retention_period) + N' ' + t.history_retention_period_unit_desc ELSE N'' END"
	}
	return "SELECT t.object_id, CONVERT(int, " + column("is_node", "0") + "), CONVERT(int, " + column("is_edge", "0") + "), CONVERT(int, " +
		column("ledger_type", "0") + "), COALESCE(" + retention + ", N'') FROM " + ownTables
}

// knowsKinds reports whether kindQuery has anything to ask.
func (c *catalog) knowsKinds() bool {
	for _, name := range []string{"is_node", "is_edge", "ledger_type", "history_retention_period"} {
		if c.features["tables."+name] {
			return true
		}
	}
	return false
}
