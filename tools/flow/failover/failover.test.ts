import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withClient } from '@svc/servers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAILY_LIMITS_ONLY } from '#dev/no-limits.ts'
import { SERVICES } from '#dev/services.ts'
import { keptOf, leadersOf } from '#manifest-runner/accounts.ts'
import { loadDuring } from '#manifest-runner/load.ts'
import { startDoubled, whileReadOnly, type Doubled } from './doubled.ts'
import { playDuring } from './plays.ts'

const LONG = process.env['TEST_LONG'] === '1'
const AWAY_MS = 10_000
const READ_ONLY_MS = 60_000
const START_MS = 3_600_000
/** What a request without any repetition may get: 503, or nothing because its connection ended. */
const NOT_SERVED = /^(?:(?:nonce|register): )?503 |fetch failed|terminated|aborted/

describe.runIf(LONG)('with two processes of every service, three NATS nodes and a replica of Postgres', () => {
  let platform: Doubled
  const folder = mkdtempSync(join(tmpdir(), 'svc-failover-'))
  beforeAll(async () => {
    platform = await startDoubled({
      ...DAILY_LIMITS_ONLY,
      SVC_LOG_LEVEL: 'silent',
      SVC_MINING_EVIDENCE_TIMEOUT_MS: '500',
    })
  }, START_MS)
  afterAll(async () => {
    await platform?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
  afterEach(() => vi.restoreAllMocks())

  /** Lets both flows be played and others ask without repetition while `fault` runs; returns what was lost or happened twice. */
  async function losses(fault: () => Promise<void>) {
    const { result: load, ended } = await playDuring(platform, folder, () =>
      loadDuring(platform.url, platform.admin, SERVICES, fault),
    )
    const { failures, requests, slowestMs } = load
    const times = failures.map(({ at }) => Date.parse(at))
    const unservedMs = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
    process.stderr.write(
      `${JSON.stringify({ requests, failures: failures.length, unservedMs, slowestMs, ended: ended.map(({ flow, why }) => `${flow}: ${why}`) })}\n`,
    )
    const pagesOf = (name: string) =>
      platform.processes
        .filter((one) => one.name === name)
        .map((one) => `http://127.0.0.1:${one.internalPort()}/metrics`)
    return withClient(platform.databaseUrl(), async (db) => {
      const kept = await keptOf(db, load, SERVICES)
      const leaders = await leadersOf(SERVICES, pagesOf)
      await db.query('SET search_path TO subscriptions')
      const { rows } = await db.query('SELECT total, unequal, negative FROM subscriptions.ledger_check()')
      return {
        ...kept,
        wrongAnswers: failures.filter(({ problem }) => !NOT_SERVED.test(problem)),
        withoutOneLeader: Object.entries(leaders).filter(([, count]) => count !== 1),
        ledger: rows,
      }
    })
  }
  const goesOnWhile = (title: string, fault: () => Promise<void>) =>
    test(`${title}: an agent's first day and the life of a mandate go on, and nothing is lost or happens twice`, async () =>
      expect(await losses(fault)).toEqual({
        unpublished: 0,
        dead: 0,
        lostRegistrations: 0,
        wrongAgents: [],
        wrongAnswers: [],
        withoutOneLeader: [],
        ledger: [expect.objectContaining({ total: '0', unequal: '0', negative: '0' })],
      }))

  goesOnWhile('while each process is killed in turn', async () => {
    for (const one of platform.processes) await platform.killOne(one)
  })

  goesOnWhile('while the NATS node that leads the events of mandates is killed', async () => {
    const leader = await platform.leaderOf('mandates')
    await leader.kill()
    await delay(AWAY_MS)
    await leader.start()
  })

  goesOnWhile('while Redis is lost with all that it has', async () => {
    const { redis } = platform.prepared.servers
    await redis.kill()
    await delay(AWAY_MS)
    await redis.start()
  })

  goesOnWhile('while Postgres only reads for a minute', () =>
    whileReadOnly(platform.databaseUrl(), () => delay(READ_ONLY_MS)),
  )

  // The last one: nothing has a replica afterwards.
  goesOnWhile('while the primary of Postgres is killed and its replica is promoted', () => platform.failOver())
})
