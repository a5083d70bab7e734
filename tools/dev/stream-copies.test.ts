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
    mkdirSync(join(folder, '2025-12-31T000000.000Z.unfinished', 'OBJ_reports'), { recursive: true })
    await copy(1)
    await files((bucket) => bucket.put('one', randomBytes(300_000)))
    await copy(2)
    await copy(3)
    expect(readdirSync(folder).sort()).toEqual(['2026-01-02T000000.000Z', '2026-01-03T000000.000Z'])
    const copied = readdirSync(join(folder, '2026-01-03T000000.000Z')).sort()
    await withBus(servers, PROVISIONER, async (bus) => {
      const { streams } = await jetstreamManager(bus.connection, { checkAPI: false })
      const there: string[] = []
      for await (const { config } of streams.list()) there.push(config.name)
      expect(copied).toEqual(there.sort())
      await expect(restoreFiles(bus, contracts, folder)).rejects.toThrow('already in use')
      await expect(restoreFiles(bus, contracts, join(dataDir, 'none'))).rejects.toThrow('has no complete set of copies')
      for (const name of there.filter((one) => one.startsWith('OBJ_'))) await streams.delete(name)
      expect(await restoreFiles(bus, contracts, folder)).toBe('2026-01-03T000000.000Z')
    })
    expect(await files((bucket) => bucket.read('one'))).not.toBeNull()
  } finally {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
