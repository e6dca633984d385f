-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create schema sales
CREATE SCHEMA [sales]
GO

-- Create XML schema collection dbo.docs
CREATE XML SCHEMA COLLECTION [dbo].[docs] AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="it''s"/></xsd:schema>'
GO

-- Create type sales.Count
CREATE TYPE [sales].[Count] FROM int NOT NULL
GO

-- Create type sales.Flag
CREATE TYPE [sales].[Flag] FROM bit NOT NULL
GO

-- Create type dbo.pairs
CREATE TYPE [dbo].[pairs] AS TABLE (
    [a] int NOT NULL,
    [b] nvarchar(20) NULL,
    PRIMARY KEY ([a])
)
GO

-- Create sequence dbo.s
CREATE SEQUENCE [dbo].[s] AS decimal(20,0) START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 99 CYCLE
GO

-- Create sequence dbo.s2
CREATE SEQUENCE [dbo].[s2] AS [sales].[Count] START WITH 1 INCREMENT BY 2 MINVALUE 0 MAXVALUE 9 NO CACHE
GO

-- Create synonym dbo.others
CREATE SYNONYM [dbo].[others] FOR [other].[dbo].[t]
GO

-- Create table dbo.kinds
CREATE TABLE [dbo].[kinds] (
    [id] bigint IDENTITY(10,5) NOT FOR REPLICATION NOT NULL,
    [a] nvarchar(40) NULL DEFAULT (N'x'),
    [b] varchar(max) COLLATE Latin1_General_BIN2 MASKED WITH (FUNCTION = 'default()') NULL CONSTRAINT [DF_b] DEFAULT (0),
    [c] decimal(12,3) NULL,
    [d] datetime2(3) NULL,
    [e] rowversion NOT NULL,
    [f] [sales].[Flag] NULL,
    [g] AS ([c]*(2)) PERSISTED NOT NULL,
    [h] xml([dbo].[docs]) NULL,
    [i] vector(384) NULL,
    [j] sysname NOT NULL,
    [k] float NULL,
    PRIMARY KEY NONCLUSTERED ([id] DESC),
    CONSTRAINT [UQ_a] UNIQUE NONCLUSTERED ([a]),
    CHECK ([c]>(0))
) WITH (DATA_COMPRESSION = PAGE)
GO

-- Create table sales.docs
CREATE TABLE [sales].[docs] (
    [id] int NOT NULL,
    [h] xml([dbo].[docs]) NULL,
    [c] decimal(12,3) SPARSE NULL,
    [kind] bigint NULL,
    [price] bigint NULL,
    CONSTRAINT [PK_docs] PRIMARY KEY ([id])
)
GO

-- Create table sales.fast
CREATE TABLE [sales].[fast] (
    [id] int NOT NULL
)
GO

-- Create table sales.prices
CREATE TABLE [sales].[prices] (
    [id] bigint NOT NULL,
    [from] datetime2(7) GENERATED ALWAYS AS ROW START HIDDEN NOT NULL,
    [to] datetime2(7) GENERATED ALWAYS AS ROW END HIDDEN NOT NULL,
    PERIOD FOR SYSTEM_TIME ([from], [to]),
    CONSTRAINT [PK_prices] PRIMARY KEY ([id])
) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = [sales].[past]))
GO

-- Create index ix on dbo.kinds
CREATE NONCLUSTERED INDEX [ix] ON [dbo].[kinds] ([c] DESC) INCLUDE ([d]) WHERE ([a] IS NOT NULL) WITH (PAD_INDEX = ON, FILLFACTOR = 80, DATA_COMPRESSION = ROW)
GO

-- Disable index ix of dbo.kinds
ALTER INDEX [ix] ON [dbo].[kinds] DISABLE
GO

-- Add check CK_d to dbo.kinds
ALTER TABLE [dbo].[kinds] WITH NOCHECK ADD CONSTRAINT [CK_d] CHECK ([d]>'2000')
GO

-- Disable check CK_d of dbo.kinds
ALTER TABLE [dbo].[kinds] NOCHECK CONSTRAINT [CK_d]
GO

-- Create index px on sales.docs
CREATE PRIMARY XML INDEX [px] ON [sales].[docs] ([h])
GO

-- Create index sx on sales.docs
CREATE XML INDEX [sx] ON [sales].[docs] ([h]) USING XML INDEX [px] FOR PATH
GO

-- Create index ccs on sales.fast
CREATE CLUSTERED COLUMNSTORE INDEX [ccs] ON [sales].[fast]
GO

-- Add foreign key to sales.docs
ALTER TABLE [sales].[docs] ADD FOREIGN KEY ([kind]) REFERENCES [dbo].[kinds] ([id]) ON DELETE CASCADE ON UPDATE SET NULL
GO

-- Add foreign key FK_two to sales.docs
ALTER TABLE [sales].[docs] WITH NOCHECK ADD CONSTRAINT [FK_two] FOREIGN KEY ([price]) REFERENCES [sales].[prices] ([id]) ON DELETE SET DEFAULT NOT FOR REPLICATION
GO

-- Disable foreign key FK_two of sales.docs
ALTER TABLE [sales].[docs] NOCHECK CONSTRAINT [FK_two]
GO

-- Create view sales.v
CREATE VIEW [sales].[v] WITH SCHEMABINDING AS SELECT id, j FROM dbo.kinds
GO

-- Create view sales.v
CREATE UNIQUE CLUSTERED INDEX [cx] ON [sales].[v] ([id])
GO

-- Create view sales.v
CREATE NONCLUSTERED INDEX [more] ON [sales].[v] ([j])
GO

-- Create procedure dbo.p
SET QUOTED_IDENTIFIER OFF
GO

-- Create procedure dbo.p
CREATE PROC p AS SELECT "x"
GO

-- Create procedure dbo.p
SET QUOTED_IDENTIFIER ON
GO

-- Create trigger ddl
CREATE TRIGGER ddl ON DATABASE FOR CREATE_TABLE AS SELECT 1
GO

-- Create trigger ddl
DISABLE TRIGGER [ddl] ON DATABASE
GO

-- Create trigger dbo.tr
CREATE TRIGGER tr ON [dbo].[kinds] FOR INSERT AS SELECT 1
GO

-- Create trigger dbo.tr
DISABLE TRIGGER [dbo].[tr] ON [dbo].[kinds]
GO

-- Comment on dbo.kinds
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'all kinds', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'kinds'
GO

-- Comment on dbo.kinds.a
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'a text', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'kinds', @level2type = N'COLUMN', @level2name = N'a'
GO

-- Note: The text of XML schema collection dbo.hidden is not known: it is left out.
-- Note: The text of type dbo.clr is not known: it is left out.
-- Note: Table sales.fast is a memory-optimized table: it is made as an ordinary one.
-- Note: The text of routine dbo.secret is not known: it is left out.