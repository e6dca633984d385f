package mssql

// Keys of options in a model of this dialect. A flag is "true" or absent,
// where nothing else is said.
const (
	// OptionDefaultName is the name of a column's default constraint, absent
	// where the server made one up.
	OptionDefaultName = "default_name"
	OptionRowGUID     = "rowguidcol"
	// OptionIdentity is the seed and increment of an identity column, "seed,
	// increment" without the space, where they are beyond IdentitySeed and
	// IdentityIncrement, or "unknown" where the server does not tell them.
	OptionIdentity = "identity"
	OptionSparse   = "sparse"
	// OptionMasked is the function that masks a column, as in default().
	OptionMasked = "masked"
	// OptionGenerated is the part of a column in a table's period: "row start"
	// or "row end".
	OptionGenerated = "generated_always"
	OptionHidden    = "hidden"
	OptionColumnSet = "column_set"
	// OptionNotForReplication is of identity columns, foreign keys and checks.
	OptionNotForReplication = "not_for_replication"

	// OptionClustered is "false" of a primary key that is not clustered, and
	// "true" of an index or unique constraint that is.
	OptionClustered = "clustered"
	// OptionDescending lists the columns of a primary key that are sorted
	// downwards, by their position in the key from 1: "1,3".
	OptionDescending   = "descending"
	OptionFillFactor   = "fill_factor" // in percent
	OptionPadIndex     = "pad_index"
	OptionIgnoreDup    = "ignore_dup_key"
	OptionCompression  = "data_compression" // "row", "page": of an index, or of a table without a clustered one
	OptionDisabled     = "disabled"         // of foreign keys, checks and indexes
	OptionNotTrusted   = "not_trusted"      // of foreign keys and checks: rows of before were not looked at
	OptionPrimaryXML   = "primary_xml"      // of a secondary XML index: the primary one's name
	OptionSecondaryXML = "secondary_xml"    // "path", "value", "property"

	// OptionVersioning is the history table of a table that keeps one, quoted.
	OptionVersioning = "system_versioning"
	// OptionRetention is how long the history is kept, as in "6 MONTH"; absent
	// where that is for ever.
	OptionRetention = "history_retention_period"
	// OptionPlace is the quoted partition scheme of a table, a primary key or an
	// index, or its filegroup where that is not the default one.
	OptionPlace = "data_space"
	// OptionEncrypted is "deterministic" or "randomized" of a column that Always
	// Encrypted keeps from the server.
	OptionEncrypted = "encrypted"
	// OptionStorage says what kind a table is that a plan cannot change or
	// make, in words: "memory-optimized", "file", "external", "graph node", "graph
	// edge", "ledger"
	OptionStorage = "storage"
)

// identityUnknown is an [OptionIdentity] that could not be read.
const identityUnknown = "unknown"

// Methods of indexes that are not ordinary ones.
const (
	MethodColumnstore = "columnstore"
	MethodXML         = "xml"
	MethodSpatial     = "spatial"
	MethodHash        = "hash"
)
