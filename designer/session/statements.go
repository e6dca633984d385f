package session

import (
	"database/sql"
)

// statement names one of the store's prepared statements.
type statement int

const (
	beginImmediate statement = iota
	commitTransaction
	rollbackTransaction
	selectSeq
	updateSeq
	selectActive
	updateActive
	selectDesigns
	insertDesign
	updateDesign
	selectTables
	upsertTable
	deleteTable
	clearTables
	selectBaseTables
	insertBaseTable
	clearBaseTables
	selectCatalog
	upsertCatalog
	selectPublish
	upsertPublish
	updatePublish
	deletePublish
	insertStep
	updateStep
	selectSteps
	selectMarks
	selectTeams
	deleteStepsAbove
	deleteStepsUpTo
	selectKey
	selectKeys
	insertKey
	deleteKey
	trimKeys
	selectDocument
	upsertDocument
	deleteDocument
	insertHappening
	selectHappenings
	trimHappenings
	numStatements
)

var statementText = [numStatements]string{
	beginImmediate:      "BEGIN IMMEDIATE",
	commitTransaction:   "COMMIT",
	rollbackTransaction: "ROLLBACK",
	selectSeq:           "SELECT event_seq FROM state",
	updateSeq:           "UPDATE state SET event_seq = ?",
	selectActive:        "SELECT ifnull(active, 0) FROM state",
	updateActive:        "UPDATE state SET active = ?",
	selectDesigns: `SELECT id, connection_id, name, server, database, default_schema, dialect,
		version, base_version, seen_version, first_step, top_step, last_step,
		(SELECT count(*) FROM tables WHERE design = designs.id)
		FROM designs ORDER BY id`,
	insertDesign: `INSERT INTO designs (connection_id, name, server, database, default_schema, dialect,
		version, base_version, seen_version, first_step, top_step, last_step)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
	updateDesign: `UPDATE designs SET connection_id = ?, name = ?, server = ?, database = ?,
		default_schema = ?, dialect = ?, version = ?, base_version = ?, seen_version = ?,
		first_step = ?, top_step = ?, last_step = ? WHERE id = ?`,
	selectTables: "SELECT body FROM tables WHERE design = ?",
	upsertTable: `INSERT INTO tables (design, id, body) VALUES (?, ?, ?)
		ON CONFLICT (design, id) DO UPDATE SET body = excluded.body`,
	deleteTable:      "DELETE FROM tables WHERE design = ? AND id = ?",
	clearTables:      "DELETE FROM tables WHERE design = ?",
	selectBaseTables: "SELECT body FROM base_tables WHERE design = ?",
	insertBaseTable:  "INSERT INTO base_tables (design, id, body) VALUES (?, ?, ?)",
	clearBaseTables:  "DELETE FROM base_tables WHERE design = ?",
	selectCatalog:    "SELECT body FROM catalogs WHERE design = ?",
	upsertCatalog: `INSERT INTO catalogs (design, body) VALUES (?, ?)
		ON CONFLICT (design) DO UPDATE SET body = excluded.body`,
	selectPublish: "SELECT plan, started, step, before FROM publishes WHERE design = ?",
	upsertPublish: `INSERT INTO publishes (design, plan, started, step, before) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (design) DO UPDATE SET plan = excluded.plan, started = excluded.started,
		step = excluded.step, before = excluded.before`,
	updatePublish: "UPDATE publishes SET step = ?, before = ? WHERE design = ?",
	deletePublish: "DELETE FROM publishes WHERE design = ?",
	insertStep: `INSERT INTO steps (design, seq, batch, origin, at, description, change, author, undoes, client)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	updateStep: "UPDATE steps SET change = ? WHERE design = ? AND seq = ?",
	selectSteps: `SELECT seq, batch, origin, at, description, change, author, undoes, client FROM steps
		WHERE design = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
	selectMarks:      "SELECT seq, batch, origin, author, undoes FROM steps WHERE design = ? ORDER BY seq",
	selectTeams:      "SELECT design, body FROM documents WHERE name = 'team'",
	deleteStepsAbove: "DELETE FROM steps WHERE design = ? AND seq > ?",
	deleteStepsUpTo:  "DELETE FROM steps WHERE design = ? AND seq <= ?",
	selectKey:        "SELECT secret FROM page_keys WHERE id = ?",
	selectKeys:       "SELECT id, created FROM page_keys",
	insertKey:        "INSERT INTO page_keys (id, secret, created) VALUES (?, ?, ?)",
	deleteKey:        "DELETE FROM page_keys WHERE id = ?",
	selectDocument:   "SELECT body, counter FROM documents WHERE design = ? AND name = ?",
	upsertDocument: `INSERT INTO documents (design, name, counter, body) VALUES (?, ?, ?, ?)
		ON CONFLICT (design, name) DO UPDATE SET counter = excluded.counter, body = excluded.body`,
	deleteDocument:   "DELETE FROM documents WHERE design = ? AND name = ?",
	insertHappening:  "INSERT INTO happenings (design, seq, body) VALUES (?, ?, ?)",
	selectHappenings: "SELECT body FROM happenings WHERE design = ? ORDER BY seq DESC LIMIT ?",
	trimHappenings: `DELETE FROM happenings WHERE design = ? AND seq <=
		(SELECT seq FROM happenings WHERE design = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
	trimKeys: `DELETE FROM page_keys WHERE seq <=
		(SELECT seq FROM page_keys ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
}

// reader reads from the store. Its creator holds the store's lock.
type reader struct{ s *Store }

func (r reader) row(st statement, args ...any) *sql.Row {
	return r.s.stmts[st].QueryRowContext(background, args...)
}

// each calls fn for every row of the result.
func (r reader) each(st statement, fn func(rows *sql.Rows) error, args ...any) error {
	rows, err := r.s.stmts[st].QueryContext(background, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// writer is a reader within a transaction.
type writer struct {
	reader
	seq uint64
}

func (w *writer) exec(st statement, args ...any) error {
	_, err := w.s.stmts[st].ExecContext(background, args...)
	return err
}

// event reserves the number of the transaction's event.
func (w *writer) event() (uint64, error) {
	w.seq++
	return w.seq, w.exec(updateSeq, int64(w.seq))
}
