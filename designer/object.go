package designer

// Object is what a database has beside tables and views: carried with the
// statement that makes it, not edited. Triggers are listed by name in their
// table as well.
type Object struct {
	Kind   ObjectKind `json:"kind"`
	Schema string     `json:"schema,omitempty"`
	Name   string     `json:"name"`            // with its argument types where the dialect tells routines apart by them
	Table  string     `json:"table,omitempty"` // of a trigger: its table or view, of the same schema; of a sequence: the table that owns it
	// Values are those of an enum, in order; the types of an extension; the
	// column that owns a sequence; the access method of an operator class or
	// family; of a partition, what a script makes otherwise.
	Values     []string `json:"values,omitempty"`
	Domain     *Domain  `json:"domain,omitempty"`     // of a type that is a domain; nil: none that edits make
	Definition string   `json:"definition,omitempty"` // SQL text, where the database gives it
	Comment    string   `json:"comment,omitempty"`    // of a [NamedType]; of others it is among the Extras
	// Extras are statements that make what belongs to the object, such as
	// its comment.
	Extras []string `json:"extras,omitempty"`
	// Grants are statements that say whose the object is and who may use it:
	// see [View].
	Grants []string     `json:"grants,omitempty"`
	Uses   []Dependency `json:"uses,omitempty"` // sorted; where the database gives it

	Options map[string]string `json:"options,omitempty"` // dialect's own, such as "sql_mode"
}

// ObjectKind says what an [Object] is.
type ObjectKind string

// The kinds, in the order in which a script makes them: what tables may need
// before the tables, the rest after.
const (
	ObjectExtension           ObjectKind = "extension"
	ObjectLanguage            ObjectKind = "language"
	ObjectCollation           ObjectKind = "collation"
	ObjectSearchParser        ObjectKind = "text search parser"
	ObjectSearchTemplate      ObjectKind = "text search template"
	ObjectSearchDictionary    ObjectKind = "text search dictionary"
	ObjectSearchConfiguration ObjectKind = "text search configuration"
	ObjectWrapper             ObjectKind = "foreign data wrapper"
	ObjectServer              ObjectKind = "server" // of foreign tables
	ObjectAccessMethod        ObjectKind = "access method"
	ObjectXMLSchema           ObjectKind = "xml schema collection" // what XML of a column is checked against
	ObjectType                ObjectKind = "type"                  // enum, domain, composite, alias
	ObjectSequence            ObjectKind = "sequence"
	ObjectPartition           ObjectKind = "partition" // of a table, or what such a partition has of its own
	ObjectSynonym             ObjectKind = "synonym"   // another name for an object, here or elsewhere
	ObjectRoutine             ObjectKind = "routine"   // function, procedure or aggregate
	ObjectConversion          ObjectKind = "conversion"
	ObjectCast                ObjectKind = "cast" // named "a AS b"
	ObjectOperator            ObjectKind = "operator"
	ObjectOperatorFamily      ObjectKind = "operator family"
	ObjectOperatorClass       ObjectKind = "operator class"
	ObjectTransform           ObjectKind = "transform" // named "FOR a LANGUAGE b"
	ObjectStatistics          ObjectKind = "statistics"
	ObjectTrigger             ObjectKind = "trigger"
	ObjectRule                ObjectKind = "rule"
	ObjectEvent               ObjectKind = "event"   // what the server does at its time
	ObjectPolicy              ObjectKind = "policy"  // of row security
	ObjectComment             ObjectKind = "comment" // on what the model has no place for: named "SCHEMA a"
	// ObjectRights are who may use what, as Grants: on PostgreSQL on a single
	// column, whose name it has; on MySQL those of one user, whose name it has,
	// on a table.
	ObjectRights       ObjectKind = "rights"
	ObjectPublication  ObjectKind = "publication"
	ObjectSubscription ObjectKind = "subscription"
	ObjectUserMapping  ObjectKind = "user mapping"
	ObjectOption       ObjectKind = "option" // of something foreign, which may be a secret
	ObjectEventTrigger ObjectKind = "event trigger"
)

// OptionUnreadable is why the database did not describe a [View] or [Object],
// in the server's words. A view that has it may be a table: see
// [OptionUnreadTable].
const OptionUnreadable = "unreadable"

// OptionUnreadTable is "true" of a view that stands for a table which the
// database did not describe, so that its name is taken and its lack is told.
const OptionUnreadTable = "unread_table"

// View is a view of the database: carried, not edited.
type View struct {
	Schema     string `json:"schema,omitempty"`
	Name       string `json:"name"`
	Definition string `json:"definition,omitempty"` // SQL text, where the database gives it
	// Extras are statements that make what belongs to the view, such as its
	// comment or the indexes of a materialized one. Grants are those that say
	// whose it is and who may use it: part of putting back a view that had to
	// be re-created, and not of a script for another server.
	Extras []string     `json:"extras,omitempty"`
	Grants []string     `json:"grants,omitempty"`
	Uses   []Dependency `json:"uses,omitempty"` // sorted; where the database gives it

	Options map[string]string `json:"options,omitempty"` // dialect's own, such as "definer"
}

// Dependency says that an object depends on another: it cannot be there without, nor
// can that one change freely.
type Dependency struct {
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name"`             // of a table, view, type or routine, as [Object.Name] has it
	Column string `json:"column,omitempty"` // "": the whole
	// Kind is that of an object of another kind, whose name a table, view,
	// type or routine may have too. "": one of those.
	Kind ObjectKind `json:"kind,omitempty"`
}
