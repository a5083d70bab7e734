// Scans targets minute by minute at a clock that is stepped, packs and sums up the hours: what is stored afterwards is
// what a service stores.
import { jobs } from '@svc/market-data/jobs'
import { sql } from '@svc/postgres'
import { startReplayExchange } from '@svc/replay-exchange'
import { pacedClock } from '@svc/service'
import { openMarketData } from './market-data-jobs.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const hours = Number(process.env['BENCH_HOURS'])
const targets = Number(process.env['BENCH_TARGETS'])
const venues = ['binance', 'gate', 'kucoin', 'upbit']

// Even hours, for two of them are summed up together.
const begin = Math.floor(Date.now() / (2 * HOUR)) * 2 * HOUR - hours * HOUR
const exchange = await startReplayExchange({ tokens: 120, speed: 0, limits: false, venues, startAt: begin - MINUTE })
const clock = pacedClock(exchange.clock.now, () => 0)
const { context, pool } = await openMarketData(clock, {
  MARKET_VENUES: venues.join(','),
  MARKET_LOCAL_BUDGET_FACTOR: '1000',
  ...Object.fromEntries(
    venues.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)]),
  ),
})
const run = async (name: 'listMarkets' | 'observeMarkets' | 'keepScans' | 'scanTargets' | 'bucketScans') =>
  jobs[name]?.(context)(AbortSignal.timeout(60_000))

process.on('message', () => {
  void (async () => {
    await run('listMarkets')
    await run('observeMarkets')
    await pool.query(sql.unsafe`INSERT INTO target_account (account_id, tier) VALUES (1, 2)`)
    // Spread over the whole universe, large pairs and small ones.
    await pool.query(sql.unsafe`
      INSERT INTO target (account_id, token_id, status, added_at)
      SELECT 1, token_id, 'active', ${clock.now().toISOString()} FROM token JOIN token_instance USING (instance_id, token_id)
      WHERE trading = 'trading' ORDER BY md5(token_id) LIMIT ${targets}`)
    await run('keepScans')
    for (let minute = 0; minute < hours * 60; minute += 1) {
      // The last second of a minute, when all its turns are due.
      exchange.clock.set(begin + minute * MINUTE + 59_000)
      if (minute % 60 === 0) await run('observeMarkets')
      await run('scanTargets')
      await context.scanning.settled(60_000)
      await run('scanTargets')
    }
    exchange.clock.set(begin + hours * HOUR + 10 * MINUTE)
    await run('keepScans')
    await run('bucketScans')
    process.send?.({ done: true })
  })()
})
process.send?.({ ready: true })
