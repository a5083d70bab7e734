-- Every book and conflict of a pass names the open alerts of its pair. Older passes lack them; the next one follows within a minute.
DELETE FROM arbitrage_pass;
