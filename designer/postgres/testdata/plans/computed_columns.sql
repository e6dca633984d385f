-- drop, to compute it again, column public.customers.note
-- risk: data_loss
ALTER TABLE public.customers DROP COLUMN note;

-- drop, to compute it again, column public.orders.tax
ALTER TABLE public.orders DROP COLUMN tax;

-- refuse nulls in public.orders.rate
-- risk: may_fail
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders ALTER COLUMN rate DROP NOT NULL
ALTER TABLE public.orders ALTER COLUMN rate SET NOT NULL;

-- add column public.customers.note
-- risk: rewrites_table
-- risk: blocks_writes
-- reverse: ALTER TABLE public.customers DROP COLUMN note
ALTER TABLE public.customers ADD COLUMN note text GENERATED ALWAYS AS (upper(email)) STORED;

-- add column public.orders.levy
-- risk: rewrites_table
-- risk: blocks_writes
-- reverse: ALTER TABLE public.orders DROP COLUMN levy
ALTER TABLE public.orders ADD COLUMN levy numeric GENERATED ALWAYS AS (total * rate / 100) STORED;

-- create index orders_levy on public.orders
-- risk: blocks_writes
-- reverse: DROP INDEX public.orders_levy
CREATE INDEX orders_levy ON public.orders (levy);

