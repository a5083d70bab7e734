import { venueFile } from '@svc/contracts/market-data/venues'
import { openVenues } from '@svc/tools/dev/venues.ts'
import { cpuSeconds } from './process-usage.ts'
import { startProcess } from './processes.ts'
import type { Benchmark } from './result.ts'
import { openStage } from './stage.ts'
import { median } from './statistics.ts'

const TARGETS = 2_000
const VENUES = ['binance', 'gate', 'kucoin', 'upbit'] as const
/** Enough pairs at four venues for all targets. */
const TOKENS = 700
/** The first turns are all due at once; after a minute each has its own second. */
const SETTLE_SECONDS = 65

/** Scans all targets of the product every minute, against a bare loop that fetches the same books. */
export const targets: Benchmark = async ({ dataDir, note }) => {
  await using stage = await openStage(dataDir)
  await using cleanup = new AsyncDisposableStack()
  const { admin, prepared } = stage
  const venues = await openVenues({ kind: 'replay', tokens: TOKENS, limits: false }, note)
  cleanup.defer(() => venues.stop())
  await using scans = await startProcess('scan-minute.ts', {
    ...(prepared.environmentOf('market-data') as Record<string, string>),
    ...(venues.environment as Record<string, string>),
    MARKET_VENUES: VENUES.join(','),
    MARKET_LOCAL_BUDGET_FACTOR: '10',
  })
  const scan = async (seconds: number) =>
    ((await scans.ask({ seconds }, (seconds + 120) * 1_000)) as { seconds: number }).seconds
  await scan(0)
  await admin.query('SET search_path TO market_data')
  await admin.query('INSERT INTO target_account (account_id, tier) SELECT a, 2 FROM generate_series(1, 41) AS a')
  const { rowCount } = await admin.query(
    `INSERT INTO target (account_id, token_id, status, added_at)
     SELECT 1 + row_number() OVER (ORDER BY md5(token_id)) / 50, token_id, 'active', now()
     FROM token JOIN token_instance USING (instance_id, token_id) WHERE trading = 'trading' ORDER BY md5(token_id) LIMIT ${TARGETS}`,
  )
  if (rowCount !== TARGETS) throw new Error(`the replay exchange has ${rowCount} pairs only`)
  // Each turn records how late it began.
  await admin.query(`
    CREATE TABLE taken (late_ms double precision NOT NULL);
    CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = market_data AS $$ BEGIN
      INSERT INTO taken VALUES (greatest(0, extract(epoch FROM clock_timestamp() - OLD.next_at) * 1000)); RETURN NULL; END $$;
    CREATE TRIGGER note_taken AFTER UPDATE ON scan_turn FOR EACH ROW EXECUTE FUNCTION note_taken()`)
  note(`targets: ${TARGETS} of them for two minutes of real time`)
  await scan(0)
  await scan(SETTLE_SECONDS)
  await admin.query('TRUNCATE taken, scan_minute')
  const seconds = 60
  const { postgres, redis } = prepared.servers
  const servers = [postgres, redis].flatMap((one) => one.pid() ?? [])
  const before = cpuSeconds(servers)
  const service = await scan(seconds)
  const inServers = cpuSeconds(servers) - before
  const { rows } = await admin.query<{ n: number; good: number; p99: number }>(
    `SELECT (SELECT count(*)::int FROM scan_minute) AS n, (SELECT count(*)::int FROM scan_minute WHERE error IS NULL) AS good,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY late_ms) AS p99 FROM taken`,
  )
  const { n = 0, good = 0, p99 = Infinity } = rows[0] ?? {}

  note('targets: the same books in a bare loop')
  await using loop = await startProcess('ccxt-loop.ts', {})
  const { rows: pairs } = await admin.query<{ exchange: string; symbols: string[] }>(
    `SELECT exchange, array_agg(symbol) AS symbols FROM target JOIN token USING (token_id) GROUP BY exchange`,
  )
  const parts = pairs.map(({ exchange, symbols }) => ({
    exchange,
    symbols,
    baseUrl: `${venues.environment[`MARKET_VENUE_BASE_URL_${exchange.toUpperCase()}`] ?? ''}`,
    levels: venueFile(exchange).books.levels,
    booksPerCall: venueFile(exchange).books.perCall,
  }))
  const bare: number[] = []
  await loop.ask({ parts }, 60_000)
  for (let round = 0; round < 3; round += 1)
    bare.push(((await loop.ask({ parts }, 60_000)) as { seconds: number }).seconds)

  const core = (used: number, during: number) => used / during
  const all = core(service + inServers, seconds)
  const floor = core(median(bare), 60)
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  return {
    figures: [
      {
        what: `${TARGETS} targets scanned each minute: from the second in which a scan is due to its start, p99`,
        goal: '≤ 5 s',
        measured: `${(p99 / 1000).toFixed(2)} s (${n} scans in ${seconds} s, ${n - good} failed)`,
        met: p99 <= 5_000 && n >= TARGETS * (seconds / 60) * 0.98 && good === n,
        holdsBack: 'Turns are taken five times a second.',
      },
      {
        what: 'The same, share of a core beyond a bare ccxt loop over the same books',
        goal: '≤ 20 %',
        measured: `${share(all - floor)} (service ${share(core(service, seconds))}, Postgres and Redis ${share(core(inServers, seconds))}; floor ${share(floor)})`,
        met: all - floor <= 0.2,
        holdsBack: 'Candles of the last minutes beside each book, the allowance in Redis, and the rows.',
      },
    ],
  }
}
