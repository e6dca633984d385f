package clients

import (
	"fmt"

	"github.com/tailscale/hujson"
)

// task is a VS Code task. Its matcher finds no problems; it tells the editor
// from the output when the task has begun to serve.
type task struct {
	Label          string       `json:"label"`
	Type           string       `json:"type"`
	Command        string       `json:"command"`
	Args           []string     `json:"args"`
	IsBackground   bool         `json:"isBackground"`
	RunOptions     runOptions   `json:"runOptions"`
	Presentation   presentation `json:"presentation"`
	ProblemMatcher matcher      `json:"problemMatcher"`
}

type runOptions struct {
	RunOn string `json:"runOn"`
}

type presentation struct {
	Reveal string `json:"reveal"`
	Panel  string `json:"panel"`
}

type matcher struct {
	Owner      string     `json:"owner"`
	Pattern    pattern    `json:"pattern"`
	Background background `json:"background"`
}

type pattern struct {
	Regexp  string `json:"regexp"`
	Kind    string `json:"kind"`
	File    int    `json:"file"`
	Message int    `json:"message"`
}

type background struct {
	ActiveOnStart bool   `json:"activeOnStart"`
	BeginsPattern string `json:"beginsPattern"`
	EndsPattern   string `json:"endsPattern"`
}

const taskLabel = "berth serve"

func serveTask(command string) task {
	return task{
		Label: taskLabel, Type: "process", Command: command,
		Args:         []string{"serve", "--if-enabled", "${workspaceFolder}"},
		IsBackground: true,
		RunOptions:   runOptions{RunOn: "folderOpen"},
		Presentation: presentation{Reveal: "silent", Panel: "dedicated"},
		ProblemMatcher: matcher{
			Owner:   "berth",
			Pattern: pattern{Regexp: `^berth: ((.*))$`, Kind: "file", File: 1, Message: 2},
			Background: background{
				ActiveOnStart: true,
				BeginsPattern: "^taking over ",
				EndsPattern:   "^(serving|not serving) ",
			},
		},
	}
}

// tasksFile is VS Code's file of tasks. Of berth's task only the command is
// read and mended: the rest a person may have changed.
type tasksFile struct{}

type tasksDocument struct{ *jsoncFile }

func (tasksFile) parse(text []byte) (document, error) {
	c, err := parseCommented(text)
	return tasksDocument{c}, err
}

// own finds the task.
func (d tasksDocument) own() (list, own hujson.Value, index int, err error) {
	list, ok, err := lookUp(d.root, "tasks")
	if err != nil || !ok {
		return list, own, -1, err
	}
	tasks, ok := list.Value.(*hujson.Array)
	if !ok {
		return list, own, -1, fmt.Errorf("tasks is not a list")
	}
	for i, element := range tasks.Elements {
		label, ok, err := lookUp(element, "label")
		if err != nil {
			return list, own, -1, fmt.Errorf("tasks: %w", err)
		}
		if text, isText := label.Value.(hujson.Literal); ok && isText && text.String() == taskLabel {
			return list, element, i, nil
		}
	}
	return list, own, -1, nil
}

// entry is the task's command, as if it were the front-end's: it is the same
// program.
func (d tasksDocument) entry() (Entry, bool, error) {
	_, own, index, err := d.own()
	if err != nil || index < 0 {
		return Entry{}, false, err
	}
	command, ok, err := lookUp(own, "command")
	if text, isText := command.Value.(hujson.Literal); err == nil && ok && isText {
		return Entry{Command: text.String(), Args: []string{"mcp"}, Bare: true}, true, nil
	}
	return Entry{}, true, err
}

// add adds the task, and before it what else a tasks.json needs.
func (d tasksDocument) add(e Entry) ([]byte, error) {
	list, ok, err := lookUp(d.root, "tasks")
	if err != nil {
		return nil, err
	}
	if ok {
		if _, isList := list.Value.(*hujson.Array); !isList {
			return nil, fmt.Errorf("tasks is not a list")
		}
		return d.addElement(list, serveTask(e.Command))
	}
	c := d.jsoncFile
	_, ok, err = lookUp(c.root, "version")
	if err != nil {
		return nil, err
	}
	if !ok {
		text, err := c.addMember(c.root, "version", "2.0.0")
		if err != nil {
			return nil, err
		}
		if c, err = parseCommented(text); err != nil {
			return nil, err
		}
	}
	return c.addMember(c.root, "tasks", []task{serveTask(e.Command)})
}

func (d tasksDocument) mend(e Entry) ([]byte, error) {
	_, own, _, err := d.own()
	if err != nil {
		return nil, err
	}
	command, ok, err := lookUp(own, "command")
	if err != nil || !ok {
		return d.replace(own, serveTask(e.Command))
	}
	return d.replace(command, e.Command)
}

func (d tasksDocument) remove() ([]byte, error) {
	list, _, index, err := d.own()
	if err != nil || index < 0 {
		return nil, err
	}
	return d.jsoncFile.remove(list, index), nil
}
