USE [master]
GO
/****** Object:  Database [lights]    Script Date: 11/2/2026 9:14:03 AM ******/
CREATE DATABASE [lights]
 CONTAINMENT = NONE
 ON  PRIMARY 
( NAME = N'lights', FILENAME = N'C:\data\lights.mdf' , SIZE = 8192KB , MAXSIZE = UNLIMITED, FILEGROWTH = 65536KB )
GO
IF (1 = FULLTEXTSERVICEPROPERTY('IsFullTextInstalled'))
begin
EXEC [lights].[dbo].[sp_fulltext_database] @action = 'enable'
end
GO
ALTER DATABASE [lights] SET ANSI_NULL_DEFAULT OFF 
GO
USE [lights]
GO
/****** Object:  Schema [log] ******/
CREATE SCHEMA [log]
GO
CREATE TYPE [dbo].[ShortName] FROM [nvarchar](80) NOT NULL
GO
SET ANSI_NULLS ON
GO
SET QUOTED_IDENTIFIER ON
GO
CREATE TABLE [dbo].[Keeper](
	[Id] [int] IDENTITY(1,1) NOT NULL,
	[Name] [dbo].[ShortName] NOT NULL,
	[Role] [varchar](20) NOT NULL,
	[Email] [nvarchar](max) NULL,
	[Pay] [decimal](9, 2) NOT NULL,
	[Since] [datetime2](7) NOT NULL,
	[Year]  AS (datepart(year,[Since])) PERSISTED,
	[Place] [geography] NULL,
 CONSTRAINT [PK_Keeper] PRIMARY KEY CLUSTERED 
(
	[Id] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON) ON [PRIMARY],
 CONSTRAINT [UQ_Keeper_Name] UNIQUE NONCLUSTERED ([Name] ASC) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
SET ANSI_NULLS ON
GO
CREATE TABLE [log].[Entry](
	[KeeperId] [int] NOT NULL,
	[Day] [date] NOT NULL,
	[Text] [nvarchar](500) COLLATE Latin1_General_CI_AS NULL,
 CONSTRAINT [PK_Entry] PRIMARY KEY CLUSTERED ([KeeperId] ASC, [Day] DESC)
) ON [PRIMARY]
GO
SET IDENTITY_INSERT [dbo].[Keeper] ON 
GO
INSERT [dbo].[Keeper] ([Id], [Name], [Role], [Pay], [Since]) VALUES (1, N'Ann; GO', N'keeper', CAST(1.00 AS Decimal(9, 2)), CAST(N'2026-01-01T00:00:00.0000000' AS DateTime2))
INSERT [dbo].[Keeper] ([Id], [Name], [Role], [Pay], [Since]) VALUES (2, N'B''en', N'keeper', 1, GETDATE())
GO
SET IDENTITY_INSERT [dbo].[Keeper] OFF
GO
CREATE NONCLUSTERED INDEX [IX_Keeper_Role] ON [dbo].[Keeper]
(
	[Role] ASC,
	[Since] DESC
)
INCLUDE([Pay]) 
WHERE ([Email] IS NOT NULL)
WITH (PAD_INDEX = OFF, DROP_EXISTING = OFF) ON [PRIMARY]
GO
ALTER TABLE [dbo].[Keeper] ADD  CONSTRAINT [DF_Keeper_Role]  DEFAULT ('keeper') FOR [Role]
GO
ALTER TABLE [dbo].[Keeper] ADD  DEFAULT (sysutcdatetime()) FOR [Since]
GO
ALTER TABLE [log].[Entry]  WITH CHECK ADD  CONSTRAINT [FK_Entry_Keeper] FOREIGN KEY([KeeperId])
REFERENCES [dbo].[Keeper] ([Id])
ON UPDATE CASCADE
ON DELETE CASCADE
GO
ALTER TABLE [log].[Entry] CHECK CONSTRAINT [FK_Entry_Keeper]
GO
ALTER TABLE [dbo].[Keeper]  WITH CHECK ADD  CONSTRAINT [CK_Keeper_Pay] CHECK  (([Pay]>(0)))
GO
/****** Object:  StoredProcedure [dbo].[Promote] ******/
CREATE PROCEDURE [dbo].[Promote] @id int AS
BEGIN
  CREATE TABLE #t (a int)
  UPDATE dbo.Keeper SET Role = 'keeper' WHERE Id = @id;
END
GO
CREATE VIEW [dbo].[Tended] AS
SELECT Name FROM dbo.Keeper
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'where the log is sent; it''s read' , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'Keeper', @level2type=N'COLUMN',@level2name=N'Email'
GO
EXEC sp_addextendedproperty N'MS_Description', N'who tends a light', 'SCHEMA', N'dbo', 'TABLE', N'Keeper'
GO
GRANT SELECT ON [dbo].[Keeper] TO [reader] AS [dbo]
GO
USE [master]
GO
ALTER DATABASE [lights] SET  READ_WRITE 
GO
