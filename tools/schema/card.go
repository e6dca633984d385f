package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
)

// Limits on a card. It is for a view as high as a few lines of a chat, which
// shortens the texts further.
const (
	maxCardTables = 40
	maxCardLines  = 200
	maxCardText   = 400 // bytes
)

// card is what a view shows a person of what a call did to the design. It is in
// the view's own data: no model reads it.
type card struct {
	Kind       string `json:"kind"` // "change"
	Did        string `json:"did"`  // apply_edits, import, undo, redo
	Connection string `json:"connection"`
	databaseIdentity
	Version string `json:"version"`
	Edits   int    `json:"edits"` // how many were applied, undone or redone
	cardTables
	Warnings []string `json:"warnings,omitzero"`
	Page     string   `json:"page,omitempty"` // address of the designer page; a key is not in it
	Nonce    string   `json:"nonce"`          // settles the card, once
}

// planCard is what a view shows a person of a plan: what would be published.
type planCard struct {
	Kind       string `json:"kind"` // "plan"
	Message    string `json:"message,omitempty"`
	Connection string `json:"connection"`
	databaseIdentity
	Version string `json:"version"`
	Steps   int    `json:"steps,omitzero"` // statements
	cardTables
	Warnings []string `json:"warnings,omitzero"` // risks, and what cannot be published
	Notes    []string `json:"notes,omitzero"`
	Page     string   `json:"page,omitempty"`
}

// cardTables are what differs, table by table.
type cardTables struct {
	Tables []cardTable `json:"tables"`
	More   int         `json:"more,omitzero"` // tables that are not listed

	Diagram *diagram `json:"diagram,omitempty"`
}

// cardTable is a table, or a named type, that differs.
type cardTable struct {
	Name  string     `json:"name"`
	Does  string     `json:"does"` // added, changed, dropped
	Lines []cardLine `json:"lines,omitzero"`
	More  int        `json:"more,omitzero"` // lines that are not listed
}

// cardLine is one difference: what it is of, and how it was and is.
type cardLine struct {
	Kind designer.DiffKind `json:"kind"`
	Name string            `json:"name,omitempty"` // "": the table itself
	From string            `json:"from,omitempty"`
	To   string            `json:"to,omitempty"`
}

// before is the design that a call is about to change, for its card; nil: no card
// is shown.
func (t *Tool) before(in *invocation, dryRun bool) *designer.Schema {
	if !in.call.Client.Views || dryRun {
		return nil
	}
	s, err := in.designer.Snapshot()
	if err != nil {
		return nil // which the call itself finds and says
	}
	return s
}

// card makes the card of what a call did to before. A card is nice to have: what
// stands in its way is no reason to refuse the call.
func (t *Tool) card(ctx context.Context, in *invocation, before *designer.Schema, out session.Outcome, warnings []string) {
	if before == nil || out.Applied == 0 || out.Previous != before.Version() || out.Version == out.Previous {
		return
	}
	open, err := t.openCard(ctx, in, out)
	if err != nil {
		return
	}
	after, err := in.designer.Snapshot()
	if err != nil || after.Version() != out.Version {
		return // another call has changed it since
	}
	c := card{Kind: "change", Did: in.request.Operation, Connection: cardText(in.designer.Name()), databaseIdentity: in.identity(),
		Version: out.Version, Edits: out.Applied, Page: t.opts.URL()}
	c.cardTables, c.Warnings = tablesOf(designer.DiffOf(before, after)), cardTexts(warnings)
	c.Nonce = t.cards.add(open)
	in.view = json.RawMessage(encode(c))
}

// openCard is what the card of an outcome will settle.
func (t *Tool) openCard(ctx context.Context, in *invocation, out session.Outcome) (o openCard, err error) {
	o = openCard{designer: in.designer, did: in.request.Operation, version: out.Version, made: t.opts.Now()}
	if o.did != opUndo && o.did != opRedo {
		o.batch = out.BatchID
		return o, nil
	}
	o.steps = make([]session.Step, out.Applied)
	o.steps, err = o.next(ctx)
	return o, err
}

// plan makes the card of a plan.
func (t *Tool) plan(in *invocation, p *session.Proposal, r *changesReply) {
	if !in.call.Client.Views || p.Diff == nil {
		return
	}
	c := planCard{Kind: "plan", Message: r.Message, Connection: cardText(in.designer.Name()), databaseIdentity: in.identity(),
		Version: p.Version, Steps: r.Steps, cardTables: tablesOf(p.Diff), Notes: cardTexts(r.Notes), Page: t.opts.URL()}
	var warnings []string
	for _, risk := range r.Risks {
		warnings = append(warnings, strings.ReplaceAll(string(risk), "_", " "))
	}
	for _, b := range r.Blocked {
		warnings = append(warnings, fmt.Sprintf("%s cannot be published: %s", b.Table, b.Reason))
	}
	c.Warnings = cardTexts(append(warnings, r.Lint...))
	in.view = json.RawMessage(encode(c))
}

// cardTexts bounds a list of texts.
func cardTexts(list []string) (out []string) {
	for _, s := range list[:min(len(list), maxAsked)] {
		out = append(out, cardText(s))
	}
	return out
}

func cardText(s string) string { return clip.Text(s, maxCardText) }

// tablesOf groups what differs by its table, in its order.
func tablesOf(d *designer.Diff) cardTables {
	c := cardTables{Tables: []cardTable{}, Diagram: diagramOf(d)}
	at, listed := map[designer.TableName]int{}, 0
	for _, l := range d.Lines() {
		name := l.Table
		if l.Kind == designer.DiffAddSchema {
			name = designer.TableName{Name: l.Name}
		}
		i, known := at[name]
		if !known {
			i = c.add(name, does(l.Kind))
			at[name] = i
		}
		switch {
		case i < 0:
		case listed == maxCardLines:
			c.Tables[i].More++
		default:
			listed++
			c.Tables[i].Lines = append(c.Tables[i].Lines, cardLine{l.Kind, cardText(l.Name), cardText(l.From), cardText(l.To)})
		}
	}
	return c
}

// add lists a table and returns its place; -1: there are too many.
func (c *cardTables) add(name designer.TableName, does string) int {
	if len(c.Tables) == maxCardTables {
		c.More++
		return -1
	}
	c.Tables = append(c.Tables, cardTable{Name: cardText(name.String()), Does: does})
	return len(c.Tables) - 1
}

// does is what a kind of difference does to the table or type that it is about.
func does(kind designer.DiffKind) string {
	switch kind {
	case designer.DiffAddTable, designer.DiffAddType, designer.DiffAddSchema:
		return "added"
	case designer.DiffDropTable, designer.DiffDropType:
		return "dropped"
	}
	return "changed"
}
