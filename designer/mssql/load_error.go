package mssql

import (
	"errors"
	"fmt"
	"strings"

	mssql "github.com/microsoft/go-mssqldb"

	"github.com/berth-dev/berth/designer"
)

// refusalOf returns err, which the server gave to a batch, with its line in the
// script. The batch stands in the script at or behind from. What the connection
// says, rather than the server, is no refusal and comes as it is.
func refusalOf(script, batch string, from int, err error) error {
	var answer mssql.Error
	if !errors.As(err, &answer) {
		return fmt.Errorf("run a batch of the script: %w", err)
	}
	line := 1 + strings.Count(script[:placeOf(script, batch, from)], "\n")
	if within := int(answer.LineNo); within > 1 {
		line += within - 1
	}
	return designer.ErrorOnLine(script, line, err).Refused()
}

// placeOf returns where a batch stands in its script, at or behind from.
func placeOf(script, batch string, from int) int {
	return from + max(strings.Index(script[from:], batch), 0)
}
