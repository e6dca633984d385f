// Package mysql is the designer's engine for MySQL and MariaDB: [Engine] reads
// a database into a [designer.Definition], plans the way from one state to
// another, tries a plan in a scratch database and publishes it. [Dialect] is
// what validation has to know. Start from Engine; it opens nothing, the caller
// brings the pool, with a default database chosen.
//
// In these servers a schema is a database. A design is of one database, its
// tables have no schema of their own, and no statement of a plan names the
// database: so the same statements run in a scratch database as they are.
//
// There is no transactional DDL. A step is one statement, which MySQL 8 and
// MariaDB 10.6 make as a whole or not at all, and a [designer.Step] says how to
// find out whether it has been made, so that an interrupted plan can resume.
//
// Invariants:
//
//   - What [Inspect] returns for a column is what an edit makes of the same
//     words, so that a published design is read again as it is.
//   - An index that the server makes by itself for a foreign key is part of
//     the design, made by the edit that adds the key.
//   - MODIFY states a column whole: what the model does not know of a column
//     is never lost by a change of something else, because Inspect reads every
//     attribute that information_schema has.
//
// What information_schema does not have is not read: application-time periods,
// parsers of full-text indexes, and the bytes of a binary default that are no
// text. ALTER TABLE leaves them alone; a script does not make them.
package mysql
