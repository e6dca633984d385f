// Command corpus tries berth on schemas that people really have: it loads each
// into a fresh database, drives the built binary as a stranger would, and
// prints what became of each step. It is no test and no part of berth: it
// says where berth falls short, and exits with 0 all the same.
//
//	go run ./e2e/corpus -get FOLDER      # bring the public schemas of schemas.txt
//	go run ./e2e/corpus FOLDER           # try all that is in it
//	go run ./e2e/corpus FOLDER sakila    # only what has sakila in its name
//
// Without FOLDER it takes BERTH_TEST_SCHEMAS. The folder has a folder for each
// dialect (postgres, mysql, sqlite); in it each .sql file, each .sqlite or .db
// file and each folder of .sql files, loaded in the order of their names, is a
// schema. psql, mariadb (or mysql) and sqlite3 load them; the servers are those
// of BERTH_TEST_POSTGRES and BERTH_TEST_MYSQL, else those of this machine.
//
// On PostgreSQL the copy's dump must be the original's, owners and GRANTs too,
// but for what the server itself writes otherwise when it reads its own dump
// back, and for what the export names as left out.
//
//	schema files ─client─▶ database ─berth show─▶ design ─export sql─▶ copy: errors, version, dump
//	                           ▲                    ├─export, import─▶ is the diff empty?
//	                           └──── publish ◀──────┼─random edits: are the rows there?
//	                                                └─export for the others─▶ do they load?
//
// Start from [schema] and [trial]. Every database it makes is named
// berth_corpus_… and dropped at the end, also where a signal ends the run.
package main
