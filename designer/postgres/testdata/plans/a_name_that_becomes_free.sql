-- drop table public.orders
-- risk: data_loss
DROP TABLE public.orders;

-- drop column public.customers.note
-- risk: data_loss
ALTER TABLE public.customers DROP COLUMN note;

-- rename column public.customers.email to note
-- reverse: ALTER TABLE public.customers RENAME COLUMN note TO email
ALTER TABLE public.customers RENAME COLUMN email TO note;

-- rename table public.customers to orders
-- reverse: ALTER TABLE public.orders RENAME TO customers
ALTER TABLE public.customers RENAME TO orders;

-- create table public.customers
-- reverse: DROP TABLE public.customers
CREATE TABLE public.customers (
	id uuid DEFAULT gen_random_uuid() NOT NULL,
	PRIMARY KEY (id)
);

-- add column public.orders.email
-- reverse: ALTER TABLE public.orders DROP COLUMN email
ALTER TABLE public.orders ADD COLUMN email text;

