package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/build"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/rowset"
)

func newCall(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call TOOL [JSON]",
		Short: "Call a tool as an agent would",
		Long: `Call a tool of a running project and print what an agent would get, each item
of the reply on lines of its own: on stdout, or of a tool that failed on stderr.
The arguments are one JSON object; "-" reads it from stdin. projectRoot is the
working directory unless the object names it.

The exit code is 1 when the tool says that it failed or waits for a person to
allow it, 3 when you declined what it asked you.

--json is for scripts: one line of JSON, on stdout, or of a tool that failed on
stderr; a reply in words becomes a JSON string. berth call TOOL --help prints the
arguments of that tool.

Tools:
  ` + strings.Join(allTools(), "\n  "),
		Example: `  berth call get-tables
  berth call run-query '{"query": "SELECT count(*) FROM users"}'
  berth call mssql_schema_designer '{"operation": "get_overview"}'
  berth call mssql_schema_designer - < edits.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			return usage(cmd, cobra.RangeArgs(1, 2)(cmd, args))
		},
		ValidArgsFunction: toolNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownTool(args[0]); err != nil {
				return err
			}
			arguments, err := a.arguments(args[1:])
			if err != nil {
				return err
			}
			return a.call(cmd.Context(), args[0], arguments, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one line of JSON")
	helpOfTools(cmd)
	return cmd
}

func allTools() []string {
	var list []string
	for _, d := range catalog.All() {
		list = append(list, d.Name)
	}
	return list
}

func knownTool(name string) error {
	if slices.Contains(allTools(), name) {
		return nil
	}
	if catalog.Meant(name) != "" {
		return &failure{code: exitUsage, text: catalog.Unknown(name)}
	}
	return &failure{code: exitUsage, text: "no tool is called " + quote(name), hint: "there are " + strings.Join(allTools(), ", ")}
}

// arguments reads the JSON argument and adds the projectRoot it lacks.
func (a *app) arguments(args []string) (json.RawMessage, error) {
	raw := []byte("{}")
	if len(args) == 1 && args[0] != "-" {
		raw = []byte(args[0])
	} else if len(args) == 1 {
		var err error
		if raw, err = io.ReadAll(io.LimitReader(a.sys.Stdin, wire.MaxRequestBytes+1)); err != nil {
			return nil, fmt.Errorf("read arguments from stdin: %w", err)
		}
	}
	var object map[string]jsontext.Value
	err := wire.Decode(raw, wire.MaxDepth, wire.MaxRequestBytes, &object)
	if err == nil && object == nil {
		err = errors.New("not an object")
	}
	if err != nil {
		return nil, &failure{code: exitUsage, text: "read arguments", cause: err,
			hint: `write one JSON object, as in '{"table": "users"}'`}
	}
	if _, ok := object["projectRoot"]; ok {
		return raw, nil
	}
	root, err := a.root(nil)
	if err != nil {
		return nil, err
	}
	if object["projectRoot"], err = json.Marshal(root); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// call calls the tool and prints its reply.
func (a *app) call(ctx context.Context, tool string, arguments json.RawMessage, asJSON bool) error {
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	opts := proxy.CallOptions{Client: wire.Client{Name: "berth call", Version: build.Read().Version, Elicitation: person.present()}}
	view := newProgressView(a.sys.Stderr)
	if view.terminal { // in a pipe stderr is for errors, which a script reads
		opts.Progress = view.show
	}
	declined := false
	for {
		line, err := l.client.Call(ctx, tool, arguments, opts)
		view.clear()
		switch {
		case err != nil:
			return err
		case line.Result != nil:
			if err := a.printResult(line.Result, asJSON); err == nil || !declined {
				return err
			}
			return errDeclined
		case line.Input == nil:
			return errors.New("the instance ended its reply without a result")
		}
		answers, err := person.answer(line.Input.Requests)
		if err != nil {
			return err
		}
		if opts.InputResponses, err = json.Marshal(answers); err != nil {
			return fmt.Errorf("encode answers: %w", err)
		}
		declined = answers.declined()
		opts.RequestState = line.Input.State
	}
}

func (a *app) printResult(r *wire.Result, asJSON bool) error {
	if asJSON {
		return a.printResultLine(r)
	}
	out := a.sys.Stdout
	if r.IsError { // stdout is what was asked for, and nothing else
		out = a.sys.Stderr
	}
	for _, item := range r.Content {
		if isMark(item) { // for models; a script reads what is before it
			continue
		}
		if err := printExact(out, strings.TrimSuffix(item, "\n")); err != nil {
			return err
		}
	}
	if r.IsError {
		return errSilent
	}
	return nil
}

// isMark reports whether an item says to a model that what it read is nobody's
// order. A script has no use for it.
func isMark(item string) bool { return catalog.IsMark(item) || item == rowset.Untrusted }

// printResultLine prints a reply as one line of JSON. What stands beside the
// first item (limits, notes) goes to stderr.
func (a *app) printResultLine(r *wire.Result) error {
	var value any = ""
	if len(r.Content) > 0 {
		value = strings.TrimSuffix(r.Content[0], "\n")
		if json.Valid([]byte(r.Content[0])) {
			value = json.RawMessage(r.Content[0])
		}
	}
	if r.IsError {
		if err := printJSON(a.sys.Stderr, value); err != nil {
			return err
		}
		return errSilent
	}
	for _, item := range r.Content[min(1, len(r.Content)):] {
		if !isMark(item) {
			fmt.Fprintln(a.sys.Stderr, printable(strings.TrimSuffix(item, "\n")))
		}
	}
	return printJSON(a.sys.Stdout, value)
}
