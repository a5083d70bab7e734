import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisAcl, redisUrl, startServers, type RedisUser, type Servers } from '@svc/servers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'

const dataDir = mkdtempSync(join(tmpdir(), 'svc-redis-rotation-'))
const gateway: RedisUser = { name: 'gateway', password: 'the first one', keyPrefix: 'gw:' }
const next = 'the next one'
let servers: Servers
beforeAll(async () => {
  servers = await startServers({ dataDir, postgres: false, nats: false, redisUsers: () => [gateway] })
})
afterAll(async () => {
  await servers?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a service changes its Redis password while it is used: both are accepted until the old one is removed, and no command fails', async () => {
  const admin = new Redis(servers.redis.url, { maxRetriesPerRequest: 1 })
  const accept = async (user: RedisUser) => {
    writeFileSync(join(dataDir, 'redis.acl'), redisAcl(servers.secrets.password('redis'), [user]))
    await admin.call('ACL', 'LOAD')
  }
  const open = (password: string) => new Redis(redisUrl(servers.redis.port, gateway.name, password))
  const before = open(gateway.password)
  expect(await before.incr('gw:asked')).toBe(1)
  await accept({ ...gateway, nextPassword: next })
  const after = open(next)
  expect(await before.incr('gw:asked')).toBe(2)
  expect(await after.incr('gw:asked')).toBe(3)
  before.disconnect()
  await accept({ ...gateway, password: next })
  expect(await after.incr('gw:asked')).toBe(4)

  const late = new Redis(redisUrl(servers.redis.port, gateway.name, gateway.password), { maxRetriesPerRequest: 0 })
  late.on('error', () => {})
  await expect(late.incr('gw:asked')).rejects.toThrow()
  for (const one of [admin, after, late]) one.disconnect()
})
