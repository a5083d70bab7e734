-- Refused attempts of the day that the chain proves.
ALTER TABLE fact_day ADD COLUMN refused_on_chain integer NOT NULL DEFAULT 0;
CREATE INDEX fact_day_refused ON fact_day (mandate_no) INCLUDE (refused_on_chain) WHERE refused_on_chain > 0;
-- Closed days of an agent inside all limits.
ALTER TABLE hall_record ADD COLUMN days_inside integer NOT NULL DEFAULT 0;
