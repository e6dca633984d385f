package sqlite

import "github.com/berth-dev/berth/designer"

// lossy reports whether the affinity of another type changes values it takes:
// text that looks like a number loses its leading zeros, a large integer its
// last digits as REAL. What does not fit stays as it is, or is refused by a
// STRICT table.
func lossy(from, to designer.Column) bool {
	a, b := affinity(from.DataType), affinity(to.DataType)
	switch b {
	case a, blobAffinity:
		return false
	case textAffinity:
		return a == realAffinity || a == numericAffinity
	case realAffinity:
		return true
	}
	return a == textAffinity || a == blobAffinity
}

func (b *rebuild) copyRisks() []designer.Risk {
	risks := []designer.Risk{designer.RiskRewritesTable, designer.RiskBlocksWrites}
	fails, loses := b.PrimaryKey || len(b.Checks) > 0, false
	for _, x := range b.Indexes {
		fails = fails || x.To != nil && x.To.Unique
	}
	for _, c := range b.Columns {
		fails = fails || c.To != nil && !c.To.IsNullable && (c.Added() || c.Nullable) ||
			c.Changed() && (c.Collation || c.Type && b.To.Options[OptionStrict] != "")
		loses = loses || c.Changed() && c.Type && lossy(*c.From, *c.To)
	}
	if fails {
		risks = append(risks, designer.RiskMayFail)
	}
	if loses {
		risks = append(risks, designer.RiskDataLoss)
	}
	return risks
}

// lost lists what the old table has and the new one has not.
func (b *rebuild) lost() []string {
	var list []string
	for _, c := range b.From.Columns {
		if columnByID(b.To, c.ID) == nil && !c.IsComputed {
			list = append(list, "column "+c.Name)
		}
	}
	if len(b.columns) == 0 {
		list = append(list, "its rows")
	}
	return list
}
