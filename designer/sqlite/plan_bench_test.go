package sqlite_test

import (
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/sqlite"
)

func BenchmarkPlanOneEdit(b *testing.B) { enginetest.BenchmarkPlanOneEdit(b, sqlite.Engine{}) }
