// Package dial connects to database servers. It translates an [Address] into
// the configuration of the driver of PostgreSQL, MySQL and MariaDB, or SQL
// Server, reads the certificates that it names, and bounds what a server can
// cost: the time of a connection, the memory of an answer and of a row. It
// sends no statement.
//
//	Address ─▶ PostgresConnector / MySQLConnector / MSSQLConnector
//	             │ password and certificates: read for each connection
//	             │ net.Conn: counted (RowMeter, AnswerConn), packets checked
//	             ▼
//	           driver.Connector, which panics nowhere (safedriver)
//
// Start from [PostgresConnector]. A connector does no I/O before it connects,
// and its error is a [*ConnectError], or the context's.
//
// Invariants: the driver takes nothing from the environment or from files
// that the address does not name, unless it says [Address.DriverDefaults]; no
// error has a password, a user or the content of a file in it; a connection
// is made within [Timeout] or not at all.
package dial
