package designer

import "github.com/berth-dev/berth/designer/clip"

// rules say whether an edit may make what it has made of the tables it
// touches. They only read: every rule is a question about the tables before
// and after, and its answer is a refusal or none. What follows from an edit by
// itself, as that a key column is not nullable, was done by then: see write.
type rules struct{ state }

// checkKeyUsers refuses a change of the table's keys that leaves without one
// what needs it: an identity column, or a foreign key that refers to it.
func (r rules) checkKeyUsers(before, after *Table) *Error {
	if err := r.checkIdentityPlace(before, after); err != nil {
		return err
	}
	if names := r.referencesWithoutKey(before, after); len(names) > 0 {
		return invalid("The key of table %s cannot change: foreign key %s refers to it; drop the key first",
			after.quoted(), listNames(names)).At("isPrimaryKey")
	}
	return nil
}

// checkIndexUsers refuses a change of an index that leaves something without
// it: a foreign key, here or elsewhere, or an identity column.
func (r rules) checkIndexUsers(before, after *Table) *Error {
	if k := r.s.dialect.foreignKeyWithoutIndex(before, after); k != nil {
		return invalid("Foreign key %s of table %s needs an index that begins with its columns: add another one first, or drop the key",
			clip.Quote(k.label()), after.quoted()).At("columns")
	}
	return r.checkKeyUsers(before, after).blame("columns")
}

// checkIdentityPlace verifies, on dialects where it must, that an identity
// column is the primary key alone, or leads a key. before is nil for a new
// table; a table that a database already holds otherwise may stay so.
func (r rules) checkIdentityPlace(before, after *Table) *Error {
	c := r.s.dialect.misplacedIdentity(before, after)
	if c == nil {
		return nil
	}
	return invalid("Column %s is an identity column: on %s it has to be %s", clip.Quote(c.Name), r.s.dialect.Title, r.s.dialect.Identity.Place).At("isIdentity")
}
