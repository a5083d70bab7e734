import { rmSync } from 'node:fs'
import { schemaOf } from '@svc/contract'
import { freePort, withClient, type Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { expect, test, vi } from 'vitest'
import { firstDay } from '#demo/first-day.ts'
import { createWalk } from '#demo/walk.ts'
import { preparePlatform } from '#dev/platform.ts'
import { SERVICES, startInProcess, type Running } from '#dev/services.ts'
import { publishAllAgain } from '#dev/storage.ts'
import { QUIET_REPLAY } from '#dev/venues.ts'
import { databaseOf } from '#restore-drill/picture.ts'
import { schemasOf, split } from '#restore-drill/split.ts'
import { startReplica } from '#restore-drill/standby.ts'
import { ask } from './client.ts'
import { newDataFolder } from './data-folder.ts'

const LONG = process.env['TEST_LONG'] === '1'
/** Services that get a cluster of their own: what is written most. */
const MOVED = ['subscriptions', 'market-data']

test.runIf(LONG)(
  'two services move to a second Postgres while the others answer: the ledger is whole, events flow between the clusters, and each cluster publishes its own again',
  async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const dataDir = newDataFolder('two-clusters')
    await using parts = new AsyncDisposableStack()
    parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const platform = await preparePlatform({ dataDir, publicUrl: url, durable: false, venues: QUIET_REPLAY })
    const { servers } = platform
    parts.defer(() => servers.stop())
    const second = await startReplica(servers, `${dataDir}/second`)
    parts.defer(() => second.stop())
    const running: Running[] = []
    parts.defer(async () => {
      for (const one of running.reverse()) await one.stop()
    })
    const start = async (services: readonly string[], at: Servers) => {
      const more = (service: string) => {
        const address = new URL(platform.environmentOf(service)['SVC_POSTGRES_URL'] ?? 'postgres://none')
        address.port = String(at.postgres.port)
        return {
          SVC_PORT: String(port),
          SVC_POSTGRES_URL: address.href,
          SVC_LOG_LEVEL: 'silent',
          SVC_OPEN_LIMIT_MINUTE: '1000',
        }
      }
      running.push(await startInProcess(platform, more, { services }))
    }
    await start(MOVED, servers)
    await start(
      SERVICES.filter((name) => !MOVED.includes(name)),
      servers,
    )
    const walk = createWalk(url)
    const before = await firstDay(walk, platform.house)

    const [moving] = running.splice(0, 1)
    await moving?.stop()
    const served = ask(url, '/.well-known/jwks.json')
    await split(servers, second, MOVED.map(schemaOf))
    await start(MOVED, second)
    expect((await served).status).toBe(200)
    expect([...(await schemasOf(second.postgres))].sort()).toEqual(MOVED.map(schemaOf).sort())
    expect(await schemasOf(servers.postgres)).not.toContain('subscriptions')

    await eventually(async () =>
      expect((await ask(url, '/subscriptions/cherries/balance', { key: before.key })).status).toBe(200),
    )
    await firstDay(walk, platform.house)
    for (const one of running.splice(0).reverse()) await one.stop()
    await withClient(databaseOf(second.postgres), async (db) => {
      await db.query('SET search_path TO subscriptions')
      const { rows } = await db.query('SELECT total, unequal, negative FROM subscriptions.ledger_check()')
      expect(rows).toMatchObject([{ total: '0', unequal: '0', negative: '0' }])
    })
    const again = await Promise.all([servers, second].map(({ postgres }) => publishAllAgain(postgres.url, true)))
    expect(again.filter((events) => events === 0)).toEqual([])
  },
)
