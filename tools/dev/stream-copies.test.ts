import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { contracts } from '@svc/contracts/all'
import { openFiles, PROVISIONER, provision } from '@svc/service'
import { startServers } from '@svc/servers'
import { expect, test } from 'vitest'
import { REPORTS, withBus } from '#restore-drill/load.ts'
import { natsUsersOf } from './access.ts'
import { backupStream, backupStreams, restoreFiles, restoreStream } from './stream-copies.ts'

test('the provisioner copies a bucket and puts it back with the permissions that it has in production', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-files-'))
  const servers = await startServers({ dataDir, postgres: false, redis: false, natsUsers: natsUsersOf })
  const folder = join(dataDir, 'copy')
  const bytes = randomBytes(700_000)
  const read = () =>
    withBus(servers, REPORTS.service, async (bus) => {
      const hash = createHash('sha256')
      for await (const piece of (await (await openFiles(bus, REPORTS.bucket)).read('one')) ?? []) hash.update(piece)
      return hash.digest('hex')
    })
  try {
    await withBus(servers, PROVISIONER, (bus) => provision(bus, contracts))
    const { sha256 } = await withBus(servers, REPORTS.service, async (bus) =>
      (await openFiles(bus, REPORTS.bucket)).put('one', bytes),
    )
    await withBus(servers, PROVISIONER, async (bus) => {
      await backupStream(bus, REPORTS.stream, folder)
      await expect(restoreStream(bus, REPORTS.stream, folder)).rejects.toThrow('already in use')
      await (await jetstreamManager(bus.connection, { checkAPI: false })).streams.delete(REPORTS.stream)
      await restoreStream(bus, REPORTS.stream, folder)
    })
    expect(await read()).toBe(sha256)
    // As after a restore, when the streams of events are created again.
    await withBus(servers, PROVISIONER, (bus) => provision(bus, contracts))
    expect(await read()).toBe(sha256)
  } finally {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a set has every bucket and stream, an interrupted one is removed, and files come back from the newest', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-copies-'))
  const servers = await startServers({ dataDir, postgres: false, redis: false, natsUsers: natsUsersOf })
  const folder = join(dataDir, 'copies')
  const files = <T>(work: (files: Awaited<ReturnType<typeof openFiles>>) => Promise<T>) =>
    withBus(servers, REPORTS.service, async (bus) => work(await openFiles(bus, REPORTS.bucket)))
  const copy = (day: number) =>
    withBus(servers, PROVISIONER, (bus) =>
      backupStreams(bus, contracts, { folder, keep: 2, now: new Date(Date.UTC(2026, 0, day)) }),
    )
  try {
    await withBus(servers, PROVISIONER, (bus) => provision(bus, contracts))
    // As on a volume of ext4.
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    mkdirSync(join(folder, '2025-12-31T000000.000Z.unfinished', 'OBJ_reports'), { recursive: true })
    await copy(1)
    await files((bucket) => bucket.put('one', randomBytes(300_000)))
    await copy(2)
    await copy(3)
    expect(readdirSync(folder).sort()).toEqual(['2026-01-02T000000.000Z', '2026-01-03T000000.000Z', 'lost+found'])
    const copied = readdirSync(join(folder, '2026-01-03T000000.000Z')).sort()
    await withBus(servers, PROVISIONER, async (bus) => {
      const { streams } = await jetstreamManager(bus.connection, { checkAPI: false })
      const there: string[] = []
      for await (const { config } of streams.list()) there.push(config.name)
      expect(copied).toEqual(there.sort())
      const none = restoreFiles(bus, contracts, { folder: join(dataDir, 'none') })
      await expect(none).rejects.toThrow('has no complete set of copies')
      const unknown = restoreFiles(bus, contracts, { folder, set: '2026-01-01T000000.000Z' })
      await expect(unknown).rejects.toThrow('2026-01-01T000000.000Z: 2026-01-02T000000.000Z, 2026-01-03T000000.000Z')
      const buckets = there.filter((one) => one.startsWith('OBJ_'))
      const restore = async (set?: string) => {
        const steps: string[] = []
        const name = await restoreFiles(bus, contracts, { folder, set, onStep: (step) => steps.push(step) })
        return [name, steps.sort()]
      }
      const put = (name: string) => `${name} is put back`
      const left = (name: string) => `${name} exists and is left as it is: delete it to put its files back`
      expect(await restore()).toEqual(['2026-01-03T000000.000Z', buckets.map(left).sort()])
      for (const name of buckets) await streams.delete(name)
      expect(await restore('2026-01-02T000000.000Z')).toEqual(['2026-01-02T000000.000Z', buckets.map(put).sort()])
      await streams.delete(REPORTS.stream)
      const [name, steps] = await restore()
      expect(name).toBe('2026-01-03T000000.000Z')
      expect(steps).toContain(put(REPORTS.stream))
    })
    expect(await files((bucket) => bucket.read('one'))).not.toBeNull()
  } finally {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
