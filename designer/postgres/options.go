package postgres

// Keys of Options. Flags have the value "true".
const (
	// of a table
	OptionUnlogged        = "unlogged"
	OptionPartitionBy     = "partition_by"     // "RANGE (day)"
	OptionInherits        = "inherits"         // tables, as SQL has them
	OptionMethod          = "access_method"    // where it is not heap
	OptionRowSecurity     = "row_security"     // "enabled", "forced" (for its owner too), "owner" (forced but not enabled)
	OptionReplicaIdentity = "replica_identity" // "full", "nothing"; of an index: that it is the one
	OptionOfType          = "of_type"          // of a typed table, as SQL has it

	// of a table, primary key or index; OptionWith of a column too
	OptionWith       = "with" // parameters of storage, or for the planner: "fillfactor=70"
	OptionTablespace = "tablespace"

	// of a column that numbers itself. Without OptionIdentity it is GENERATED
	// BY DEFAULT AS IDENTITY.
	OptionIdentity     = "identity" // [IdentityAlways], [IdentitySerial]
	OptionSequenceType = "sequence_type"
	OptionMinValue     = "min_value"
	OptionMaxValue     = "max_value"
	OptionCache        = "cache"
	OptionCycle        = "cycle"

	// of any column
	OptionStorage     = "storage" // "plain", "external", "extended", "main"
	OptionCompression = "compression"
	OptionStatistics  = "statistics" // of an index: "2=100", for its second key
	OptionInherited   = "inherited"  // comes from a table it inherits from; of a check too

	// of keys, indexes and checks
	OptionComment          = "comment"
	OptionDeferrable       = "deferrable"         // of a unique or primary key: "immediate", "deferred"
	OptionNullsNotDistinct = "nulls_not_distinct" // of a unique index
	OptionInclude          = "include"            // of a primary key: columns, as SQL has them
	OptionExclude          = "exclude"            // of an exclusion constraint: an operator for each key
	OptionInvalid          = "invalid"            // of an index: left by CREATE INDEX CONCURRENTLY
	OptionClustered        = "clustered"          // of an index or key: CLUSTER orders the rows by it
	OptionMatch            = "match"              // of a foreign key: "full", "partial"
	OptionSetColumns       = "set_columns"        // of one that sets: which of its mappings, from 1
	OptionNotValid         = "not_valid"
	OptionNotEnforced      = "not_enforced"
	OptionNoInherit        = "no_inherit" // of a check
)

// The values of [OptionIdentity].
const (
	IdentityAlways = "always" // GENERATED ALWAYS
	IdentitySerial = "serial" // a sequence behind a default, as serial makes it
)

const yes = "true"

// options collects what is not the ordinary.
type options map[string]string

func (o options) set(key, value string) {
	if value != "" {
		o[key] = value
	}
}

func (o options) flag(key string, on bool) {
	if on {
		o[key] = yes
	}
}

// orNil returns the form that a definition has: nil where there is nothing.
func (o options) orNil() map[string]string {
	if len(o) == 0 {
		return nil
	}
	return o
}
