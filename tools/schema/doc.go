// Package schema is the mssql_schema_designer tool: it puts the designer into
// the contract's words for an agent. It decodes a call strictly, finds the
// designer it means, and words what comes back as a reply that stays small:
// receipts instead of schemas, views with limits, errors that say what to do
// next. It holds no design (designer/session does), knows no rule of one
// (designer), reads no database and opens no socket.
//
// Start from [New]; each operation has a file of its own.
//
//	arguments ─decodeRequest─▶ request ─designerFor─▶ Designer ─operation─▶ reply ─encode─▶ JSON text
//	              │                       │                        │
//	              └────── failure ◀───────┴────────────────────────┘
//
// Invariants: a mutation's reply and an error never carry a schema; a reply
// is at most [catalog.MaxDesignerReplyBytes], one to a mutation at most 4 KB
// (but for stale_state, whose overview has the overview's own bound); every
// reply is one JSON object that starts with success.
//
// Decisions where the contract leaves room:
//
//   - Foreign key actions are words with the contract's number beside:
//     "onDeleteAction":"cascade","onDeleteActionCode":0; restrict has no number.
//   - dataType is the bare type everywhere; get_table shows maxLength,
//     precision and scale beside it where the column has them.
//   - With includeColumns full get_table shows all that an edit must know to
//     leave it as it is: values of an enum, the dialect's own options
//     (identity is "serial" or "always" there, else it is by default),
//     comments, what an index is beyond its columns, the types of the
//     database's own, partitions and the tables that inherit. Of one enum it
//     shows at most 200 values, of one text 1 KB, and says how many there are.
//   - get_table of a partition, a view, a foreign or a virtual table succeeds
//     and says its kind; its columns are not listed and no edit changes it.
//     get_metadata lists these.
//   - The overview's threshold counts what the caller selects: all tables,
//     those of options.pattern, or one page where options.limit asks for pages.
//     Without columns, whatever the cause, columnsOmitted is true and entries
//     have columnCount and foreignKeyCount.
//   - A field that the operation does not take is refused, not ignored: an undo
//     that overlooked options.dryRun would do what its caller believed it did
//     not.
//   - no_active_designer comes before any check of the payload, as the contract
//     asks of every operation but show.
//   - A failed trial (dryRun) reports appliedEdits 0 with failedEditIndex:
//     nothing of it stays.
//   - Receipts of undo and redo count undoneEdits and redoneEdits.
package schema
