// Package rule holds the names of the rules that designer/lint checks, for
// what has to know the names and nothing of schemas: the settings, which refuse
// a name that no rule has. It imports nothing.
package rule

import "slices"

// ID names a rule, as settings, flags and replies write it.
type ID string

// The rules, in the order of docs/lint.md.
const (
	NoPrimaryKey   ID = "no-primary-key"
	BusinessKey    ID = "business-key"
	NullableUnique ID = "nullable-unique"
	SmallIdentity  ID = "small-identity"
	IntIdentity    ID = "int-identity"
	UnsuitableKey  ID = "unsuitable-key"

	UnindexedForeignKey      ID = "unindexed-foreign-key"
	ForeignKeyType           ID = "foreign-key-type"
	DanglingForeignKey       ID = "dangling-foreign-key"
	ForeignKeyTarget         ID = "foreign-key-target"
	DuplicateForeignKey      ID = "duplicate-foreign-key"
	MissingForeignKey        ID = "missing-foreign-key"
	SetNullOnRequired        ID = "set-null-on-required"
	SetDefaultWithoutDefault ID = "set-default-without-default"
	NoOnDelete               ID = "no-on-delete"
	NullableCompositeKey     ID = "nullable-composite-key"
	CircularRequired         ID = "circular-required"
	CircularReference        ID = "circular-reference"

	DuplicateIndex ID = "duplicate-index"
	PrefixIndex    ID = "prefix-index"
	TooManyIndexes ID = "too-many-indexes"

	ReservedName            ID = "reserved-name"
	UnsafeName              ID = "unsafe-name"
	MixedCaseName           ID = "mixed-case-name"
	CaseOnlyNames           ID = "case-only-names"
	InconsistentTableNames  ID = "inconsistent-table-names"
	InconsistentColumnNames ID = "inconsistent-column-names"
	MixedPlural             ID = "mixed-plural"

	InconsistentType  ID = "inconsistent-type"
	FloatMoney        ID = "float-money"
	MoneyType         ID = "money-type"
	TimestampNoZone   ID = "timestamp-without-zone"
	TimestampRange    ID = "timestamp-range"
	TextForTime       ID = "text-for-time"
	TimeWithZone      ID = "time-with-zone"
	LegacyType        ID = "legacy-type"
	JSONNotJSONB      ID = "json-not-jsonb"
	PaddedChar        ID = "padded-char"
	SerialColumn      ID = "serial-column"
	ThreeByteText     ID = "three-byte-text"
	UntypedColumn     ID = "untyped-column"
	MisleadingType    ID = "misleading-type"
	BadDefault        ID = "bad-default"
	NullDefault       ID = "null-default"
	EnumWithoutValues ID = "enum-without-values"
	UnusedType        ID = "unused-type"
	EmptyTable        ID = "empty-table"
	OneColumn         ID = "one-column"
	TooManyColumns    ID = "too-many-columns"
	NumberedColumns   ID = "numbered-columns"
	IsolatedTable     ID = "isolated-table"
	NonTransactional  ID = "non-transactional"
	UnusedTable       ID = "unused-table"
	NoRows            ID = "no-rows"
	UnusedIndex       ID = "unused-index"
	HeavyIndexes      ID = "heavy-indexes"
	DeadRows          ID = "dead-rows"
	EmptyColumn       ID = "empty-column"
)

// All lists every rule, in the order of their declaration.
func All() []ID {
	return []ID{
		NoPrimaryKey, BusinessKey, NullableUnique, SmallIdentity, IntIdentity, UnsuitableKey,
		UnindexedForeignKey, ForeignKeyType, DanglingForeignKey, ForeignKeyTarget, DuplicateForeignKey, MissingForeignKey,
		SetNullOnRequired, SetDefaultWithoutDefault, NoOnDelete, NullableCompositeKey, CircularRequired, CircularReference,
		DuplicateIndex, PrefixIndex, TooManyIndexes,
		ReservedName, UnsafeName, MixedCaseName, CaseOnlyNames, InconsistentTableNames, InconsistentColumnNames, MixedPlural,
		InconsistentType, FloatMoney, MoneyType, TimestampNoZone, TimestampRange, TextForTime, TimeWithZone, LegacyType,
		JSONNotJSONB, PaddedChar, SerialColumn, ThreeByteText, UntypedColumn, MisleadingType, BadDefault, NullDefault,
		EnumWithoutValues, UnusedType,
		EmptyTable, OneColumn, TooManyColumns, NumberedColumns, IsolatedTable, NonTransactional,
		UnusedTable, NoRows, UnusedIndex, HeavyIndexes, DeadRows, EmptyColumn,
	}
}

// Known reports whether a rule has this name.
func Known(name string) bool { return slices.Contains(All(), ID(name)) }
