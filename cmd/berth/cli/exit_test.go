package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/cmd/berth/serve"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/portmap"
	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/wire"
)

func TestEveryErrorHasItsExitCode(t *testing.T) {
	tests := map[string]struct {
		err  error
		want int
	}{
		"none":                        {nil, exitDone},
		"said already":                {errSilent, exitFailed},
		"any":                         {errors.New("x"), exitFailed},
		"wrong usage":                 {&failure{code: exitUsage}, exitUsage},
		"a person's no":               {errDeclined, exitRefused},
		"a code deep inside":          {fmt.Errorf("a: %w", &failure{code: exitRefused}), exitRefused},
		"a settings file":             {&settings.FileError{}, exitFailed},
		"a locked map":                {fmt.Errorf("a: %w", &portmap.LockError{}), exitBusy},
		"a locked state":              {fmt.Errorf("a: %w", &session.LockedError{}), exitBusy},
		"nothing running":             {fmt.Errorf("a: %w", proxy.ErrNotRunning), exitNotRunning},
		"no answer":                   {fmt.Errorf("a: %w", proxy.ErrNoAnswer), exitBusy},
		"an instance that refuses":    {fmt.Errorf("a: %w", &proxy.RefusedError{Code: wire.CodeUnauthorized}), exitRefused},
		"an instance with no time":    {&proxy.RefusedError{Code: wire.CodeOverloaded}, exitBusy},
		"an instance that is wronged": {&proxy.RefusedError{Code: wire.CodeNotFound}, exitUsage},
		"a process in the way":        {fmt.Errorf("a: %w", &serve.NotHandedOverError{Cause: &proxy.RefusedError{Code: wire.CodeUnauthorized}}), exitBusy},
		"an interrupt":                {fmt.Errorf("a: %w", context.Canceled), exitInterrupted},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, exitCode(tt.err)) })
	}
	for _, code := range wire.Codes() {
		assert.Contains(t, []int{exitFailed, exitUsage, exitRefused, exitBusy}, code.ExitCode(), code)
	}
}

func TestErrorAndHintStandOnLinesOfTheirOwn(t *testing.T) {
	tests := map[string]struct {
		err  error
		want string
	}{
		"nothing":              {nil, ""},
		"said already":         {errSilent, ""},
		"no hint":              {errors.New("x"), "berth: x\n"},
		"a hint":               {&failure{text: "x", hint: "do y"}, "berth: x\nhint: do y\n"},
		"a cause":              {&failure{text: "x", cause: errors.New("y")}, "berth: x: y\n"},
		"a hint of the cause":  {fmt.Errorf("x: %w", &failure{text: "y", hint: "z"}), "berth: x: y\nhint: z\n"},
		"a hint inside joined": {errors.Join(errors.New("x"), &failure{text: "y", hint: "z"}), "berth: x y\nhint: z\n"},
		"a line break":         {errors.New("x\nberth: forged\x1b[0m"), `berth: x berth: forged\u{1b}[0m` + "\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			report(&out, tt.err)
			assert.Equal(t, tt.want, out.String())
		})
	}
}
