package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/tools/catalog"
)

// helpOfTools has berth call TOOL --help print that tool's arguments.
func helpOfTools(cmd *cobra.Command) {
	general := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		for _, d := range catalog.All() {
			if slices.Contains(args, d.Name) {
				printTool(cmd.OutOrStdout(), d)
				return
			}
		}
		general(cmd, args)
	})
}

// argumentSchema is what is shown of an argument.
type argumentSchema struct {
	Type        any                       `json:"type"`
	Description string                    `json:"description"`
	Enum        []any                     `json:"enum"`
	Items       *argumentSchema           `json:"items"`
	Properties  map[string]argumentSchema `json:"properties"`
	Required    []string                  `json:"required"`
}

// printTool prints what an agent is told of a tool.
func printTool(w io.Writer, d catalog.Definition) {
	fmt.Fprintf(w, "%s\n\n%s\n\nUsage:\n  berth call %s '{\"ARGUMENT\": VALUE, …}'\n\nArguments:\n", d.Title, d.Description, d.Name)
	var s argumentSchema
	if err := json.Unmarshal(d.InputSchema, &s); err != nil {
		fmt.Fprintf(w, "%s\n", d.InputSchema) // as it is: still all that there is to know
		return
	}
	printArguments(w, s, "  ")
	fmt.Fprint(w, "\nprojectRoot is the working directory unless it is given.\n")
}

// printArguments prints the members of an object, those that are required first.
func printArguments(w io.Writer, s argumentSchema, indent string) {
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int {
		return required(s, b) - required(s, a)
	})
	for _, name := range names {
		p := s.Properties[name]
		line := indent + name + "  " + typeWords(p)
		if required(s, name) == 1 {
			line += ", required"
		}
		if p.Description != "" {
			line += ": " + p.Description
		}
		fmt.Fprintln(w, line)
		printArguments(w, p, indent+"  ")
		if p.Items != nil {
			printArguments(w, *p.Items, indent+"  ")
		}
	}
}

func required(s argumentSchema, name string) int {
	if slices.Contains(s.Required, name) {
		return 1
	}
	return 0
}

// typeWords is an argument's type as JSON Schema names it.
func typeWords(p argumentSchema) string {
	text := "any"
	switch t := p.Type.(type) {
	case string:
		text = t
	case []any:
		var words []string
		for _, one := range t {
			words = append(words, fmt.Sprint(one))
		}
		text = strings.Join(words, " or ")
	}
	if p.Items != nil {
		text += " of " + typeWords(*p.Items)
	}
	if len(p.Enum) > 0 {
		var words []string
		for _, one := range p.Enum {
			words = append(words, fmt.Sprint(one))
		}
		text += " (" + strings.Join(words, ", ") + ")"
	}
	return text
}
