package mssql

import "github.com/berth-dev/berth/designer"

// settle takes off what an edit has left without meaning: NOT FOR REPLICATION
// and how a column counts are said of identity columns only.
func settle(t *designer.Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.IsIdentity {
			continue
		}
		delete(c.Options, OptionNotForReplication)
		delete(c.Options, OptionIdentity)
		if len(c.Options) == 0 {
			c.Options = nil
		}
	}
}
