package mssql_test

import (
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/mssql"
)

func BenchmarkPlanOneEdit(b *testing.B) { enginetest.BenchmarkPlanOneEdit(b, mssql.Engine{}) }
