-- The largest positions of the vault at the mark: [{asset, units, worth_usdc}], amounts as decimal strings. Null if unknown, and
-- for marks of an earlier release.
ALTER TABLE worth ADD positions jsonb;
