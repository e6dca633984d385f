package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/portmap/homefile"
)

func newHostsAdd(a *app) *cobra.Command {
	var autostart bool
	cmd := &cobra.Command{
		Use:   "add NAME COMMAND…",
		Short: "Name another machine by the command that gets you there",
		Long: `Write a host into your config.yaml. COMMAND is what gets you there; "berth
relay", or relay behind a path of berth, is put behind it unless its last word
is relay. ssh gets -T and -o BatchMode=yes, since no password can be typed for an
agent. A flag of berth comes before NAME; everything behind it is the command's.`,
		Example: `  berth hosts add build1 ssh build1
  berth hosts add ubuntu wsl.exe -d Ubuntu
  berth hosts add api docker exec -i api-dev
  berth hosts add --autostart build1 ssh build1 /opt/berth/bin/berth relay`,
		Args:              func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.MinimumNArgs(2)(cmd, args)) },
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			h := settings.Host{Name: args[0], Command: relayCommand(args[1:]), Autostart: autostart}
			err := a.editConfig(func(text []byte) ([]byte, error) { return settings.InsertHost(text, h) })
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.sys.Stdout, "added the host %s: %s\nsee whether it answers with: berth hosts\n", h.Name, oneLine(strings.Join(h.Command, " ")))
			return err
		},
	}
	cmd.Flags().BoolVar(&autostart, "autostart", false, "let berth mcp --autostart start stopped projects there")
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func newHostsRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "Take a machine out of your config.yaml",
		Example: `  berth hosts remove build1`,
		Args:    func(cmd *cobra.Command, args []string) error { return usage(cmd, cobra.ExactArgs(1)(cmd, args)) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			l, err := a.link(nil)
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return l.hosts.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.editConfig(func(text []byte) ([]byte, error) { return settings.RemoveHost(text, args[0]) }); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.sys.Stdout, "removed the host %s\n", oneLine(args[0]))
			return err
		},
	}
}

// relayCommand completes the command that gets a person to a machine.
func relayCommand(words []string) []string {
	words = slices.Clone(words)
	program := strings.TrimSuffix(strings.ToLower(filepath.Base(words[0])), ".exe")
	if program == "ssh" {
		var flags []string
		if !slices.Contains(words, "-T") {
			flags = append(flags, "-T")
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "BatchMode") }) {
			flags = append(flags, "-o", "BatchMode=yes")
		}
		words = slices.Insert(words, 1, flags...)
	}
	switch last := words[len(words)-1]; {
	case last == "relay":
	case isPathOfBerth(last):
		words = append(words, "relay")
	default:
		words = append(words, "berth", "relay")
	}
	return words
}

// isPathOfBerth reports whether a word is a path to the program; the word berth
// alone may be a machine's name.
func isPathOfBerth(word string) bool {
	i := strings.LastIndexAny(word, `/\`)
	return i >= 0 && strings.TrimSuffix(strings.ToLower(word[i+1:]), ".exe") == "berth"
}

// maxConfigBytes bounds the user's config.yaml.
const maxConfigBytes = 64 << 10

// editConfig changes the user's own config.yaml: all of it, or nothing.
func (a *app) editConfig(edit func(text []byte) ([]byte, error)) error {
	home, err := a.home()
	if err != nil {
		return err
	}
	if _, err := secureHome(home); err != nil {
		return err
	}
	file := home.ConfigFile()
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // people keep it among their own files
	}
	text, err := homefile.Read(file, maxConfigBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	changed, err := edit(text)
	if errors.Is(err, settings.ErrForm) {
		return &failure{text: "the hosts in " + file + " are written in a form that is not edited here",
			hint: "write the host as a line below hosts: build1: {command: [ssh, -T, build1, berth, relay]}"}
	}
	if err != nil {
		return &failure{code: exitUsage, cause: err}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".config-*") // 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // fails once it is renamed
	_, err = f.Write(changed)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.Rename(f.Name(), file)
}
