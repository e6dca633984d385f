package postgres_test

import (
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/postgres"
)

func BenchmarkPlanOneEdit(b *testing.B) { enginetest.BenchmarkPlanOneEdit(b, postgres.Engine{}) }
