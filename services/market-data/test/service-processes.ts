import type { Environment } from '@svc/contract'
import type { Pool, sql } from '@svc/postgres'
import type { ReplayExchange } from '@svc/replay-exchange'
import { testProcesses, type TestProcesses, type TestStack } from '@svc/testing'

/** Returns instances of the service that read the venues of a replay exchange, by its clock. */
export function serviceProcesses(
  stack: TestStack,
  exchange: ReplayExchange,
  venues: readonly string[],
  more: Environment = {},
): TestProcesses {
  const addressOf = (venue: string) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)]
  return testProcesses(new URL('./paced-process.ts', import.meta.url), () => ({
    ...stack.environmentOf('market-data', {
      MARKET_VENUES: venues.join(','),
      ...Object.fromEntries(venues.map(addressOf)),
      ...more,
    }),
    TEST_CLOCK_AT: String(exchange.clock.now()),
    TEST_CLOCK_REAL: String(Date.now()),
    TEST_CLOCK_SPEED: String(exchange.clock.state().speed),
  }))
}

/** Locks in a separate transaction until `release`, so that a process that needs the lock waits there. */
export async function hold(pool: Pool, lock: ReturnType<typeof sql.unsafe>): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let locked = () => {}
  const isLocked = new Promise<void>((resolve) => (locked = resolve))
  const holding = pool.transaction(async (tx) => {
    await tx.query(lock)
    locked()
    await released
  })
  await Promise.race([isLocked, holding])
  return () => {
    release()
    return holding
  }
}
