// Package needs decides what becomes of a test whose real part is not there: a
// server, a program, the right to act as another user.
//
// On a machine that has Go alone such a test is skipped. BERTH_TEST_REQUIRE
// makes it fail instead: it is "all", or a list of names divided by commas.
package needs

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Missing ends a test that lacks the part of that name: it fails where
// BERTH_TEST_REQUIRE has the name or "all", and is skipped elsewhere. The
// reason says what is missing and, where that is not plain, how to get it.
func Missing(t testing.TB, name, reason string) {
	t.Helper()
	if required(name) {
		t.Fatalf("BERTH_TEST_REQUIRE asks for %s: %s", name, reason)
	}
	t.Skipf("no %s: %s", name, reason)
}

// Program ends a test unless there is a program of that name in the path.
func Program(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		Missing(t, name, err.Error())
	}
}

// HasSQLServer reports whether BERTH_TEST_MSSQL names a live SQL Server, for a
// test that leaves out only that part of its work without one.
func HasSQLServer() bool { return os.Getenv("BERTH_TEST_MSSQL") != "" }

// SQLServer ends a test that runs on a live SQL Server, unless BERTH_TEST_MSSQL
// names one by its sqlserver URL. Alone of all needs it is skipped also where
// BERTH_TEST_REQUIRE is "all", because no package system has that server;
// "mssql" in the list makes it fail.
func SQLServer(t testing.TB) {
	t.Helper()
	if HasSQLServer() {
		return
	}
	const reason = "BERTH_TEST_MSSQL names no SQL Server"
	if named("mssql") {
		t.Fatalf("BERTH_TEST_REQUIRE asks for mssql: %s", reason)
	}
	t.Skip(reason)
}

// Root ends a test that acts as two users of the machine, unless it runs as
// root.
func Root(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		Missing(t, "root", "this test acts as two users")
	}
}

// Everything reports whether BERTH_TEST_REQUIRE is "all", as where changes land.
func Everything() bool { return named("all") }

func required(name string) bool { return Everything() || named(name) }

// named reports whether BERTH_TEST_REQUIRE has the name itself.
func named(name string) bool {
	for _, n := range strings.Split(os.Getenv("BERTH_TEST_REQUIRE"), ",") {
		if strings.TrimSpace(n) == name {
			return true
		}
	}
	return false
}
