-- A pass reads the days of every mandate. In the table they lie where their day was written, each on another page; in the
-- key they lie together, with all that a pass needs of them.
ALTER TABLE fact_day DROP CONSTRAINT fact_day_pkey;
ALTER TABLE fact_day ADD PRIMARY KEY (mandate_no, day)
  INCLUDE (start_usdc, peak_usdc, gain_usdc, trades, violations, foreign_fills);
CREATE INDEX fact_day_with_refusals ON fact_day (mandate_no, day) WHERE refusals IS NOT NULL;
CREATE INDEX fact_day_marked ON fact_day (mandate_no, day) WHERE worth_usdc IS NOT NULL;
