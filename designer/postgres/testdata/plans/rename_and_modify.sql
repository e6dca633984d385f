-- drop, to compute it again, column public.orders.tax
ALTER TABLE public.orders DROP COLUMN tax;

-- change the type of public.customers.note
-- risk: blocks_writes
-- risk: rewrites_table
-- risk: may_fail
-- reverse: ALTER TABLE public.customers ALTER COLUMN note TYPE text
ALTER TABLE public.customers ALTER COLUMN note TYPE boolean USING note::boolean;

-- change the type of public.orders.rate
-- risk: blocks_writes
-- risk: rewrites_table
-- risk: may_fail
-- reverse: ALTER TABLE public.orders ALTER COLUMN rate TYPE numeric(4,2)
ALTER TABLE public.orders ALTER COLUMN rate TYPE numeric(6,4);

-- change the type of public.orders.state
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders ALTER COLUMN state DROP DEFAULT, ALTER COLUMN state TYPE varchar(20), ALTER COLUMN state SET DEFAULT 'new'
ALTER TABLE public.orders ALTER COLUMN state DROP DEFAULT, ALTER COLUMN state TYPE text, ALTER COLUMN state SET DEFAULT 'open';

-- refuse nulls in public.orders.state
-- risk: may_fail
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders ALTER COLUMN state DROP NOT NULL
ALTER TABLE public.orders ALTER COLUMN state SET NOT NULL;

-- rename column public.customers.note to state
-- reverse: ALTER TABLE public.customers RENAME COLUMN state TO note
ALTER TABLE public.customers RENAME COLUMN note TO state;

-- rename column public.orders.rate to share
-- reverse: ALTER TABLE public.orders RENAME COLUMN share TO rate
ALTER TABLE public.orders RENAME COLUMN rate TO share;

-- rename column public.orders.state to status
-- reverse: ALTER TABLE public.orders RENAME COLUMN status TO state
ALTER TABLE public.orders RENAME COLUMN state TO status;

-- rename table public.orders to Sales
-- reverse: ALTER TABLE public."Sales" RENAME TO orders
ALTER TABLE public.orders RENAME TO "Sales";

-- add column public.customers.note
-- risk: may_fail
-- reverse: ALTER TABLE public.customers DROP COLUMN note
ALTER TABLE public.customers ADD COLUMN note text NOT NULL;

-- add column public.Sales.tax
-- risk: rewrites_table
-- risk: blocks_writes
-- reverse: ALTER TABLE public."Sales" DROP COLUMN tax
ALTER TABLE public."Sales" ADD COLUMN tax numeric GENERATED ALWAYS AS (total * share) STORED;

