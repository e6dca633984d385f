package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/tools/approval"
)

// approvalFlags are the flags of berth approvals.
type approvalFlags struct {
	json            bool
	approve, reject string // the plan's id; "": neither
}

func newApprovals(a *app) *cobra.Command {
	var flags approvalFlags
	cmd := &cobra.Command{
		Use:   "approvals [DIR]",
		Short: "List what waits for your approval, and decide it",
		Long: `List what agents want to do in the project at DIR (the working directory unless
given) and may not before a person allowed it: edits of files, statements that
write to a database, publishing a design. An agent whose client can ask you
does so itself; what such a client cannot ask waits here, for ten minutes.

DIR may be HOST:/PATH, a project of another machine (see berth hosts).

--approve and --reject decide one of them. They show it once more and ask, at a
terminal: y approves or, where data is lost, the database's name. An approval is
valid once, for exactly what was shown, for ten minutes. The exit code is 3
where nothing was decided.`,
		Example: `  berth approvals
  berth approvals --approve k3v9x2m4qa
  berth approvals build1:/home/ann/app
  berth approvals --json`,
		Args:              upTo(1),
		ValidArgsFunction: a.runningProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().NFlag() > 1 {
				return usage(cmd, errors.New("--json, --approve and --reject do not go together"))
			}
			root, err := a.project(args)
			if err != nil {
				return err
			}
			return a.approvals(cmd.Context(), root, flags)
		},
	}
	cmd.Flags().BoolVar(&flags.json, "json", false, "print one line of JSON, with what is decided already")
	cmd.Flags().StringVar(&flags.approve, "approve", "", "allow the plan with this `id`")
	cmd.Flags().StringVar(&flags.reject, "reject", "", "refuse the plan with this `id`")
	return cmd
}

// approvalsPath is the route of the list; a plan's id below it decides one.
const approvalsPath = "/approvals"

func (a *app) approvals(ctx context.Context, root string, flags approvalFlags) error {
	l, err := a.link(nil)
	if err != nil {
		return err
	}
	defer l.close()
	if flags.approve != "" || flags.reject != "" {
		return a.decide(ctx, l, root, flags)
	}
	list, err := l.approvals(ctx, root)
	switch {
	case err != nil:
		return err
	case flags.json:
		return printJSON(a.sys.Stdout, list)
	}
	return a.printApprovals(list)
}

func (l *link) approvals(ctx context.Context, root string) ([]approval.Entry, error) {
	var reply struct {
		Approvals []approval.Entry `json:"approvals"`
	}
	err := l.ask(ctx, root, http.MethodGet, approvalsPath, &reply)
	return reply.Approvals, err
}

// decide has the person at the terminal decide one plan. What they are shown
// is what the instance holds under that id, which never changes.
func (a *app) decide(ctx context.Context, l *link, root string, flags approvalFlags) error {
	person := terminal{in: a.sys.Stdin, out: a.sys.Stdout}
	if !person.present() {
		return &failure{code: exitRefused, text: "approval required: a person decides this at a terminal, and stdin or stdout is none",
			hint: "have them run it where they can type, or decide on the page: berth open"}
	}
	id, word := flags.approve, choiceApprove
	if id == "" {
		id, word = flags.reject, choiceReject
	}
	list, err := l.approvals(ctx, root)
	if err != nil {
		return err
	}
	e, err := pendingPlan(list, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.sys.Stdout, "project %s\n", printable(root))
	if err := a.printApproval(e); err != nil {
		return err
	}
	if e.Cut && word == choiceApprove {
		return &failure{code: exitRefused, text: "plan " + e.ID + " is longer than what is shown of it, so it cannot be approved",
			hint: "have the agent do it in smaller parts"}
	}
	decided := word == choiceApprove && person.approves(e.NameToType) || word == choiceReject && person.confirm("Reject?")
	if !decided {
		return &failure{code: exitRefused, text: "nothing was decided", hint: "the plan waits until " + clock(e.Expires)}
	}
	e, err = l.settle(ctx, root, e.ID, word, e.NameToType)
	if err != nil {
		return err
	}
	done := "rejected; the agent is told when it asks again"
	if e.State == approval.Approved {
		done = "approved; good once, until " + clock(e.Expires)
	}
	_, err = fmt.Fprintln(a.sys.Stdout, done)
	return err
}

func pendingPlan(list []approval.Entry, id string) (approval.Entry, error) {
	var waiting []string
	for _, e := range list {
		switch {
		case e.ID == id && e.State != approval.Pending:
			return e, &failure{code: exitRefused, text: fmt.Sprintf("plan %s is %s and cannot be decided any more", e.ID, e.State)}
		case e.ID == id:
			return e, nil
		case e.State == approval.Pending:
			waiting = append(waiting, e.ID)
		}
	}
	hint := "nothing waits"
	if len(waiting) > 0 {
		hint = "there wait " + strings.Join(waiting, ", ")
	}
	return approval.Entry{}, &failure{code: exitUsage, text: "no plan is called " + quote(id), hint: hint}
}

// settle decides as a page does, since only a page may: it signs in, decides,
// and signs out again. typed is the name that the person has typed.
func (l *link) settle(ctx context.Context, root, id, decision, typed string) (e approval.Entry, err error) {
	code, _, err := l.client.NewCode(ctx, root)
	if err != nil {
		return e, l.explain(root, err)
	}
	var key struct {
		ID  string `json:"keyId"`
		Key string `json:"key"`
	}
	if err := l.client.Do(ctx, root, http.MethodPost, "/signin", map[string]string{"code": code}, &key); err != nil {
		return e, l.explain(root, err)
	}
	page := key.ID + "." + key.Key
	defer func() {
		out, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = errors.Join(err, l.client.DoAs(out, page, root, http.MethodDelete, "/keys/"+key.ID, nil, nil))
	}()
	err = l.client.DoAs(ctx, page, root, http.MethodPost, approvalsPath+"/"+url.PathEscape(id), map[string]string{"decision": decision, "typed": typed}, &e)
	return e, l.explain(root, err)
}

func clock(t time.Time) string { return t.Local().Format("15:04:05") }
