-- Why an item was held, as it was judged at its request; null for items that were held before this was kept.
ALTER TABLE approval ADD judgement jsonb;
