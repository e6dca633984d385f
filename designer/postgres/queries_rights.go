package postgres

import "strings"

// rightsQuery reads who owns views and routines and who may use them, one row
// for each that would not have the same owner and rights if the connection's
// role made it now. It has the object, how ALTER and GRANT name it, and
// [rights] as JSON.
func rightsQuery() string {
	return "WITH me AS (SELECT oid FROM pg_roles WHERE rolname = current_user)\n" +
		rightsOf("pg_class", "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace", "c.oid", "c.relowner", "c.relacl", "r",
			`CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END || format(' %I.%I', n.nspname, c.relname), format('%I.%I', n.nspname, c.relname)`,
			"c.relkind IN ('v', 'm')", "EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL)") +
		"\nUNION ALL\n" +
		rightsOf("pg_proc", "pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace", "p.oid", "p.proowner", "p.proacl", "f",
			`format('ROUTINE %I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)), format('ROUTINE %I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes))`,
			"true", "false")
}

// rightsOf writes the part of the query for one catalogue; kind is what
// acldefault and pg_default_acl call its objects, and where also holds an
// object is read whatever its owner and rights are.
func rightsOf(catalogue, from, oid, owner, acl, kind, names, where, also string) string {
	columns := "NULL"
	if catalogue == "pg_class" {
		columns = `(SELECT json_agg(` + rightAsJSON("quote_ident(a.attname)") + ` ORDER BY a.attnum, o.rolname, g.rolname, x.privilege_type)
    FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) x` + rolesOfRight + ` WHERE a.attrelid = c.oid)`
	}
	return strings.NewReplacer("$catalogue", catalogue, "$from", from, "$oid", oid, "$owner", owner, "$acl", acl, "$kind", kind,
		"$names", names, "$where", where, "$also", also, "$columns", columns, "$right", rightAsJSON("''"), "$roles", rolesOfRight,
		"$ours", ours(catalogue, oid)).Replace(`SELECT '$catalogue', $oid, $names, json_build_object(
  'owner', pg_get_userbyid($owner), 'maker', current_user, 'asOwner', NOT pg_has_role(current_user, $owner, 'USAGE'),
  'usual', (SELECT json_agg($right) FROM aclexplode(acldefault('$kind', $owner)) x$roles),
  'rights', (SELECT json_agg($right ORDER BY o.rolname, g.rolname, x.privilege_type) FROM aclexplode(coalesce($acl, acldefault('$kind', $owner))) x$roles),
  'columns', $columns, 'defaults', d.defaclrole IS NOT NULL,
  'given', (SELECT json_agg(DISTINCT coalesce(r.rolname, '')) FROM pg_default_acl b CROSS JOIN LATERAL aclexplode(b.defaclacl) x
    LEFT JOIN pg_roles r ON r.oid = x.grantee WHERE b.defaclrole = d.defaclrole AND b.defaclobjtype = '$kind' AND b.defaclnamespace IN (0, n.oid)),
  'labels', (SELECT json_agg(json_build_array(l.provider, l.label) ORDER BY l.provider) FROM pg_seclabel l
    WHERE l.classoid = '$catalogue'::regclass AND l.objoid = $oid AND l.objsubid = 0),
  'extensions', (SELECT json_agg(e.extname ORDER BY e.extname) FROM pg_depend k JOIN pg_extension e ON e.oid = k.refobjid
    WHERE k.classid = '$catalogue'::regclass AND k.objid = $oid AND k.refclassid = 'pg_extension'::regclass AND k.deptype = 'x'))::text
FROM $from CROSS JOIN me LEFT JOIN LATERAL (SELECT b.defaclrole FROM pg_default_acl b
  WHERE b.defaclrole = me.oid AND b.defaclobjtype = '$kind' AND b.defaclnamespace IN (0, n.oid) LIMIT 1) d ON true
WHERE $where AND ($owner <> me.oid OR $also OR $acl IS NOT NULL OR d.defaclrole IS NOT NULL
  OR EXISTS (SELECT FROM pg_depend k WHERE k.classid = '$catalogue'::regclass AND k.objid = $oid AND k.deptype = 'x')
  OR EXISTS (SELECT FROM pg_seclabel l WHERE l.classoid = '$catalogue'::regclass AND l.objoid = $oid))
AND $ours`)
}

// columnRightsQuery reads who may use the single columns that a plan may make
// again, which are computed: their tables' numbers and names, their own name
// and [rights] as JSON.
func columnRightsQuery() string {
	return `SELECT c.oid, n.nspname, c.relname, a.attname, json_build_object('owner', w.rolname, 'maker', w.rolname,
  'asOwner', NOT pg_has_role(current_user, c.relowner, 'USAGE'), 'rights', (SELECT json_agg(` + rightAsJSON("''") + `)
    FROM aclexplode(c.relacl) x` + rolesOfRight + `), 'columns', (SELECT json_agg(` + rightAsJSON("quote_ident(a.attname)") + ` ORDER BY o.rolname, g.rolname, x.privilege_type)
    FROM aclexplode(a.attacl) x` + rolesOfRight + `))::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles w ON w.oid = c.relowner
WHERE a.attgenerated <> '' AND a.attacl IS NOT NULL AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND` + ours("pg_class", "c.oid")
}

// rolesOfRight joins the roles of a right x: o gave it, g has it. Everybody
// is no role.
const rolesOfRight = ` LEFT JOIN pg_roles o ON o.oid = x.grantor LEFT JOIN pg_roles g ON g.oid = x.grantee`

func rightAsJSON(column string) string {
	return `json_build_object('grantor', o.rolname, 'grantee', coalesce(g.rolname, ''), 'privilege', x.privilege_type, 'grantable', x.is_grantable, 'column', ` + column + `)`
}
