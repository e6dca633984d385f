package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/spf13/cobra"
)

type initFlags struct {
	yes   bool // write without asking
	print bool // write nothing
}

func newInit(a *app) *cobra.Command {
	var flags initFlags
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Tell your agent and your editor about berth",
		Long: `Add berth to three files of the project at DIR (the working directory unless
given):

  .mcp.json           Claude Code starts "berth mcp"
  .vscode/mcp.json    VS Code's agent starts "berth mcp"
  .vscode/tasks.json  VS Code runs "berth serve" while the folder is open

What stands in the files stays as it is, comments and formatting included. An
entry for berth that is there already is left alone, so it is safe to run this
again. A file that cannot be read as JSON with comments is refused, and then
none is written.

What would change is shown first; on a terminal you are asked. Without a
terminal nothing is written unless --yes says so.`,
		Example: `  berth init                # show, ask, write
  berth init --print        # show only
  berth init --yes ~/app    # show and write`,
		Args:              upTo(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.yes && flags.print {
				return usage(cmd, errors.New("--yes and --print exclude each other"))
			}
			root, err := a.root(args)
			if err != nil {
				return err
			}
			return a.setUp(root, flags)
		},
	}
	cmd.Flags().BoolVarP(&flags.yes, "yes", "y", false, "write without asking")
	cmd.Flags().BoolVar(&flags.print, "print", false, "show what would be written, and write nothing")
	return cmd
}

// plannedFile is one file's change.
type plannedFile struct {
	setup
	before, after []byte // before is nil for a new file
	mode          fs.FileMode
}

// setUp plans all files, shows the plan, asks and writes.
func (a *app) setUp(root string, flags initFlags) error {
	dir, err := os.OpenRoot(root) // no symbolic link leads the writes elsewhere
	if err != nil {
		return fmt.Errorf("open project: %w", err)
	}
	defer dir.Close()
	plan, err := a.planSetup(dir)
	if err != nil || len(plan) == 0 {
		return err
	}
	if flags.print {
		return nil
	}
	if !flags.yes {
		person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
		if !person.present() {
			return &failure{code: exitUsage, text: "nothing is written without a terminal to ask on",
				hint: "write with: berth init --yes"}
		}
		if !person.confirm("Write?") {
			return &failure{code: exitRefused, text: "nothing written"}
		}
	}
	for _, p := range plan {
		if err := p.write(dir); err != nil {
			return err
		}
		fmt.Fprintf(a.sys.Stdout, "wrote %s: %s\n", p.file, p.purpose)
	}
	return nil
}

// planSetup works every file out before any is written.
func (a *app) planSetup(dir *os.Root) ([]plannedFile, error) {
	var plan []plannedFile
	for _, s := range setups() {
		p := plannedFile{setup: s, mode: 0o644}
		if err := p.read(dir); err != nil {
			return nil, &failure{cause: fmt.Errorf("add berth to %s: %w", s.file, err), hint: "nothing was written; mend the file and run berth init again"}
		}
		if p.after == nil {
			fmt.Fprintf(a.sys.Stdout, "%s has berth already\n", s.file)
			continue
		}
		plan = append(plan, p)
	}
	for _, p := range plan {
		preview(a.sys.Stdout, p.file, p.before, p.after)
	}
	return plan, nil
}

// maxSetupBytes bounds the files that are added to.
const maxSetupBytes = 1 << 20

func (p *plannedFile) read(dir *os.Root) error {
	info, err := dir.Lstat(p.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	case info.Size() > maxSetupBytes:
		return fmt.Errorf("is larger than %d bytes", maxSetupBytes)
	default:
		p.mode = info.Mode().Perm()
		if p.before, err = dir.ReadFile(p.file); err != nil {
			return err
		}
	}
	mark, text := cutMark(p.before)
	c, err := parseCommented(text)
	if err != nil {
		return err
	}
	p.after, err = p.add(c)
	if err != nil || p.after == nil {
		return err
	}
	if _, err := parseCommented(p.after); err != nil { // must not happen: better no file than a broken one
		return fmt.Errorf("the addition does not fit: %w", err)
	}
	p.after = append(mark, p.after...)
	return nil
}

// cutMark splits a byte order mark off.
func cutMark(text []byte) (mark, rest []byte) {
	bom := []byte("\xef\xbb\xbf")
	if rest, ok := bytes.CutPrefix(text, bom); ok {
		return bom, rest
	}
	return nil, text
}

// write replaces the file at once, unless it changed since it was shown.
func (p *plannedFile) write(dir *os.Root) error {
	now, err := dir.ReadFile(p.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(now, p.before) {
		return &failure{code: exitBusy, text: p.file + " changed meanwhile", hint: "run berth init again"}
	}
	if err := dir.MkdirAll(path.Dir(p.file), 0o755); err != nil {
		return err
	}
	temporary := p.file + ".berth-new"
	if err := dir.WriteFile(temporary, p.after, p.mode); err != nil {
		return err
	}
	if err := dir.Rename(temporary, p.file); err != nil {
		return errors.Join(err, dir.Remove(temporary))
	}
	return nil
}
