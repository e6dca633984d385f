package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// rights are who owns an object and who may use it, with what else only its
// owner says of it.
type rights struct {
	Owner   string `json:"owner"`
	Maker   string `json:"maker"`   // who reads, and would re-create the object
	AsOwner bool   `json:"asOwner"` // the maker has the owner's rights only by SET ROLE

	Usual   []right `json:"usual"` // of the owner and everybody where nobody granted or revoked any
	Rights  []right `json:"rights"`
	Columns []right `json:"columns"`

	Defaults bool     `json:"defaults"` // ALTER DEFAULT PRIVILEGES gives a new object of the maker other rights
	Given    []string `json:"given"`    // to these; "": to everybody

	Labels     [][2]string `json:"labels"` // provider and label
	Extensions []string    `json:"extensions"`
}

// right is one entry of an access list.
type right struct {
	Grantor   string `json:"grantor"`
	Grantee   string `json:"grantee"` // "": everybody
	Privilege string `json:"privilege"`
	Grantable bool   `json:"grantable"`
	Column    string `json:"column"` // quoted; "": the whole
}

// readRights notes the statements that give an object its owner and rights.
func (c *catalog) readRights(scan scanner) error {
	var key objectKey
	var alter, grant, text string
	if err := scan(&key.catalogue, &key.oid, &alter, &grant, &text); err != nil {
		return err
	}
	var r rights
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	c.grants[key] = r.statements(alter, grant)
	return nil
}

// readColumnRights notes the statements that give a column its rights. Those
// of its table, which stays, only say who may pass them on.
func (c *catalog) readColumnRights(scan scanner) error {
	o := designer.Object{Kind: designer.ObjectRights}
	var table oid
	var text string
	if err := scan(&table, &o.Schema, &o.Table, &o.Name, &text); err != nil {
		return err
	}
	var r rights
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	key := objectKey{"pg_attribute " + o.Name, table}
	c.objects = append(c.objects, object{key: key, Object: o})
	on := qualified(o.Schema, o.Table)
	c.grants[key] = r.granting(on, grants(r.Owner, r.Columns, r.Rights))
	return nil
}

// statements give an object that the maker has just made the owner and the
// rights of r, and nobody another right. alter and grant name it.
//
// The owner comes first: what the owner grants is then the owner's, and a
// right of the maker is not taken for that of an owner. Rights that the
// server gives what is new, by itself or by ALTER DEFAULT PRIVILEGES, are
// revoked from whoever did not have just these.
func (r rights) statements(alter, grant string) []string {
	var list []string
	for _, l := range r.Labels {
		list = append(list, "SECURITY LABEL FOR "+ident(l[0])+" ON "+alter+" IS "+literal(l[1]))
	}
	for _, name := range r.Extensions {
		list = append(list, "ALTER "+alter+" DEPENDS ON EXTENSION "+ident(name))
	}
	if r.Owner != r.Maker {
		list = append(list, "ALTER "+alter+" OWNER TO "+ident(r.Owner))
	}
	revoked, granted := r.differences()
	var first []string
	if len(revoked) > 0 {
		first = append(first, "REVOKE ALL ON "+grant+" FROM "+strings.Join(revoked, ", "))
	}
	return append(list, r.granting(grant, granted, first...)...)
}

// granting writes grants on an object behind what its owner says first, each
// in the name of its grantor.
func (r rights) granting(on string, granted []grant, first ...string) []string {
	owner := map[bool]string{true: r.Owner}[r.AsOwner]
	var list []string
	role, said := owner, first
	for _, g := range granted {
		as := g.grantor
		if as == r.Owner {
			as = owner
		}
		if as != role {
			list, said = append(list, acting(role, said)...), nil
			role = as
		}
		said = append(said, g.statement(on))
	}
	return append(list, acting(role, said)...)
}

// acting wraps statements so that a role makes them; "": the one that is.
func acting(role string, statements []string) []string {
	if role == "" || len(statements) == 0 {
		return statements
	}
	return append(append([]string{"SET LOCAL ROLE " + ident(role)}, statements...), "RESET ROLE")
}

// differences lists from whom everything is revoked, and what is granted then.
func (r rights) differences() (revoked []string, granted []grant) {
	holds := func(list []right, who string) []right {
		list = slices.DeleteFunc(slices.Clone(list), func(x right) bool { return x.Grantee != who })
		slices.SortFunc(list, func(a, b right) int { return cmp.Compare(a.Privilege, b.Privilege) })
		return list
	}
	suspects := slices.Clone(r.Given)
	for _, x := range r.Usual {
		suspects = append(suspects, x.Grantee)
	}
	if r.Defaults {
		suspects = append(suspects, "", r.Owner)
	}
	slices.Sort(suspects)
	asNew := map[string]bool{} // who has just what is wanted
	for _, who := range slices.Compact(suspects) {
		switch {
		case who == r.Maker && who != r.Owner && !slices.ContainsFunc(r.Usual, func(x right) bool { return x.Grantee == who }):
			// whose rights have become the owner's
		case !r.Defaults && slices.Equal(holds(r.Usual, who), holds(r.Rights, who)):
			asNew[who] = true
		default:
			revoked = append(revoked, grantee(who))
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(r.Rights), func(x right) bool { return asNew[x.Grantee] })
	return revoked, grants(r.Owner, append(wanted, r.Columns...), r.Rights)
}

// grantee writes who a right is given to.
func grantee(name string) string {
	if name == "" {
		return "PUBLIC"
	}
	return ident(name)
}

// grant is a GRANT statement to be.
type grant struct {
	grantor, grantee string
	grantable        bool
	privileges       []string // each with its column, where it is of one
}

func (g grant) statement(on string) string {
	text := "GRANT " + strings.Join(g.privileges, ", ") + " ON " + on + " TO " + grantee(g.grantee)
	if g.grantable {
		text += " WITH GRANT OPTION"
	}
	return text
}

// grants orders rights so that whoever passes one on has it by then, and puts
// together what one statement can say. all are the rights of the object: of
// the owner, and of those that have them from it already.
func grants(owner string, wanted, all []right) []grant {
	var list []grant
	given := map[right]bool{}
	may := func(x right) bool {
		if x.Grantor == owner {
			return true
		}
		for _, y := range all {
			if y.Grantee == x.Grantor && y.Grantable && y.Privilege == x.Privilege && (given[y] || !slices.Contains(wanted, y)) {
				return true
			}
		}
		return slices.ContainsFunc(wanted, func(y right) bool {
			return given[y] && y.Grantee == x.Grantor && y.Grantable && y.Privilege == x.Privilege && y.Column == x.Column
		})
	}
	for len(wanted) > 0 {
		var now, rest []right
		for _, x := range wanted {
			if may(x) {
				now = append(now, x)
			} else {
				rest = append(rest, x)
			}
		}
		if len(now) == 0 { // by a right that a role has from another: the server is to say
			now, rest = rest, nil
		}
		for _, x := range now {
			list = addGrant(list, x)
		}
		for _, x := range now {
			given[x] = true
		}
		wanted = rest
	}
	return list
}

// addGrant adds a right, to the last statement where it fits.
func addGrant(list []grant, x right) []grant {
	privilege := x.Privilege
	if x.Column != "" {
		privilege += " (" + x.Column + ")"
	}
	if n := len(list); n > 0 {
		last := &list[n-1]
		if last.grantor == x.Grantor && last.grantee == x.Grantee && last.grantable == x.Grantable {
			last.privileges = append(last.privileges, privilege)
			return list
		}
	}
	return append(list, grant{grantor: x.Grantor, grantee: x.Grantee, grantable: x.Grantable, privileges: []string{privilege}})
}

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

// Rights implements [engine.RightsReader]. Statements name roles and objects as they
// are now.
func (Engine) Rights(ctx context.Context, db *sql.DB) (designer.Rights, error) {
	var all designer.Rights
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return all, fmt.Errorf("begin reading rights: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	if _, err := readSettings(ctx, tx); err != nil {
		return all, err
	}
	err = each(ctx, tx, allRightsQuery(), func(scan scanner) error {
		var catalogue, alter, grant, text string
		var id oid
		if err := scan(&catalogue, &id, &alter, &grant, &text); err != nil {
			return err
		}
		var r rights
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return err
		}
		if o := r.elsewhere(alter, grant); o.Owner != "" || len(o.Grants) > 0 {
			all.Objects = append(all.Objects, o)
		}
		return nil
	})
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM pg_default_acl").Scan(&all.Defaults)
	}
	if err != nil {
		return designer.Rights{}, fmt.Errorf("read rights: %w", err)
	}
	slices.SortStableFunc(all.Objects, func(a, b designer.Ownership) int { return cmp.Compare(a.Object, b.Object) })
	return all, nil
}

// elsewhere says what makes an object of another database the owner's of r and
// gives it the same rights. alter is "" for what belongs to its table's owner.
func (r rights) elsewhere(alter, grant string) designer.Ownership {
	o := designer.Ownership{Object: cmp.Or(alter, grant)}
	everybody := func(x right) bool { return x.Grantee == "" }
	usual := alter == "SCHEMA public" && r.Owner == "pg_database_owner" && len(r.Rights) == 3 && slices.ContainsFunc(r.Rights, everybody)
	if usual { // as every new database has it
		return o
	}
	if alter != "" {
		o.Owner, o.Own = r.Owner, "ALTER "+alter+" OWNER TO "+ident(r.Owner)
	}
	r.Maker, r.AsOwner, r.Given = r.Owner, false, nil
	r.Defaults = !sameRights(r.Usual, r.Rights) || alter == "SCHEMA public"
	if r.Defaults && slices.ContainsFunc(r.Usual, everybody) && !slices.ContainsFunc(r.Rights, everybody) {
		o.Close = "REVOKE ALL ON " + grant + " FROM PUBLIC"
	}
	for _, s := range r.statements(alter, grant) {
		o.Grants = append(o.Grants, strings.Replace(s, "SET LOCAL ROLE ", "SET ROLE ", 1)) // no transaction is needed
	}
	return o
}

func sameRights(a, b []right) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x right) bool { return !slices.Contains(b, x) })
}
