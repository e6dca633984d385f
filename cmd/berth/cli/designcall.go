package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// designCall is one operation of the designer, called by a command.
type designCall struct {
	operation  string
	connection string // "": the active designer, or the only connection
	payload    map[string]any
	options    map[string]any
	// answer puts what the instance asks to a person. nil: nobody is asked.
	answer func(requests json.RawMessage) (inputResponses, error)
}

// designReply is what commands read of the designer's replies.
type designReply struct {
	Success    bool   `json:"success"`
	Reason     string `json:"reason,omitzero"`
	Message    string `json:"message,omitzero"`
	Version    string `json:"version,omitzero"`
	Server     string `json:"server,omitzero"`
	Database   string `json:"database,omitzero"`
	Sync       string `json:"sync,omitzero"`
	Steps      int    `json:"steps,omitzero"`
	Total      int    `json:"total,omitzero"`
	NextOffset int    `json:"nextOffset,omitzero"`

	Changes   []designChange   `json:"changes,omitzero"`
	Left      []designChange   `json:"left,omitzero"`
	Risks     []string         `json:"risks,omitzero"`
	Blocked   []blockedTable   `json:"blocked,omitzero"`
	Notes     []string         `json:"notes,omitzero"`
	Conflicts []designConflict `json:"conflicts,omitzero"`
	Path      string           `json:"path,omitzero"`
	Bytes     int              `json:"bytes,omitzero"`
	SHA256    string           `json:"sha256,omitzero"`

	Interrupted *struct {
		Applied int    `json:"appliedSteps,omitzero"`
		Next    string `json:"nextStep,omitzero"`
	} `json:"interrupted,omitzero"`
	FailedStep *struct {
		Step      int    `json:"step,omitzero"`
		Applied   int    `json:"appliedSteps,omitzero"`
		Statement string `json:"statement,omitzero"`
	} `json:"failedStep,omitzero"`
	Place *struct {
		Excerpt string `json:"excerpt,omitzero"`
	} `json:"place,omitzero"`
	Receipt struct {
		ReadAs   *readAs  `json:"readAs,omitzero"`
		Warnings []string `json:"warnings,omitzero"`
	} `json:"receipt,omitzero"`
	Hints struct {
		NearestNames []string `json:"nearestNames,omitzero"`
	} `json:"hints,omitzero"`
}

// design calls one operation of the project's designer, opening it first where
// it is not open yet. A refusal is an error.
func (a *app) design(ctx context.Context, l *link, root string, c designCall) (*designReply, error) {
	r, err := a.designOnce(ctx, l, root, c)
	if err != nil || r.Reason != "no_active_designer" {
		return r, orRefused(r, err)
	}
	show := designCall{operation: "show", connection: c.connection}
	if r, err = a.designOnce(ctx, l, root, show); err != nil || !r.Success {
		return r, orRefused(r, err)
	}
	r, err = a.designOnce(ctx, l, root, c)
	return r, orRefused(r, err)
}

func (a *app) designOnce(ctx context.Context, l *link, root string, c designCall) (*designReply, error) {
	arguments := map[string]any{"operation": c.operation, "projectRoot": root}
	for name, value := range map[string]map[string]any{"payload": c.payload, "options": c.options} {
		if len(value) > 0 {
			arguments[name] = value
		}
	}
	if c.connection != "" {
		arguments["connectionName"] = c.connection
	}
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil, fmt.Errorf("encode call: %w", err)
	}
	opts := proxy.CallOptions{Client: wire.Client{Name: wire.CommandLine, Version: build.Read().Version, Elicitation: c.answer != nil}}
	view := newProgressView(a.sys.Stderr)
	opts.Progress = view.show
	declined := false
	for {
		line, err := l.client.Call(ctx, catalog.SchemaDesigner, raw, opts)
		view.clear()
		switch {
		case errors.Is(err, proxy.ErrNotRunning):
			return nil, notRunning(root)
		case err != nil:
			return nil, err
		case line.Result != nil && line.Result.IsError && declined:
			return nil, errDeclined
		case line.Result != nil:
			return readDesign(line.Result)
		case line.Input == nil || c.answer == nil:
			return nil, errors.New("the instance ended its reply without a result")
		}
		answers, err := c.answer(line.Input.Requests)
		if err != nil {
			return nil, err
		}
		if opts.InputResponses, err = json.Marshal(answers); err != nil {
			return nil, fmt.Errorf("encode answers: %w", err)
		}
		declined = answers.declined()
		opts.RequestState = line.Input.State
	}
}

func readDesign(r *wire.Result) (*designReply, error) {
	reply := &designReply{}
	if len(r.Content) == 0 {
		return nil, errors.New("the designer answered nothing")
	}
	if err := json.Unmarshal([]byte(r.Content[0]), reply); err != nil {
		return nil, &failure{code: exitFailed, text: strings.TrimSpace(r.Content[0])}
	}
	return reply, nil
}

// orRefused returns a refusal as an error.
func orRefused(r *designReply, err error) error {
	if err != nil || r.Success || r.Reason == "no_active_designer" && r.Message == "" {
		return err
	}
	f := &failure{code: exitFailed, text: r.Message}
	if r.Place != nil {
		f.excerpt = r.Place.Excerpt
	}
	switch r.Reason {
	case "approval_required", "declined", "validation_error", "database_refused", "drifted":
		f.code = exitRefused
	case "invalid_request":
		f.code = exitUsage
	}
	if r.FailedStep != nil {
		f.hint = stepHint(r.FailedStep.Applied, r.FailedStep.Statement)
	} else if len(r.Hints.NearestNames) > 0 {
		f.hint = "there are " + strings.Join(r.Hints.NearestNames, ", ")
	}
	return f
}

// stepHint says what a refused step leaves behind. A check of the whole has
// no statement.
func stepHint(applied int, statement string) string {
	hint := "nothing was changed"
	if applied > 0 {
		hint = fmt.Sprintf("%d statement(s) are made, and berth publish resumes there", applied)
	}
	if statement != "" {
		hint += "; refused: " + oneLine(statement)
	}
	return hint
}

// below names a file, as it is typed in the working directory, from the
// project's root, as tools name files. One elsewhere is left to be refused.
func (a *app) below(root, file string) string {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	if resolved, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
		absolute = filepath.Join(resolved, filepath.Base(absolute))
	}
	name, err := filepath.Rel(root, absolute)
	if err != nil || !filepath.IsLocal(name) {
		return file
	}
	return filepath.ToSlash(name)
}

// withDesign runs a command against the instance of the project that the
// arguments name, or the working directory's.
func (a *app) withDesign(cmd *cobra.Command, args []string, run func(l *link, root, connection string) error) error {
	connection, dir, err := a.places(cmd, args)
	if err != nil {
		return err
	}
	root, err := a.root(dir)
	if err != nil {
		return err
	}
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	return run(l, root, connection)
}

// printReply prints what a command reports as one line of JSON.
func (a *app) printReply(r *designReply) error {
	r.NextOffset = 0 // all pages are in it
	return printJSON(a.sys.Stdout, r)
}

// jsonFlag is the flag of the commands that report.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one line of JSON")
}

// errNeedsYes refuses --json where a person would have to be asked.
var errNeedsYes = errors.New("--json asks no questions: give --yes with it")
