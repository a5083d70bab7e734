import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { contracts } from '@svc/contracts/all'
import { openFiles, PROVISIONER, provision } from '@svc/service'
import { startServers } from '@svc/servers'
import { expect, test } from 'vitest'
import { natsUsersOf } from '#dev/access.ts'
import { backupStream, restoreStream } from './files.ts'
import { REPORTS, withBus } from './load.ts'

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
