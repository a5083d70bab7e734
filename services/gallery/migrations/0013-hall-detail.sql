-- The page of an agent is stored and sent whole; nothing looks into it.
ALTER TABLE hall_record ALTER COLUMN detail TYPE json USING detail::json;
