-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Create schema sales
CREATE SCHEMA [sales]
GO

-- Create XML schema collection dbo.docs
CREATE XML SCHEMA COLLECTION [dbo].[docs] AS N'<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:element name="doc"/></xsd:schema>'
GO

-- Create type dbo.Flag
CREATE TYPE [dbo].[Flag] FROM bit NOT NULL
GO

-- Create sequence sales.numbers
CREATE SEQUENCE [sales].[numbers] AS bigint START WITH 1 INCREMENT BY 1 MINVALUE 1 MAXVALUE 1000 CYCLE CACHE 10
GO

-- Create synonym dbo.people
CREATE SYNONYM [dbo].[people] FOR [dbo].[Customers]
GO

-- Create function dbo.shorten
CREATE FUNCTION dbo.shorten(@t nvarchar(max)) RETURNS nvarchar(20) AS BEGIN RETURN LEFT(@t, 20) END
GO

-- Create table dbo.Customers
CREATE TABLE [dbo].[Customers] (
    [Id] int IDENTITY(10,5) NOT FOR REPLICATION NOT NULL,
    [Email] nvarchar(200) COLLATE Latin1_General_BIN2 MASKED WITH (FUNCTION = 'email()') NOT NULL,
    [Odd ]]name] varchar(max) NULL,
    [Short] AS ([dbo].[shorten]([Email])),
    [Vip] [dbo].[Flag] NOT NULL CONSTRAINT [DF_Vip] DEFAULT (0),
    [Rv] rowversion NOT NULL,
    [Key] uniqueidentifier NOT NULL ROWGUIDCOL DEFAULT (newid()),
    [Spare] decimal(9,3) SPARSE NULL,
    CONSTRAINT [PK_Customers] PRIMARY KEY ([Id]),
    CONSTRAINT [UQ_Email] UNIQUE NONCLUSTERED ([Email])
)
GO

-- Create table dbo.Notes
CREATE TABLE [dbo].[Notes] (
    [Id] bigint NOT NULL,
    [Doc] xml([dbo].[docs]) NULL,
    [At] time(0) NULL,
    [Raw] varbinary(max) NULL,
    CONSTRAINT [PK_Notes] PRIMARY KEY ([Id])
) WITH (DATA_COMPRESSION = PAGE)
GO

-- Create table sales.Lines
CREATE TABLE [sales].[Lines] (
    [OrderId] int NOT NULL,
    [Line] smallint NOT NULL,
    [Parent] smallint NULL,
    [Text] nvarchar(50) NULL,
    CONSTRAINT [PK_Lines] PRIMARY KEY ([OrderId], [Line] DESC)
)
GO

-- Create table sales.Orders
CREATE TABLE [sales].[Orders] (
    [OrderId] int NOT NULL DEFAULT (NEXT VALUE FOR [sales].[numbers]),
    [CustomerId] int NULL,
    [Total] money NOT NULL DEFAULT (0),
    [Closed] bit NOT NULL DEFAULT (0),
    [Placed] datetime2(3) NOT NULL DEFAULT (sysutcdatetime()),
    [Vat] AS ([Total]*(0.25)) PERSISTED,
    PRIMARY KEY NONCLUSTERED ([OrderId]),
    UNIQUE NONCLUSTERED ([CustomerId], [Placed]),
    CHECK ([Total]>=(0))
)
GO

-- Create table sales.Prices
CREATE TABLE [sales].[Prices] (
    [Id] int NOT NULL,
    [Price] smallmoney NOT NULL,
    [From] datetime2(7) GENERATED ALWAYS AS ROW START HIDDEN NOT NULL,
    [To] datetime2(7) GENERATED ALWAYS AS ROW END HIDDEN NOT NULL,
    PERIOD FOR SYSTEM_TIME ([From], [To]),
    CONSTRAINT [PK_Prices] PRIMARY KEY ([Id])
) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = [sales].[PricesHistory]))
GO

-- Create index IX_Spare on dbo.Customers
CREATE NONCLUSTERED INDEX [IX_Spare] ON [dbo].[Customers] ([Spare] DESC, [Id]) INCLUDE ([Vip], [Key]) WHERE ([Spare] IS NOT NULL) WITH (PAD_INDEX = ON, FILLFACTOR = 80)
GO

-- Create index UX_Key on dbo.Customers
CREATE UNIQUE NONCLUSTERED INDEX [UX_Key] ON [dbo].[Customers] ([Key]) WITH (IGNORE_DUP_KEY = ON, DATA_COMPRESSION = PAGE)
GO

-- Disable index UX_Key of dbo.Customers
ALTER INDEX [UX_Key] ON [dbo].[Customers] DISABLE
GO

-- Create index PX on dbo.Notes
CREATE PRIMARY XML INDEX [PX] ON [dbo].[Notes] ([Doc])
GO

-- Create index AX on dbo.Notes
CREATE XML INDEX [AX] ON [dbo].[Notes] ([Doc]) USING XML INDEX [PX] FOR PATH
GO

-- Create index CS on sales.Lines
CREATE NONCLUSTERED COLUMNSTORE INDEX [CS] ON [sales].[Lines] ([Text])
GO

-- Create index CX_Placed on sales.Orders
CREATE CLUSTERED INDEX [CX_Placed] ON [sales].[Orders] ([Placed])
GO

-- Add check CK_Placed to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [CK_Placed] CHECK NOT FOR REPLICATION ([Placed]>'2000-01-01')
GO

-- Add foreign key to sales.Lines
ALTER TABLE [sales].[Lines] ADD FOREIGN KEY ([OrderId]) REFERENCES [sales].[Orders] ([OrderId]) ON DELETE CASCADE
GO

-- Add foreign key FK_Parent to sales.Lines
ALTER TABLE [sales].[Lines] ADD CONSTRAINT [FK_Parent] FOREIGN KEY ([OrderId], [Parent]) REFERENCES [sales].[Lines] ([OrderId], [Line])
GO

-- Add foreign key FK_Orders_Customers to sales.Orders
ALTER TABLE [sales].[Orders] WITH NOCHECK ADD CONSTRAINT [FK_Orders_Customers] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customers] ([Id]) ON DELETE SET NULL ON UPDATE CASCADE
GO

-- Disable foreign key FK_Orders_Customers of sales.Orders
ALTER TABLE [sales].[Orders] NOCHECK CONSTRAINT [FK_Orders_Customers]
GO

-- Create view dbo.open_orders
CREATE VIEW dbo.open_orders AS SELECT OrderId, Total FROM sales.Orders WHERE Closed = 0
GO

-- Create view dbo.a_totals
CREATE VIEW dbo.a_totals AS SELECT OrderId, Total FROM dbo.open_orders
GO

-- Create view sales.bound
CREATE VIEW sales.bound WITH SCHEMABINDING AS SELECT Id, COUNT_BIG(*) AS n FROM dbo.Notes GROUP BY Id
GO

-- Create view sales.bound
CREATE UNIQUE CLUSTERED INDEX [IX_bound] ON [sales].[bound] ([Id])
GO

-- Create procedure dbo.close_order
SET QUOTED_IDENTIFIER OFF
GO

-- Create procedure dbo.close_order
CREATE PROCEDURE dbo.close_order @id int AS UPDATE sales.Orders SET Closed = 1 WHERE OrderId = @id
GO

-- Create procedure dbo.close_order
SET QUOTED_IDENTIFIER ON
GO

-- Create trigger sales.orders_changed
CREATE TRIGGER sales.orders_changed ON sales.Orders AFTER UPDATE AS SET NOCOUNT ON
GO

-- Create trigger sales.orders_changed
DISABLE TRIGGER [sales].[orders_changed] ON [sales].[Orders]
GO

-- Comment on dbo.Customers
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'who buys;
GO
it''s them', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers'
GO

-- Comment on dbo.Customers.Odd ]name
EXEC sys.sp_addextendedproperty @name = N'MS_Description', @value = N'odd', @level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N'Customers', @level2type = N'COLUMN', @level2name = N'Odd ]name'
GO

-- Note: The text of routine dbo.secret is not known: it is left out.