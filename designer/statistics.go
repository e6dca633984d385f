package designer

// Statistics are what a server counted of a database's use since it began to,
// by table. None of it is part of a design.
type Statistics struct {
	Tables map[TableName]TableStatistics
}

// TableStatistics are those of one table.
type TableStatistics struct {
	Rows, DeadRows    int64 // as the server estimates them
	Reads             int64 // scans of the table or of one of its indexes
	Bytes, IndexBytes int64 // of the rows, and of all indexes
	// IndexReads are the scans of each index, by name.
	IndexReads map[string]int64
	// Empty lists the columns that are NULL in every row that was looked at.
	Empty []string
}
