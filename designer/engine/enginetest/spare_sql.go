package enginetest

// countQuery writes the query that [sparePool.fingerprint] asks: how many rows each
// catalogue has of the database, and which transactions wrote them. Left out
// are statistics, which the server itself keeps, and the schemas of temporary
// tables, which stay once a session had one.
const countQuery = `SELECT format('SELECT string_agg(c || '':'' || n || '':'' || coalesce(x, 0), '' '' ORDER BY c) ||
(SELECT (datdba, datacl, datconnlimit, datallowconn, datistemplate)::text FROM pg_catalog.pg_database WHERE datname = current_database()) FROM (%s) AS t',
string_agg(format('SELECT %L AS c, count(*) AS n, sum(xmin::text::bigint) AS x FROM pg_catalog.%I%s', relname, relname, CASE relname
	WHEN 'pg_namespace' THEN ' WHERE nspname !~ ''^pg_(toast_)?temp_'''
	WHEN 'pg_shdepend' THEN ' WHERE dbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())'
	WHEN 'pg_db_role_setting' THEN ' WHERE setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())'
	WHEN 'pg_shdescription' THEN ' WHERE classoid = ''pg_database''::regclass AND objoid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())'
	ELSE '' END), ' UNION ALL '))
FROM pg_catalog.pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r'
AND (NOT relisshared AND relname NOT IN ('pg_statistic', 'pg_statistic_ext_data') OR relname IN ('pg_shdepend', 'pg_db_role_setting', 'pg_shdescription'))`

// emptyScript ends what else is connected and drops what a database has that
// template0 has not. It need not know everything: what it leaves is found by
// [sparePool.fingerprint].
const emptyScript = `DO $$
DECLARE r record;
BEGIN
	SET LOCAL client_min_messages = error;
	PERFORM pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
	FOR r IN SELECT format('DROP EVENT TRIGGER %I', evtname) AS statement FROM pg_event_trigger LOOP
		EXECUTE r.statement;
	END LOOP;
	FOR r IN SELECT format('DROP EXTENSION IF EXISTS %I CASCADE', extname) AS statement FROM pg_extension WHERE extname <> 'plpgsql'
		UNION ALL SELECT format('DROP PUBLICATION %I', pubname) FROM pg_publication
		UNION ALL SELECT format('DROP FOREIGN DATA WRAPPER IF EXISTS %I CASCADE', fdwname) FROM pg_foreign_data_wrapper
		UNION ALL SELECT format('DROP SCHEMA IF EXISTS %I CASCADE', nspname) FROM pg_namespace
			WHERE nspname NOT IN ('public', 'information_schema') AND nspname !~ '^pg_'
	LOOP
		EXECUTE r.statement;
	END LOOP;
	FOR r IN SELECT o.type, o.identity, d.classid, d.objid FROM pg_depend d, pg_identify_object(d.classid, d.objid, 0) o
		WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'public'::regnamespace AND d.deptype = 'n'
	LOOP
		IF EXISTS (SELECT FROM pg_depend WHERE classid = r.classid AND objid = r.objid) THEN
			EXECUTE format('DROP %s %s CASCADE', r.type, r.identity);
		END IF;
	END LOOP;
END $$`
