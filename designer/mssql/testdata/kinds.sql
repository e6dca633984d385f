-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create table dbo.edge
CREATE TABLE [dbo].[edge] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    CONSTRAINT [PK_edge] PRIMARY KEY ([id])
)
GO

-- Create table dbo.heaped
CREATE TABLE [dbo].[heaped] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL
)
GO

-- Create table dbo.kept
CREATE TABLE [dbo].[kept] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    [since] datetime2(7) GENERATED ALWAYS AS ROW START NOT NULL,
    [till] datetime2(7) GENERATED ALWAYS AS ROW END NOT NULL,
    PERIOD FOR SYSTEM_TIME ([since], [till]),
    CONSTRAINT [PK_kept] PRIMARY KEY ([id])
) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = [dbo].[kept_history], HISTORY_RETENTION_PERIOD = 6 MONTH))
GO

-- Create table dbo.ledger
CREATE TABLE [dbo].[ledger] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    CONSTRAINT [PK_ledger] PRIMARY KEY ([id])
)
GO

-- Create table dbo.node
CREATE TABLE [dbo].[node] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    CONSTRAINT [PK_node] PRIMARY KEY ([id])
)
GO

-- Create table dbo.parted
CREATE TABLE [dbo].[parted] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    CONSTRAINT [PK_parted] PRIMARY KEY ([id])
)
GO

-- Create table dbo.secret
CREATE TABLE [dbo].[secret] (
    [id] int NOT NULL,
    [doc] xml NULL,
    [n] int NULL,
    CONSTRAINT [PK_secret] PRIMARY KEY ([id])
)
GO

-- Create index IX_parted on dbo.parted
CREATE NONCLUSTERED INDEX [IX_parted] ON [dbo].[parted] ([n])
GO

-- Create trigger ddl
CREATE TRIGGER ddl ON DATABASE FOR CREATE_TABLE AS SELECT 1
GO

-- Create trigger ddl
EXEC sys.sp_settriggerorder @triggername = N'[ddl]', @order = N'Last', @stmttype = N'CREATE_TABLE', @namespace = N'DATABASE'
GO

-- Create trigger dbo.tr
CREATE TRIGGER tr ON dbo.heaped FOR INSERT AS SELECT 1
GO

-- Create trigger dbo.tr
EXEC sys.sp_settriggerorder @triggername = N'[dbo].[tr]', @order = N'First', @stmttype = N'INSERT'
GO

-- Note: Table dbo.edge is a graph edge table: it is made as an ordinary one.
-- Note: Table dbo.heaped or an index of it lies on [slow]: the script puts it on the default filegroup, without partitions.
-- Note: Table dbo.ledger is a ledger table: it is made as an ordinary one.
-- Note: Table dbo.node is a graph node table: it is made as an ordinary one.
-- Note: Table dbo.parted or an index of it lies on [by_month]: the script puts it on the default filegroup, without partitions.
-- Note: Column dbo.secret.n is encrypted (Always Encrypted): it is made as an ordinary one.