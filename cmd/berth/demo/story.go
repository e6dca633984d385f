package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// tally compares what the agent paid for its mutations and refusals with
// what it would have paid had each reply carried the whole schema.
type tally struct{ paid, whole int }

// play is the story, scene by scene.
func (s *stage) play(ctx context.Context) error {
	if err := s.askBoth(ctx); err != nil {
		return err
	}
	d := &design{stage: s, root: s.harbour.root}
	for _, scene := range []func(context.Context) error{
		d.open, d.quickStart, d.personEdits, d.staleEdit, d.partialFailure, d.undo, d.publish, d.sum,
	} {
		if err := scene(ctx); err != nil {
			return err
		}
	}
	return nil
}

// askBoth asks both projects the same question over the one front-end.
func (s *stage) askBoth(ctx context.Context) error {
	s.tell.title("One agent asks both; each is answered by its own database")
	for _, p := range []project{s.harbour, s.chandlery} {
		r, err := s.agent.call(ctx, "get-tables", p.root, nil)
		if err != nil {
			return err
		}
		own := map[string]string{"harbour": "port_call", "chandlery": "sale_line"}[p.name]
		if r.isError || !strings.Contains(r.text, own) {
			return fmt.Errorf("get-tables of %s answered %.200s", p.name, r.text)
		}
		s.tell.cost("get-tables {projectRoot: …/"+p.name+"}", r, 0)
	}
	query := "SELECT v.name, count(*) AS calls FROM port_call c JOIN vessel v ON v.imo = c.vessel_imo GROUP BY v.imo ORDER BY calls DESC, v.name LIMIT 3"
	r, err := s.agent.call(ctx, "run-query", s.harbour.root, map[string]any{"query": query})
	if err != nil {
		return err
	}
	if r.isError {
		return fmt.Errorf("run-query answered %.200s", r.text)
	}
	s.tell.cost("run-query the three busiest vessels", r, 0)
	return nil
}

// design is the part of the story that happens in the schema designer.
type design struct {
	*stage
	root    string
	version string // as the agent last read or wrote it
	agreed  tally
}

// answer holds the fields of the designer's replies that the story checks.
type answer struct {
	Success         bool
	Reason          string
	Message         string
	Version         string
	CurrentVersion  string
	AppliedEdits    int
	FailedEditIndex *int
	Receipt         struct{ AppliedEdits int }
	Overview        struct{ Tables []json.RawMessage }
}

func (d *design) ask(ctx context.Context, args map[string]any) (reply, answer, error) {
	r, err := d.agent.call(ctx, designerTool, d.root, args)
	if err != nil {
		return r, answer{}, err
	}
	var a answer
	return r, a, r.decode(&a)
}

// mutate is ask for a mutation or its refusal: the whole schema's weight at
// this moment is put beside the reply's.
func (d *design) mutate(ctx context.Context, said string, args map[string]any) (answer, error) {
	r, a, err := d.ask(ctx, args)
	if err != nil {
		return a, err
	}
	whole, err := d.agent.wholeSchema(ctx, d.root)
	if err != nil {
		return a, err
	}
	d.agreed.paid += r.bytes
	d.agreed.whole += whole
	d.tell.cost(said, r, whole)
	return a, nil
}

func (d *design) open(ctx context.Context) error {
	d.tell.title("The designer opens on the harbour database")
	r, a, err := d.ask(ctx, map[string]any{"operation": "show"})
	if err != nil {
		return err
	}
	if !a.Success {
		return fmt.Errorf("show was refused: %s", a.Message)
	}
	d.tell.cost("show", r, 0)
	r, a, err = d.ask(ctx, map[string]any{"operation": "get_overview"})
	if err != nil {
		return err
	}
	if !a.Success || len(a.Overview.Tables) != 12 {
		return fmt.Errorf("get_overview shows %d tables, want 12: %s", len(a.Overview.Tables), a.Message)
	}
	d.tell.cost("get_overview (once; from here on the version is enough)", r, 0)
	d.version = a.Version
	return nil
}

func (d *design) quickStart(ctx context.Context) error {
	d.tell.title("Quick start: 15 tables, 17 foreign keys, an index and a check in one call")
	raw, err := data.ReadFile("data/quickstart.json")
	if err != nil {
		return err
	}
	var edits []any
	if err := json.Unmarshal(raw, &edits); err != nil {
		return fmt.Errorf("read quick start: %w", err)
	}
	a, err := d.mutate(ctx, fmt.Sprintf("apply_edits (%d edits)", len(edits)), apply(d.version, edits...))
	if err != nil {
		return err
	}
	if !a.Success || a.Receipt.AppliedEdits != len(edits) {
		return fmt.Errorf("quick start applied %d of %d edits: %s", a.Receipt.AppliedEdits, len(edits), a.Message)
	}
	d.version = a.Version
	return nil
}

// personEdits changes the design at the page; the agent does not know.
func (d *design) personEdits(ctx context.Context) error {
	d.tell.title("Meanwhile a person edits at the page")
	p, err := d.opts.signIn(ctx, d.root)
	if err != nil {
		return err
	}
	version, err := p.edit(ctx, d.root, d.version, map[string]any{
		"op": "set_column", "table": map[string]any{"name": "tug"},
		"column": map[string]any{"name": "bollard_pull_t"}, "set": map[string]any{"name": "pull_tonnes"}})
	if err != nil {
		return err
	}
	if version == d.version {
		return fmt.Errorf("the person's edit left the version at %s", version)
	}
	d.tell.line("person ▸ renames tug.bollard_pull_t to pull_tonnes; version %s… → %s…", d.version[:8], version[:8])
	return nil
}

func (d *design) staleEdit(ctx context.Context) error {
	d.tell.title("The agent's next edit is stale: refused, nothing overwritten")
	edit := map[string]any{"op": "add_column", "table": map[string]any{"name": "tug"},
		"column": map[string]any{"name": "built_year", "dataType": "INTEGER"}}
	a, err := d.mutate(ctx, "apply_edits with the old version", apply(d.version, edit))
	if err != nil {
		return err
	}
	if a.Success || a.Reason != "stale_state" {
		return fmt.Errorf("a stale edit was answered %q, want stale_state", a.Reason)
	}
	r, table, err := d.ask(ctx, map[string]any{"operation": "get_table",
		"payload": map[string]any{"table": map[string]any{"name": "tug"}}})
	if err != nil {
		return err
	}
	d.tell.cost("get_table tug (resync: one table, not the schema)", r, 0)
	a, err = d.mutate(ctx, "apply_edits again, on the current version", apply(table.Version, edit))
	if err != nil {
		return err
	}
	if !a.Success {
		return fmt.Errorf("the edit after resync was refused: %s", a.Message)
	}
	d.version = a.Version
	return nil
}

func (d *design) partialFailure(ctx context.Context) error {
	d.tell.title("A batch fails in the middle: what was applied is said exactly")
	a, err := d.mutate(ctx, "apply_edits (3 edits, the second names a type that does not exist)", apply(d.version,
		map[string]any{"op": "add_column", "table": map[string]any{"name": "crane"},
			"column": map[string]any{"name": "maker", "dataType": "TEXT"}},
		map[string]any{"op": "add_column", "table": map[string]any{"name": "crane"},
			"column": map[string]any{"name": "model", "dataType": "strng"}},
		map[string]any{"op": "drop_table", "table": map[string]any{"name": "spare_part"}}))
	if err != nil {
		return err
	}
	if a.Success || a.AppliedEdits != 1 || a.FailedEditIndex == nil || *a.FailedEditIndex != 1 {
		return fmt.Errorf("partial failure answered %+v", a)
	}
	d.version = a.CurrentVersion
	return nil
}

func (d *design) undo(ctx context.Context) error {
	d.tell.title("Undo takes back the edit that was applied")
	a, err := d.mutate(ctx, "undo", map[string]any{"operation": "undo",
		"payload": map[string]any{"expectedVersion": d.version}})
	if err != nil {
		return err
	}
	if !a.Success || a.Version == d.version {
		return fmt.Errorf("undo answered %q, version %s", a.Message, a.Version)
	}
	d.version = a.Version
	return nil
}

func (d *design) sum(context.Context) error {
	d.tell.title("What the agent paid")
	d.tell.line("%d bytes for the whole session, all reads included", d.agent.spent)
	d.tell.line("%d bytes for its mutations and their refusals; with the whole schema in each: %d (%.0f times as much)",
		d.agreed.paid, d.agreed.whole, float64(d.agreed.whole)/float64(d.agreed.paid))
	return nil
}

// apply makes the arguments of apply_edits.
func apply[E any](version string, edits ...E) map[string]any {
	return map[string]any{"operation": "apply_edits",
		"payload": map[string]any{"expectedVersion": version, "edits": edits}}
}
