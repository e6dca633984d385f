-- Set what SQL Server needs set
SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF
GO

-- Drop foreign key FK_Orders_Customers of sales.Orders
ALTER TABLE [sales].[Orders] DROP CONSTRAINT [FK_Orders_Customers]
GO

-- Drop primary key PK_Customers of dbo.Customers
ALTER TABLE [dbo].[Customers] DROP CONSTRAINT [PK_Customers]
GO

-- Add the primary key of dbo.Customers
ALTER TABLE [dbo].[Customers] ADD CONSTRAINT [PK_Customers] PRIMARY KEY ([Id], [Key])
GO

-- Create index UX_Id on dbo.Customers
CREATE UNIQUE NONCLUSTERED INDEX [UX_Id] ON [dbo].[Customers] ([Id])
GO

-- Add foreign key FK_C to sales.Orders
ALTER TABLE [sales].[Orders] ADD CONSTRAINT [FK_C] FOREIGN KEY ([CustomerId]) REFERENCES [dbo].[Customers] ([Id]) ON DELETE SET NULL
GO
