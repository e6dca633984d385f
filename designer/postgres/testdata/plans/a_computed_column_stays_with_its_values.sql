-- keep the values of computed column public.orders.tax
ALTER TABLE public.orders ALTER COLUMN tax DROP EXPRESSION;

-- set the default of public.orders.tax
-- reverse: ALTER TABLE public.orders ALTER COLUMN tax DROP DEFAULT
ALTER TABLE public.orders ALTER COLUMN tax SET DEFAULT 1;

