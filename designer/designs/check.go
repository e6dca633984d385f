package designs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Check reads the files of the designs of the project at root by themselves,
// with no design and no keeper beside them, and lists those that no design
// could be taken from, sorted. read counts the others. The error is that of
// the folder, which need not exist.
func Check(root string) (problems []Problem, read int, err error) {
	project, err := os.OpenRoot(root)
	if err != nil {
		return nil, 0, fmt.Errorf("check designs of %s: %w", root, err)
	}
	defer project.Close()
	entries, err := fs.ReadDir(project.FS(), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("check designs of %s: %w", root, err)
	}
	for _, e := range entries {
		name := e.Name()
		if !isDesign(name) {
			continue
		}
		connection, err := checkFile(disk{root: project}, name)
		if err != nil {
			problems = append(problems, Problem{Connection: connection, File: path.Join(folder, name), Reason: err.Error()})
			continue
		}
		read++
	}
	return problems, read, nil
}

// Stored is a design as its file has it.
type Stored struct {
	Connection string
	Dialect    string
	File       string // below the project's root, with forward slashes
	Definition designer.Definition
}

// Read returns the designs of the project at root as their files have them,
// sorted by file, for a reader that has no instance. The error is that of the
// first file that cannot be read.
func Read(root string) ([]Stored, error) {
	project, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("read designs of %s: %w", root, err)
	}
	defer project.Close()
	entries, err := fs.ReadDir(project.FS(), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read designs of %s: %w", root, err)
	}
	var list []Stored
	for _, e := range entries {
		if !isDesign(e.Name()) {
			continue
		}
		text, err := (disk{root: project}).read(e.Name())
		if err != nil {
			return nil, err
		}
		doc, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path.Join(folder, e.Name()), err)
		}
		list = append(list, Stored{Connection: doc.Connection, Dialect: doc.Dialect, File: path.Join(folder, e.Name()), Definition: doc.definition()})
	}
	return list, nil
}

// isDesign reports whether a file is a design's and not one of those beside it.
func isDesign(name string) bool {
	stem, ok := strings.CutSuffix(name, ".json")
	if !ok || strings.HasPrefix(name, ".") {
		return false
	}
	at := strings.LastIndexByte(stem, '.')
	return at < 0 || !ours(strings.ToLower(stem[at+1:]))
}

// checkFile reads one file; connection is that it says it is of, "" where it
// does not get that far.
func checkFile(d disk, name string) (connection string, err error) {
	text, err := d.read(name)
	if err != nil {
		return "", err
	}
	doc, err := parse(text)
	if err == nil && !strings.EqualFold(stem(doc.Connection)+".json", name) {
		err = fmt.Errorf("connection is %q: the file's name says another", excerpt(doc.Connection))
	}
	return doc.Connection, err
}
