package cli

import (
	"fmt"

	"github.com/tailscale/hujson"
)

// A setup is one file that berth init adds to.
type setup struct {
	file    string // below the project, with slashes
	purpose string
	// add returns the file's new text, or nil if it says what it should.
	add func(c *jsoncFile) ([]byte, error)
}

// setups lists the files.
func setups() []setup {
	return []setup{
		{".mcp.json", "Claude Code starts berth mcp", func(c *jsoncFile) ([]byte, error) {
			return c.addServer("mcpServers", mcpServer{Command: "berth", Args: []string{"mcp"}})
		}},
		{".vscode/mcp.json", "VS Code's agent starts berth mcp", func(c *jsoncFile) ([]byte, error) {
			return c.addServer("servers", mcpServer{Type: "stdio", Command: "berth", Args: []string{"mcp"}})
		}},
		{".vscode/tasks.json", "VS Code runs berth serve while the folder is open", addTask},
	}
}

// mcpServer is one entry of a client's list of MCP servers.
type mcpServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// addServer adds the server "berth" to the object called list. One that is
// there already stays, whatever it says: a person may have changed it.
func (c *jsoncFile) addServer(list string, server mcpServer) ([]byte, error) {
	servers, ok, err := member(c.root, list)
	if err != nil {
		return nil, err
	}
	if !ok {
		return c.addMember(c.root, list, map[string]mcpServer{"berth": server})
	}
	_, ok, err = member(servers, "berth")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	if ok {
		return nil, nil
	}
	return c.addMember(servers, "berth", server)
}

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

func serveTask() task {
	return task{
		Label: taskLabel, Type: "process", Command: "berth",
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

// addTask adds the task, and before it what else a tasks.json needs.
func addTask(c *jsoncFile) ([]byte, error) {
	tasks, ok, err := member(c.root, "tasks")
	if err != nil {
		return nil, err
	}
	if ok {
		return c.addToTasks(tasks)
	}
	_, ok, err = member(c.root, "version")
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
	return c.addMember(c.root, "tasks", []task{serveTask()})
}

func (c *jsoncFile) addToTasks(tasks hujson.Value) ([]byte, error) {
	list, ok := tasks.Value.(*hujson.Array)
	if !ok {
		return nil, fmt.Errorf("tasks is not a list")
	}
	for _, element := range list.Elements {
		label, ok, err := member(element, "label")
		if err != nil {
			return nil, fmt.Errorf("tasks: %w", err)
		}
		if text, isText := label.Value.(hujson.Literal); ok && isText && text.String() == taskLabel {
			return nil, nil
		}
	}
	return c.addElement(tasks, serveTask())
}
