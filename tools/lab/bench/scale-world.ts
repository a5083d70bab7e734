import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractsWithVenues } from '@svc/testing/contracts-with-venues'
import { openVenues } from '@svc/tools/dev/venues.ts'
import { openStage } from './stage.ts'

/** Tokens of the replay exchange of which Gate lists about a thousand pairs. */
const TOKENS = 1_180

export interface Load {
  readonly venues: number
  readonly targets: number
}
export const whole: Load = { venues: 100, targets: 10_000 }
/** What two cores carry together with their servers and the exchange, in real time. */
export const shared: Load = { venues: 40, targets: 4_000 }
export const few: Load = { venues: 10, targets: 1_000 }

export type Admin = Awaited<ReturnType<typeof openStage>>['admin']

/** Opens servers and made-up venues: files like Gate's that are read from one replay exchange with a synthetic market. */
export async function openScale(load: Load, dataDir: string, note: (line: string) => void) {
  const ids = Array.from({ length: load.venues }, (_, n) => `venue${String(n).padStart(2, '0')}`)
  const gate = readFileSync(fileURLToPath(import.meta.resolve('@svc/contracts/market-data/venues/gate')), 'utf8')
  const hook = contractsWithVenues(join(dataDir, 'contracts'), Object.fromEntries(ids.map((id) => [id, gate])))
  await using parts = new AsyncDisposableStack()
  const { admin, prepared } = parts.use(await openStage(dataDir))
  const replay = await openVenues({ kind: 'replay', tokens: TOKENS, limits: false }, note)
  parts.defer(() => replay.stop())
  const address = replay.environment['MARKET_VENUE_BASE_URL_GATE'] ?? ''
  const environmentOf = (venues: readonly string[]): Record<string, string> => ({
    ...(prepared.environmentOf('market-data') as Record<string, string>),
    ...Object.fromEntries(venues.map((id) => [`MARKET_VENUE_BASE_URL_${id.toUpperCase()}`, address])),
    MARKET_VENUES: venues.join(','),
    MARKET_LOCAL_BUDGET_FACTOR: '1000',
    MARKET_VENUE_TIMEOUT_MS: '60000',
  })
  const servers = [prepared.servers.postgres].flatMap((server) => server.pid() ?? [])
  const opened = parts.move()
  return { ids, hook, admin, servers, environmentOf, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Adds the targets of a load, of accounts with at most fifty each. */
export async function fillTargets(admin: Admin, { targets }: Load): Promise<void> {
  await admin.query('INSERT INTO target_account (account_id, tier) SELECT a, 2 FROM generate_series(1, 201) AS a')
  await admin.query(
    `INSERT INTO target (account_id, token_id, status, added_at)
     SELECT 1 + row_number() OVER (ORDER BY md5(token_id)) / 50, token_id, 'active', now()
     FROM token JOIN token_instance USING (instance_id, token_id) WHERE trading = 'trading' ORDER BY md5(token_id) LIMIT ${targets}`,
  )
}

/** Returns the number of pairs that trade. */
export const pairsOf = async (admin: Admin): Promise<number> =>
  (
    await admin.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM market_data.token_instance WHERE trading = 'trading'",
    )
  ).rows[0]?.n ?? 0
