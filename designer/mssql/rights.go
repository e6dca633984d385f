package mssql

import "github.com/berth-dev/berth/designer"

// keepRights adds the step that stops a plan before it makes something again
// that has permissions, granted or denied, or an owner of its own: what has its
// name afterwards would have none of them, and a schema's permissions would
// hold where they were denied. column "" is the whole.
func (p *planner) keepRights(on, label, column string, t *designer.Table) {
	what, id := label, "OBJECT_ID("+literal(on)+")"
	find := "SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = " + id
	if column != "" {
		what += "." + column
		find += " AND COL_NAME(p.major_id, p.minor_id) = " + literal(column)
	} else {
		find += "\nUNION ALL SELECT 1 FROM sys.objects o WHERE o.object_id = " + id + "" +
			" AND o.principal_id <> (SELECT s.principal_id FROM sys.schemas s WHERE s.schema_id = o.schema_id)"
	}
	message := what + " would have to be re-created, and has permissions or an owner of its own that would be lost: " +
		"take them away, publish, and give them again"
	s := designer.Step{Statement: "IF EXISTS (" + find + ")\n  THROW 50000, " + literal(message) + ", 1", Comment: "Stop if re-creating " + what + " would lose permissions"}
	if t == nil {
		p.add(s)
	} else {
		p.add(s, t)
	}
}
