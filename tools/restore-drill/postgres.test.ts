import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers, withClient, type Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE } from './patience.ts'
import { baseBackup, nameMoment, recovered, restoreCluster, startArchiving } from './postgres.ts'
import { promote, startReplica } from './standby.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-restore-'))
const place = { base: join(folder, 'base'), archive: join(folder, 'archive') }
let servers: Servers
let replica: Servers | undefined
beforeAll(async () => {
  servers = await startServers({ dataDir: join(folder, 'primary'), nats: false, redis: false, durable: false })
})
afterAll(async () => {
  await Promise.all([servers?.stop(), replica?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const run = async (text: string, url = servers.postgres.url) =>
  (await withClient(url, (client) => client.query(text))).rows
const add = (value: number) => run(`INSERT INTO kept VALUES (${value})`)
const kept = async (url?: string) =>
  (await run('SELECT value FROM kept ORDER BY value', url)).map((row) => Number(row['value']))

test('a cluster that was copied while it worked is restored to a named moment, or to the end of its archive', async () => {
  const { postgres } = servers
  const cluster = servers.folder.file('postgres')
  await startArchiving(postgres, place, 1)
  await run('CREATE TABLE kept (value int)')
  await add(1)
  const busy = (async () => {
    for (let value = 100; value < 150; value += 1) await add(value)
  })()
  await baseBackup(postgres, cluster, place)
  await busy
  await add(2)
  await nameMoment(postgres, 'moment')
  await add(3)
  const segment = String((await run('SELECT pg_walfile_name(pg_switch_wal()) AS name'))[0]?.['name'])
  await eventually(async () => {
    const [stat] = await run(`SELECT last_archived_wal >= '${segment}' AS has FROM pg_stat_archiver`)
    return stat?.['has'] === true
  }, PATIENCE)
  await postgres.kill()
  const during = Array.from({ length: 50 }, (_, at) => 100 + at)

  cpSync(place.base, join(folder, 'again'), { recursive: true })
  restoreCluster(cluster, place, 'moment')
  await postgres.start()
  await recovered(postgres)
  expect(await kept()).toEqual([1, 2, ...during])
  await add(4)

  await postgres.kill()
  restoreCluster(cluster, { ...place, base: join(folder, 'again') }, null)
  await postgres.start()
  await recovered(postgres)
  expect(await kept()).toEqual([1, 2, 3, ...during])
})

test('a promoted replica has every commit that was answered', async () => {
  replica = await startReplica(servers, join(folder, 'replica'))
  const answered: number[] = []
  const adding = (async () => {
    for (let value = 1_000; ; value += 1) {
      await add(value)
      answered.push(value)
    }
  })().catch(() => {})
  await eventually(() => answered.length > 20, PATIENCE)
  await servers.postgres.kill()
  await adding
  await promote(replica)
  await recovered(replica.postgres)
  const found = await kept(replica.postgres.url)
  expect(answered.filter((value) => !found.includes(value))).toEqual([])
  await run('INSERT INTO kept VALUES (5)', replica.postgres.url)
})
