CREATE SCHEMA library;

CREATE SCHEMA [Odd Schema];

CREATE TYPE library.isbn FROM nvarchar(20) NOT NULL;

CREATE SEQUENCE library.ticket AS bigint START WITH 100 INCREMENT BY 5;

CREATE TABLE authors (
    id int IDENTITY(10,2) NOT NULL CONSTRAINT authors_pk PRIMARY KEY,
    name nvarchar(80) COLLATE Latin1_General_BIN2 NOT NULL,
    [e mail] nvarchar(120) NULL CONSTRAINT authors_mail_uq UNIQUE,
    born date NULL CONSTRAINT authors_born_df DEFAULT '1970-01-01',
    rating float NOT NULL DEFAULT 1.5,
    small_rating real NULL,
    debt decimal(12,4) NULL DEFAULT -1,
    photo varbinary(max) NULL,
    seen datetimeoffset(7) NULL DEFAULT sysdatetimeoffset(),
    at datetime2(3) NULL DEFAULT sysutcdatetime(),
    old datetime NULL DEFAULT getdate(),
    [order] smallint NULL DEFAULT 0,
    tiny tinyint NULL,
    big bigint NULL,
    flag bit NOT NULL DEFAULT 0,
    code char(3) NULL,
    wide nchar(4) NULL,
    token uniqueidentifier NULL DEFAULT newid(),
    ticket bigint NULL DEFAULT (NEXT VALUE FOR library.ticket),
    isbn library.isbn,
    version rowversion NOT NULL,
    story nvarchar(max) NULL,
    t time(2) NULL,
    cash money NULL,
    extra xml NULL,
    CONSTRAINT authors_name_ck CHECK (len(name) > 0),
    CONSTRAINT authors_rating_ck CHECK (rating >= 0 AND rating <= 10),
    CONSTRAINT authors_name_born_uq UNIQUE (name, born DESC)
);

CREATE TABLE library.kinds (
    code char(3) NOT NULL CONSTRAINT kinds_pk PRIMARY KEY NONCLUSTERED,
    title nvarchar(60) NOT NULL
);

CREATE CLUSTERED INDEX kinds_title_ix ON library.kinds (title);

CREATE TABLE library.pairs (
    a int NOT NULL,
    b nvarchar(20) NOT NULL,
    CONSTRAINT pairs_pk PRIMARY KEY (b, a DESC)
);

CREATE TABLE library.books (
    id int IDENTITY NOT NULL PRIMARY KEY,
    author_id int NOT NULL CONSTRAINT books_author_fk REFERENCES authors (id) ON DELETE CASCADE,
    kind char(3) NULL CONSTRAINT books_kind_df DEFAULT 'nov' CONSTRAINT books_kind_fk REFERENCES library.kinds (code) ON DELETE SET DEFAULT,
    sequel_to int NULL CONSTRAINT books_sequel_fk REFERENCES library.books (id),
    pair_a int NULL,
    pair_b nvarchar(20) NULL,
    title nvarchar(200) NOT NULL,
    price decimal(10,2) NOT NULL DEFAULT 0,
    copies int NOT NULL DEFAULT (1 + 1),
    worth AS (price * copies) PERSISTED,
    label AS (concat(title, ' #', copies)),
    [the odd ]] "name"] nvarchar(10) NULL,
    CONSTRAINT books_pair_fk FOREIGN KEY (pair_b, pair_a) REFERENCES library.pairs (b, a) ON UPDATE CASCADE
);

CREATE INDEX books_author_ix ON library.books (author_id, title DESC) INCLUDE (price, copies);

CREATE UNIQUE INDEX books_title_ux ON library.books (title) WHERE price > 0 AND title <> 'a where b';

CREATE INDEX books_worth_ix ON library.books (worth);

EXEC sp_addextendedproperty 'MS_Description', 'people who write; it''s a table', 'SCHEMA', 'dbo', 'TABLE', 'authors';

EXEC sp_addextendedproperty 'MS_Description', 'as on the cover', 'SCHEMA', 'dbo', 'TABLE', 'authors', 'COLUMN', 'name';

CREATE TABLE [Odd Schema].[select] (
    [from] int NOT NULL PRIMARY KEY,
    [Group By] nvarchar(max) NULL
);

CREATE TABLE log (line nvarchar(max) NULL, at datetime2 NULL DEFAULT sysutcdatetime());

CREATE VIEW expensive AS SELECT b.id, b.title, a.name AS author FROM library.books b JOIN authors a ON a.id = b.author_id WHERE b.price > 50;

CREATE VIEW library.all_expensive AS SELECT title FROM dbo.expensive;

CREATE FUNCTION library.label_of(@title nvarchar(200), @n int) RETURNS nvarchar(250) AS BEGIN
    RETURN concat(@title, ' #', @n);
END;

CREATE PROCEDURE library.forget @older int AS BEGIN
    DELETE FROM dbo.log WHERE at < dateadd(day, -@older, sysutcdatetime());
    SELECT count(*) FROM dbo.log;
END;

CREATE TRIGGER library.books_ai ON library.books AFTER INSERT AS BEGIN
    INSERT INTO dbo.log (line) SELECT concat('new; ', title) FROM inserted;
END;
