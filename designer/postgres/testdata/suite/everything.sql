CREATE SCHEMA library;

CREATE SCHEMA "Odd Schema";

CREATE EXTENSION pg_trgm;

CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');

CREATE TYPE library.point3 AS (x double precision, y double precision, z double precision);

CREATE DOMAIN library.positive AS integer CHECK (VALUE > 0);

CREATE SEQUENCE library.ticket START WITH 100 INCREMENT BY 5;

CREATE FUNCTION library.label(title text, n integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT title || ' #' || n $$;

CREATE FUNCTION library.label(title text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT title $$;

CREATE TABLE authors (
    id integer GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 2) PRIMARY KEY,
    name text NOT NULL COLLATE "C",
    "e mail" varchar(120) UNIQUE,
    born date DEFAULT '1970-01-01',
    rating double precision NOT NULL DEFAULT 1.5,
    debt numeric(12,4) DEFAULT -1,
    anything numeric,
    photo bytea,
    seen timestamptz DEFAULT now(),
    at timestamp(3) DEFAULT CURRENT_TIMESTAMP,
    "order" smallint DEFAULT 0,
    big bigint,
    flag boolean NOT NULL DEFAULT false,
    code char(3),
    tags text[] DEFAULT '{}',
    extra jsonb DEFAULT '{}'::jsonb,
    token uuid DEFAULT gen_random_uuid(),
    feeling mood NOT NULL DEFAULT 'ok',
    place library.point3,
    ticket bigint DEFAULT nextval('library.ticket'),
    span interval,
    address inet,
    bits bit(8),
    t time(0),
    money money,
    CONSTRAINT authors_name_ck CHECK (length(name) > 0),
    CHECK (rating BETWEEN 0 AND 10),
    CONSTRAINT authors_name_born_uq UNIQUE (name, born)
);

COMMENT ON TABLE authors IS 'people who write; it''s a table';

COMMENT ON COLUMN authors.name IS 'as on the cover';

CREATE TABLE library.kinds (
    code char(3) NOT NULL CONSTRAINT kinds_key PRIMARY KEY,
    title varchar(60) NOT NULL
);

CREATE TABLE library.pairs (
    a integer NOT NULL,
    b varchar(20) NOT NULL,
    PRIMARY KEY (b, a)
);

CREATE TABLE library.books (
    id serial PRIMARY KEY,
    number bigserial,
    author_id integer NOT NULL CONSTRAINT books_author_fk REFERENCES authors (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    kind char(3) DEFAULT 'nov' REFERENCES library.kinds ON DELETE SET DEFAULT,
    sequel_to integer REFERENCES library.books (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    pair_a integer,
    pair_b varchar(20),
    title varchar(200) NOT NULL,
    price numeric(10,2) NOT NULL DEFAULT 0,
    copies library.positive NOT NULL DEFAULT (1 + 1),
    worth numeric(20,2) GENERATED ALWAYS AS (price * copies) STORED,
    label text GENERATED ALWAYS AS (library.label(title::text, 1)) STORED,
    "the [odd] ""name""" text,
    CONSTRAINT books_pair_fk FOREIGN KEY (pair_b, pair_a) REFERENCES library.pairs (b, a) MATCH FULL ON UPDATE RESTRICT DEFERRABLE
);

CREATE INDEX books_author_ix ON library.books (author_id, title COLLATE "C" DESC NULLS LAST);

CREATE UNIQUE INDEX books_title_ux ON library.books (title) INCLUDE (price, copies) WHERE price > 0 AND title <> 'a where b';

CREATE INDEX books_lower_ix ON library.books (lower(title), price);

CREATE INDEX books_trgm_ix ON library.books USING gin (title gin_trgm_ops);

CREATE INDEX authors_tags_ix ON authors USING gin (tags);

CREATE INDEX authors_big_ix ON authors USING hash (big);

CREATE INDEX authors_seen_ix ON authors USING brin (seen) WITH (pages_per_range = 16);

CREATE INDEX authors_like_ix ON authors (code bpchar_pattern_ops);

COMMENT ON COLUMN library.books.price IS 'in euros';

CREATE TABLE "Odd Schema"."select" (
    "from" integer PRIMARY KEY,
    "Group By" text,
    author integer REFERENCES authors (id)
);

CREATE TABLE users (id integer PRIMARY KEY);

CREATE TABLE "Users" (id integer PRIMARY KEY, "ID" integer);

CREATE TABLE log (line text, at timestamp DEFAULT now());

CREATE VIEW expensive AS SELECT b.id, b.title, a.name AS author FROM library.books b JOIN authors a ON a.id = b.author_id WHERE b.price > 50;

CREATE VIEW library.all_expensive AS SELECT title FROM expensive;

CREATE MATERIALIZED VIEW library.counts AS SELECT author_id, count(*) AS n FROM library.books GROUP BY author_id;

CREATE FUNCTION library.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.log (line) VALUES ('new; ' || NEW.title);
    RETURN NEW;
END $$;

CREATE PROCEDURE library.forget(older interval) LANGUAGE sql AS $$ DELETE FROM public.log WHERE at < now() - older $$;

CREATE TRIGGER books_ai AFTER INSERT OR UPDATE OF title ON library.books FOR EACH ROW WHEN (NEW.price > 0) EXECUTE FUNCTION library.note();

CREATE CONSTRAINT TRIGGER books_later AFTER DELETE ON library.books DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION library.note();
