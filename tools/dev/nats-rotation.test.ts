import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServers, type NatsUser, type Secrets, type Servers } from '@svc/servers'
import { openBus, openLog, type Bus } from '@svc/service'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const may = { publish: ['rpc.>', '_INBOX_>', '_INBOX_gateway.>'], subscribe: ['rpc.>', '_INBOX_gateway.>'] }
const user = (secrets: Secrets, name: string, key = name): NatsUser => ({
  name,
  publicKey: secrets.nkey(key).publicKey,
  permissions: { ...may, allowResponses: true },
})

const dataDir = mkdtempSync(join(tmpdir(), 'svc-rotation-'))
let servers: Servers
beforeAll(async () => {
  const natsUsers = (secrets: Secrets) => [user(secrets, 'gateway'), user(secrets, 'mining')]
  servers = await startServers({ dataDir, postgres: false, redis: false, natsUsers })
})
afterAll(async () => {
  await servers?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const connect = (name: string, key = name, patienceMs = 60_000): Promise<Bus> =>
  openBus({
    url: servers.nats.url,
    name,
    seed: servers.secrets.nkey(key).seed,
    log: openLog(name, 'silent'),
    patienceMs,
  })
const answering = (bus: Bus, text: string) =>
  bus.respond('rpc.mining.>', 'mining', async () => new TextEncoder().encode(text))

test('a service changes its NATS key while it is asked all the time, and the old key ends without a refused request', async () => {
  const { secrets } = servers
  const gateway = await connect('gateway')
  const before = await connect('mining')
  const served = answering(before, 'old')
  const answers: string[] = []
  let asking = true
  const asks = (async () => {
    while (asking) {
      const data = await gateway.request('rpc.mining.gateway.read', new Uint8Array(), Date.now() + 20_000)
      answers.push(new TextDecoder().decode(data))
    }
  })()
  const saw = (text: string) => eventually(() => answers.slice(-20).includes(text))
  await saw('old')

  servers.nats.reload([user(secrets, 'gateway'), user(secrets, 'mining'), user(secrets, 'mining', 'next')])
  // The client repeats a login that the server does not know yet.
  const after = await connect('mining', 'next')
  answering(after, 'new')
  await saw('new')
  await served.drain()
  await before.close()
  servers.nats.reload([user(secrets, 'gateway'), user(secrets, 'mining', 'next')])
  await eventually(() => answers.slice(-20).every((text) => text === 'new'))

  asking = false
  await asks
  await expect(connect('mining', 'mining', 300)).rejects.toThrow()
  await Promise.all([gateway.close(), after.close()])
})
