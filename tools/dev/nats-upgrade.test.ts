import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream } from '@nats-io/jetstream'
import { consumerOf, streamOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { startServers, type NatsUser, type Secrets, type Servers } from '@svc/servers'
import { openBus, openFiles, openLog, provision, PROVISIONER, type Bus } from '@svc/service'
import { withoutAccounts } from '@svc/testing/without-accounts'
import { expect, onTestFinished, test } from 'vitest'
import { natsUsersOf } from './access.ts'

const STREAM = streamOf('mining')
const CONSUMER = consumerOf('subscriptions', 'payoutReleased')

test('a data folder of the release before accounts keeps its unread events, those in flight and its files', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-nats-upgrade-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const during = async (
    natsUsers: (secrets: Secrets) => readonly NatsUser[],
    work: (servers: Servers) => Promise<void>,
  ) => {
    const servers = await startServers({ dataDir, postgres: false, redis: false, natsUsers })
    try {
      const bus = await connect(servers, PROVISIONER)
      await provision(bus, contracts)
      await bus.close()
      await work(servers)
    } finally {
      await servers.stop()
    }
  }
  const bytes = randomBytes(300_000)
  await during(
    (secrets) => withoutAccounts(natsUsersOf(secrets)),
    async (servers) => {
      const [mining, reports, ledger] = await Promise.all(
        ['mining', 'research-reports', 'subscriptions'].map((name) => connect(servers, name)),
      )
      if (mining === undefined || reports === undefined || ledger === undefined) return
      for (const id of ['in flight', 'unread'])
        await jetstream(mining.connection, { checkAPI: false }).publish('evt.mining.payoutReleased', id, { msgID: id })
      await (await openFiles({ ...reports, streamsApi: '$JS.API' }, 'reports')).put('one', bytes)
      const consumer = await jetstream(ledger.connection, { checkAPI: false }).consumers.get(STREAM, CONSUMER)
      expect((await consumer.next())?.string()).toBe('in flight')
      await Promise.all([mining, reports, ledger].map((bus) => bus.close()))
    },
  )
  await during(natsUsersOf, async (servers) => {
    const [mining, reports, ledger] = await Promise.all(
      ['mining', 'research-reports', 'subscriptions'].map((name) => connect(servers, name)),
    )
    if (mining === undefined || reports === undefined || ledger === undefined) return
    // Published again after the upgrade, as the outbox does that saw no answer.
    const again = jetstream(mining.connection, { apiPrefix: mining.streamsApi })
    expect(await again.publish('evt.mining.payoutReleased', 'unread', { msgID: 'unread' })).toMatchObject({
      duplicate: true,
    })
    const consumer = await jetstream(ledger.connection, { apiPrefix: ledger.streamsApi }).consumers.get(
      STREAM,
      CONSUMER,
    )
    const got: string[] = []
    for await (const message of await consumer.consume()) {
      got.push(message.string())
      await message.ackAck()
      if (got.length === 2) break
    }
    expect(got.toSorted()).toEqual(['in flight', 'unread'])
    expect((await consumer.info()).num_pending).toBe(0)
    const hash = createHash('sha256')
    for await (const piece of (await (await openFiles(reports, 'reports')).read('one')) ?? []) hash.update(piece)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    await Promise.all([mining, reports, ledger].map((bus) => bus.close()))
  })
})

const connect = ({ nats, secrets }: Servers, name: string): Promise<Bus> =>
  openBus({ url: nats.url, name, seed: secrets.nkey(name).seed, log: openLog(name, 'silent') })
