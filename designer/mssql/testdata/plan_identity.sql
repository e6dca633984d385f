-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop foreign key FK_Orders_Customers of sales.Orders
ALTER TABLE [sales].[Orders] DROP CONSTRAINT [FK_Orders_Customers]
GO

-- Drop an unnamed foreign key of sales.Lines
DECLARE @name sysname = (SELECT TOP (1) k.name FROM sys.foreign_keys k WHERE k.is_system_named = 1 AND k.referenced_object_id = OBJECT_ID(N'[sales].[Orders]') AND (SELECT COUNT(*) FROM sys.foreign_key_columns c WHERE c.constraint_object_id = k.object_id) = 1 AND EXISTS (SELECT 1 FROM sys.foreign_key_columns c WHERE c.constraint_object_id = k.object_id AND COL_NAME(c.parent_object_id, c.parent_column_id) = N'OrderId' AND COL_NAME(c.referenced_object_id, c.referenced_column_id) = N'OrderId') AND k.parent_object_id = OBJECT_ID(N'[sales].[Lines]'));
IF @name IS NULL THROW 50000, N'the foreign key is not there', 1;
DECLARE @statement nvarchar(max) = N'ALTER TABLE [sales].[Lines] DROP CONSTRAINT ' + QUOTENAME(@name);
EXEC (@statement)
GO

-- Stop if re-creating dbo.Customers would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[dbo].[Customers]')
UNION ALL SELECT 1 FROM sys.objects o WHERE o.object_id = OBJECT_ID(N'[dbo].[Customers]') AND o.principal_id <> (SELECT s.principal_id FROM sys.schemas s WHERE s.schema_id = o.schema_id))
  THROW 50000, N'dbo.Customers would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Re-create table dbo.Customers: the identity of column Id cannot be altered
CREATE TABLE [dbo].[berth_tmp_1] (
    [Id] int IDENTITY(10,1) NOT FOR REPLICATION NOT NULL,
    [Email] nvarchar(200) COLLATE Latin1_General_BIN2 MASKED WITH (FUNCTION = 'email()') NOT NULL,
    [Odd ]]name] varchar(max) NULL,
    [Short] AS ([dbo].[shorten]([Email])),
    [Vip] [dbo].[Flag] NOT NULL,
    [Rv] rowversion NOT NULL,
    [Key] uniqueidentifier NOT NULL ROWGUIDCOL,
    [Spare] decimal(9,3) SPARSE NULL
)
GO

-- Copy the rows of dbo.Customers
SET IDENTITY_INSERT [dbo].[berth_tmp_1] ON
INSERT INTO [dbo].[berth_tmp_1] ([Id], [Email], [Odd ]]name], [Vip], [Key], [Spare])
SELECT [Id], [Email], [Odd ]]name], [Vip], [Key], [Spare] FROM [dbo].[Customers] WITH (HOLDLOCK, TABLOCKX)
SET IDENTITY_INSERT [dbo].[berth_tmp_1] OFF
GO

-- Continue numbering dbo.Customers where the old table ended
DECLARE @last decimal(38,0) = (SELECT CONVERT(decimal(38,0), i.last_value) FROM sys.identity_columns i WHERE i.object_id = OBJECT_ID(N'[dbo].[Customers]'));
IF NOT EXISTS (SELECT 1 FROM [dbo].[berth_tmp_1]) SET @last = @last + 1;
IF @last > IDENT_CURRENT(N'[dbo].[berth_tmp_1]') DBCC CHECKIDENT (N'[dbo].[berth_tmp_1]', RESEED, @last) WITH NO_INFOMSGS
GO

-- Drop the old table dbo.Customers
DROP TABLE [dbo].[Customers]
GO

-- Give the new table the name of dbo.Customers
EXEC sys.sp_rename @objname = N'[dbo].[berth_tmp_1]', @newname = N'Customers', @objtype = 'OBJECT'
GO

-- Stop if re-creating sales.Orders would lose permissions
IF EXISTS (SELECT 1 FROM sys.database_permissions p WHERE p.class = 1 AND p.major_id = OBJECT_ID(N'[sales].[Orders]')
UNION ALL SELECT 1 FROM sys.objects o WHERE o.object_id = OBJECT_ID(N'[sales].[Orders]') AND o.principal_id <> (SELECT s.principal_id FROM sys.schemas s WHERE s.schema_id = o.schema_id))
  THROW 50000, N'sales.Orders would have to be re-created, and has permissions or an owner of its own that would be lost: take them away, publish, and give them again', 1
GO

-- Re-create table sales.Orders: the identity of column OrderId cannot be altered
CREATE TABLE [sales].[berth_tmp_1] (
    [OrderId] int IDENTITY(1,1) NOT NULL,
    [CustomerId] int NULL,
    [Total] money NOT NULL,
    [IsClosed] tinyint NOT NULL,
    [Placed] datetime2(3) NOT NULL,
    [Vat] AS ([Total]*(0.25)) PERSISTED,
    [Note] nvarchar(20) NOT NULL
)
GO

-- Copy the rows of sales.Orders
SET IDENTITY_INSERT [sales].[berth_tmp_1] ON
INSERT INTO [sales].[berth_tmp_1] ([OrderId], [CustomerId], [Total], [IsClosed], [Placed], [Note])
SELECT [OrderId], [CustomerId], [Total], CONVERT(tinyint, [Closed]), [Placed], (N'') FROM [sales].[Orders] WITH (HOLDLOCK, TABLOCKX)
SET IDENTITY_INSERT [sales].[berth_tmp_1] OFF
GO

-- Drop the old table sales.Orders
DROP TABLE [sales].[Orders]
GO

-- Give the new table the name of sales.Orders
EXEC sys.sp_rename @objname = N'[sales].[berth_tmp_1]', @newname = N'Orders', @objtype = 'OBJECT'
GO

-- Set the default of dbo.Customers.Vip
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [DF_Vip] DEFAULT (0) FOR [Vip]
GO

-- Set the default of dbo.Customers.Key
ALTER TABLE [dbo].[Customers] ADD DEFAULT (newid()) FOR [Key]
GO

-- Add the primary key of dbo.Customers
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [PK_Customers] PRIMARY KEY ([Id])
GO

-- Create index IX_Spare on dbo.Customers
CREATE NONCLUSTERED INDEX [IX_Spare] ON [dbo].[Customers] ([Spare] DESC, [Id]) INCLUDE ([Vip], [Key]) WHERE ([Spare] IS NOT NULL) WITH (PAD_INDEX = ON, FILLFACTOR = 80)
GO

-- Add unique constraint UQ_Email to dbo.Customers
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [UQ_Email] UNIQUE NONCLUSTERED ([Email])
GO

-- Create index UX_Key on dbo.Customers
CREATE UNIQUE NONCLUSTERED INDEX [UX_Key] ON [dbo].[Customers] ([Key]) WITH (IGNORE_DUP_KEY = ON, DATA_COMPRESSION = PAGE)
GO

-- Disable index UX_Key of dbo.Customers
ALTER INDEX [UX_Key] ON [dbo].[Customers] DISABLE
GO

-- Set the default of sales.Orders.Total
ALTER TABLE [sales].[Orders] ADD DEFAULT (0) FOR [Total]
GO

-- Set the default of sales.Orders.IsClosed
ALTER TABLE [sales].[Orders] ADD DEFAULT (0) FOR [IsClosed]
GO

-- Set the default of sales.Orders.Placed
ALTER TABLE [sales].[Orders] ADD DEFAULT (sysutcdatetime()) FOR [Placed]
GO

-- Set the default of sales.Orders.Note
ALTER TABLE [sales].[Orders] ADD DEFAULT (N'') FOR [Note]
GO

-- Create index CX_Placed on sales.Orders
CREATE CLUSTERED INDEX [CX_Placed] ON [sales].[Orders] ([Placed])
GO

-- Add the primary key of sales.Orders
ALTER TABLE [sales].[Orders] ADD PRIMARY KEY NONCLUSTERED ([OrderId])
GO

-- Add an unnamed unique constraint to sales.Orders
ALTER TABLE [sales].[Orders] ADD UNIQUE NONCLUSTERED ([CustomerId], [Placed])
GO

-- Add check to sales.Orders
ALTER TABLE [sales].[Orders] ADD CHECK ([Total]>=(0))
GO

-- Add check CK_Placed to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [CK_Placed] CHECK NOT FOR REPLICATION ([Placed]>'2000-01-01')
GO

-- Make trigger orders_changed of sales.Orders again
CREATE TRIGGER sales.orders_changed ON sales.Orders AFTER UPDATE AS SET NOCOUNT ON
GO

-- Make trigger orders_changed of sales.Orders again
DISABLE TRIGGER [sales].[orders_changed] ON [sales].[Orders]
GO

-- Add foreign key FK_Orders_Customers to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [FK_Orders_Customers] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customers] ([Id]) ON DELETE SET NULL ON UPDATE CASCADE
GO

-- Disable foreign key FK_Orders_Customers of sales.Orders
ALTER TABLE [sales].[Orders] NOCHECK CONSTRAINT [FK_Orders_Customers]
GO

-- Add foreign key to sales.Lines
ALTER TABLE [sales].[Lines] ADD FOREIGN KEY ([OrderId]) REFERENCES [sales].[Orders] ([OrderId]) ON DELETE CASCADE
GO

-- Comment on dbo.Customers
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'who buys;
GO
it''s them', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers'
GO

-- Comment on dbo.Customers.Odd ]name
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'odd', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers', @level2type = N'COLUMN', @level2name = N'Odd ]name'
GO

-- Note: Table dbo.Customers is re-created, as the identity of column Id cannot be altered. Permissions granted on it, statistics, full-text indexes and extended properties other than MS_Description go with the old one.
-- Note: All rows get a new value of rowversion column dbo.Customers.Rv: who compares it with one read before sees a change.
-- Note: Table sales.Orders is re-created, as the identity of column OrderId cannot be altered. Permissions granted on it, statistics, full-text indexes and extended properties other than MS_Description go with the old one.
-- Note: The text of view dbo.open_orders names column Closed of table sales.Orders, which is renamed or dropped, on line 1: change it.
-- Note: The text of procedure dbo.close_order names column Closed of table sales.Orders, which is renamed or dropped, on line 3: change it.