package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/sqlc-dev/teesql/parser"
)

// batchEnd separates the batches of a script, as SQL Server's own clients
// understand it.
var batchEnd = regexp.MustCompile(`(?im)^\s*GO\s*$`)

// parseTSQL stands for a SQL Server, of which there is none: it returns what a
// parser of Transact-SQL refuses of a script, batch by batch. The parser reads
// on after much that it does not know; that it is content says little.
func parseTSQL(ctx context.Context, path string) (refused []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for i, batch := range batchEnd.Split(string(text), -1) {
		if strings.TrimSpace(batch) == "" {
			continue
		}
		if _, err := parser.Parse(ctx, strings.NewReader(batch)); err != nil {
			refused = append(refused, fmt.Sprintf("batch %d: %v", i+1, err))
		}
	}
	return refused, nil
}
