package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

func newPublish(a *app) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "publish [CONNECTION] [DIR]",
		Short: "Make the design's changes in the database, after you approved them",
		Long: `Show what would change, try it, ask, and make it. The database is read again
before and after; afterwards it is what the design says, or what differs is
listed. An interrupted publish resumes where it stopped.

You approve by typing the word publish; anything else changes nothing, and the
exit code is 3. --yes does it for scripts, and only
where .berth/config.yaml says publish: {unattended: true} and you trust it
(berth trust), or your own config.yaml says so.`,
		Example: `  berth publish
  berth publish main ./app --yes`,
		Args:              upTo(2),
		ValidArgsFunction: a.connectionNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && !yes {
				return usage(cmd, errNeedsYes)
			}
			return a.withDesign(cmd, args, func(l *link, root, connection string) error {
				return a.publish(cmd.Context(), l, root, connection, yes, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask; needs publish.unattended in the project's config")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) publish(ctx context.Context, l *link, root, connection string, yes, asJSON bool) error {
	answer, err := a.approver(l, root, "publish", yes)
	if err != nil {
		return err
	}
	list := a.printChanges
	if asJSON {
		list = a.changes
	}
	before, err := list(ctx, l, root, connection)
	if err != nil || before.Message == "no changes" && !asJSON {
		return err
	}
	if before.Message == "no changes" {
		return a.printReply(before)
	}
	r, err := a.design(ctx, l, root, designCall{operation: "publish", connection: connection, answer: answer,
		payload: map[string]any{"expectedVersion": before.Version}}) // what was just shown
	if err != nil {
		return err
	}
	if err := a.printPublished(r, asJSON); err != nil {
		return err
	}
	if len(r.Left)+len(r.Blocked) > 0 {
		return errSilent
	}
	return nil
}

// printPublished prints what a publish did and left.
func (a *app) printPublished(r *designReply, asJSON bool) error {
	if asJSON {
		return a.printReply(r)
	}
	fmt.Fprintln(a.sys.Stdout, printable(r.Message))
	for _, c := range r.Left {
		fmt.Fprintln(a.sys.Stdout, "left:", c)
	}
	return nil
}

// approver is how the question of an operation is answered: by a person at
// the terminal who types the word, or for scripts by the project's config.
func (a *app) approver(l *link, root, word string, yes bool) (func(json.RawMessage) (inputResponses, error), error) {
	person := terminal{in: a.sys.Stdin, out: a.sys.Stderr}
	if yes {
		s, err := a.settings(l.home, root)
		if err != nil {
			return nil, err
		}
		if ask, waits := s.Waits("publish.unattended"); waits {
			return nil, &failure{code: exitRefused, text: "--yes waits for your trust: " + ask.Place() + " " + ask.Words,
				hint: "look at it and allow it with: " + settings.TrustCommand(root)}
		}
		if !s.Publish.Unattended {
			return nil, &failure{code: exitRefused, text: "--yes is not allowed for this project",
				hint: "a person has to say so in .berth/config.yaml: publish: {unattended: true}"}
		}
		return acceptAll, nil
	}
	if !person.present() {
		return nil, &failure{code: exitRefused, text: "a person has to approve this at a terminal",
			hint: "run it where you can type, or let the project's config allow --yes: publish: {unattended: true}"}
	}
	return func(requests json.RawMessage) (inputResponses, error) { return person.typed(requests, word) }, nil
}

// acceptAll accepts every question of the instance.
func acceptAll(requests json.RawMessage) (inputResponses, error) {
	return answerEach(requests, func(r inputRequest) inputResponse { return r.choose(choiceApprove) })
}

// typed puts the question and accepts where the person types the word.
func (t terminal) typed(requests json.RawMessage, word string) (inputResponses, error) {
	return answerEach(requests, func(r inputRequest) inputResponse {
		for _, line := range strings.Split(r.Params.Message, "\n") {
			fmt.Fprintln(t.out, printable(line))
		}
		fmt.Fprintf(t.out, "Type %s to go on: ", word)
		answer, _ := bufio.NewReader(t.in).ReadString('\n')
		if strings.TrimSpace(answer) != word {
			return r.choose(choiceReject)
		}
		return r.choose(choiceApprove)
	})
}
