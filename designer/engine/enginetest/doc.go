// Package enginetest is the suite that every engine of a dialect has to pass,
// on a live server with rows in its tables. It is for tests only.
//
// Start from [Run], called from one test of the dialect's package with a
// [Target] that says what is the dialect's own: how an empty database is made,
// a script with everything the dialect has, and a small shop to edit. The
// suite's parts:
//
//   - RoundTrip: a database, read, scripted and made again elsewhere, reads
//     the same.
//   - Kinds: each kind of edit, published once with rows present.
//   - Carry: what no edit is about survives edits of its table.
//   - Walk: several hundred random edits, published a few at a time.
//   - Kill: a publish that dies at each of its steps.
//
// Unless everything is required, Walk is shorter, and a server plays some of the
// kinds and of the steps: see e2e/long.
//
// Environment:
//
//   - BERTH_TEST_POSTGRES, BERTH_TEST_MYSQL, BERTH_TEST_MSSQL: the DSN of a
//     server where databases may be made and dropped.
//     SQL Server has no default: without BERTH_TEST_MSSQL (a sqlserver URL)
//     its tests are skipped. A Babelfish server stands in for it once its
//     escape hatches are open, which its administrator does once with
//     EXECUTE sp_babelfish_configure '%', 'ignore', 'server'; what it lacks
//     beyond that is left out and logged.
//   - BERTH_TEST_REQUIRE: a list of dialects, or "all". A server of them that
//     does not answer fails the test, which is skipped otherwise. With "all"
//     the suite plays everything.
//   - BERTH_TEST_DATA: a folder with sample databases to read as well.
//   - BERTH_TEST_SEED: where the random walk starts, or "random".
//   - BERTH_TEST_EDITS: how many edits it takes.
//
// Invariant: a database that the suite makes is gone when its test ends, or,
// in a package whose TestMain calls [Main], when all tests have ended.
package enginetest
