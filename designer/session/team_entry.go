package session

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
)

// teamFormat is the form of entries that this berth writes. It reads no newer
// one.
const teamFormat = 1

// The kinds of entries.
const (
	entryGenesis = "genesis" // a design to start from
	entryEdit    = "edit"
	entryUndo    = "undo"
	entryRedo    = "redo"
	entryPublish = "publish" // the report of a publish, and what it has changed in the design
	entryRemove  = "remove"  // a person is no longer one of the team
)

// teamEntry is the body of a journal's entry. It holds the result of an edit,
// not the edit: replicas apply it and do not judge it again.
type teamEntry struct {
	Format int       `json:"format"`
	Kind   string    `json:"kind"`
	Author string    `json:"author"`
	Origin string    `json:"origin,omitempty"`
	Client string    `json:"client,omitempty"` // the program that asked, as it calls itself
	Batch  string    `json:"batch,omitempty"`
	At     time.Time `json:"at"` // by the author's clock
	// Before and After are the design's versions, Digest that with ids after.
	Before  string       `json:"before,omitempty"`
	After   string       `json:"after,omitempty"`
	Digest  string       `json:"digest,omitempty"`
	Steps   []teamStep   `json:"steps,omitempty"`
	Genesis *teamGenesis `json:"genesis,omitempty"`
	Person  string       `json:"person,omitempty"` // who was removed
	// Published reports a publish: to which database, and in how many statements.
	// Its author, time and place are the entry's.
	Published *Publication `json:"published,omitempty"`
}

// teamStep is one undo step.
type teamStep struct {
	Description string          `json:"description"`
	Change      json.RawMessage `json:"change"`           // as in state.db
	Undoes      []int64         `json:"undoes,omitempty"` // the steps that it takes back
}

// teamGenesis is a whole design: in the first entry, and in snapshots.
type teamGenesis struct {
	Dialect       string                `json:"dialect"`
	DefaultSchema string                `json:"defaultSchema"`
	Tables        []*designer.Table     `json:"tables"`
	Types         []*designer.NamedType `json:"types,omitempty"`
}

func genesisOf(s *designer.Schema) *teamGenesis {
	return &teamGenesis{Dialect: s.Dialect().Name, DefaultSchema: s.DefaultSchema(), Tables: s.Tables(), Types: s.NamedTypes()}
}

// schema makes the design, with what the local database has beside tables.
func (g *teamGenesis) schema(dialect *designer.Dialect, catalog designer.Catalog, newID func() designer.ID) (*designer.Schema, error) {
	if catalog.Types = g.Types; catalog.Types == nil {
		catalog.Types = []*designer.NamedType{}
	}
	return designer.Restore(dialect, g.Tables, &designer.Options{NewID: newID, DefaultSchema: g.DefaultSchema, Catalog: catalog})
}

func decodeTeamEntry(body []byte) (teamEntry, error) {
	var e teamEntry
	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("it is no entry of berth: %w", err)
	}
	if e.Format > teamFormat {
		return e, fmt.Errorf("%s wrote it with a newer berth: upgrade this one", orSomebody(e.Author))
	}
	return e, nil
}

func orSomebody(author string) string {
	if author == "" {
		return "somebody"
	}
	return author
}

// encodeSteps adds changes as steps.
func (e *teamEntry) encodeSteps(changes []designer.Change, undoes *sharedResult) error {
	for i, c := range changes {
		text, err := encodeChange(c)
		if err != nil {
			return err
		}
		e.Steps = append(e.Steps, teamStep{Description: c.Description, Change: json.RawMessage(text), Undoes: undoes.undoesOf(i)})
	}
	return nil
}

// apply makes the steps of an entry on a design and returns them. Whatever does
// not fit is an error, and the design is as it was.
func (e *teamEntry) apply(s *designer.Schema, digest identity) (changes []designer.Change, after identity, err error) {
	defer func() {
		if err != nil {
			for _, c := range designer.InverseAll(changes) {
				s.Redo(c)
			}
			changes = nil
		}
	}()
	if s.Version() != e.Before {
		return nil, digest, fmt.Errorf("it was made on another version of the design")
	}
	if changes, after, err = e.lead(s, digest); err == nil {
		err = s.CheckTables(touched(changes)) // who may write to the journal is not asked to write sense
	}
	switch {
	case err != nil:
	case s.Version() != e.After:
		err = fmt.Errorf("it leads to another version here")
	case after.String() != e.Digest:
		err = fmt.Errorf("it leads to other ids here")
	}
	return changes, after, err
}

// lead makes the steps, and returns those that it made also with an error.
func (e *teamEntry) lead(s *designer.Schema, digest identity) (changes []designer.Change, after identity, err error) {
	for _, step := range e.Steps {
		c, err := decodeChange(string(step.Change), s, false)
		if err != nil {
			return changes, digest, err
		}
		c.Description = step.Description
		s.Redo(c)
		changes = append(changes, c)
		if digest, err = digest.after(c); err != nil {
			return changes, digest, err
		}
	}
	return changes, digest, nil
}

// rows are the entry's steps as they are stored after the step numbered top.
func (e *teamEntry) rows(top int64) []stepRow {
	var rows []stepRow
	for i, step := range e.Steps {
		rows = append(rows, stepRow{seq: top + int64(i) + 1, batch: e.Batch, origin: e.Origin, client: e.Client, at: e.At,
			description: step.Description, change: string(step.Change), author: e.Author, undoes: step.Undoes})
	}
	return rows
}

// eventType is the type of the event that an entry's commit publishes: what
// another host has published is, here, an edit.
func (e *teamEntry) eventType(own bool) EventType {
	switch e.Kind {
	case entryUndo:
		return Undone
	case entryRedo:
		return Redone
	case entryPublish:
		if own {
			return PublishedDesign
		}
	}
	return Committed
}

// kindOf is the kind of the entry that an operation makes.
func kindOf(event EventType) string {
	switch event {
	case Undone:
		return entryUndo
	case Redone:
		return entryRedo
	case PublishedDesign:
		return entryPublish
	}
	return entryEdit
}
