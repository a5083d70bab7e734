import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  freePort,
  LOCAL_CHAIN_ID,
  prepareDatabase,
  rpc,
  ServerProblem,
  startServers,
  type Servers,
} from '../src/index.ts'
import { openDataFolder } from '../src/data-folder.ts'
import { startRedis } from '../src/redis.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'svc-servers-'))
const start = () =>
  startServers({
    dataDir,
    durable: false,
    redisUsers: (secrets) => [{ name: 'gateway', password: secrets.password('redis:gateway'), keyPrefix: 'gw:' }],
  })

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** What the probe answers first that is neither null nor false. */
async function until<T>(probe: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + 600_000
  for (;;) {
    const value = await probe()
    if (value !== null && value !== false) return value
    if (Date.now() > deadline) throw new Error('did not happen within ten minutes')
    await delay(10)
  }
}

describe('a set of servers', () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await start()
  })
  afterAll(async () => {
    await servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('committed rows survive kill -9 of Postgres, on the same port', async () => {
    const { url, port } = servers.postgres
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS value')
    await servers.postgres.kill()
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await servers.postgres.start()
    expect((await query(url, 'SELECT value FROM kept')).rows).toEqual([{ value: 7 }])
    expect(servers.postgres.port).toBe(port)
  })

  test('NATS and Redis start again after kill -9', async () => {
    for (const server of [servers.nats, servers.redis]) {
      await server.kill()
      expect(server.pid()).toBeNull()
      await server.start()
      expect(server.pid()).not.toBeNull()
    }
  })

  test('a second start of the same folder is refused in one sentence', async () => {
    await expect(start()).rejects.toThrow(/is in use by process \d+: stop that one first/)
  })

  test('a second start keeps ports, secrets and rows', async () => {
    const before = { port: servers.postgres.port, secret: servers.secrets.password('x') }
    await servers.stop()
    servers = await start()
    expect({ port: servers.postgres.port, secret: servers.secrets.password('x') }).toEqual(before)
    expect((await query(servers.postgres.url, 'SELECT value FROM kept')).rows).toEqual([{ value: 7 }])
  })

  test('secrets are readable for their user only', () => {
    for (const name of ['secrets.json', 'nats.conf', 'redis.acl'])
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  })

  test('preparing a database twice changes nothing, and a role stays inside its schema', async () => {
    const schemas = ['one', 'two'].map((schema) => ({
      schema,
      migratorPassword: `${schema}'m`,
      appPassword: `${schema}:/@ä`,
    }))
    const prepare = () => prepareDatabase({ superuserUrl: servers.postgres.url, database: 'svc', schemas })
    const urls = await prepare()
    expect(await prepare()).toEqual(urls)
    const { app = '', migrator = '' } = urls['one'] ?? {}
    await query(migrator, 'SET ROLE one_owner; CREATE TABLE one.things (id int)')
    await query(app, 'INSERT INTO things VALUES (1)')
    for (const denied of [
      'CREATE TABLE more (id int)',
      'CREATE TABLE public.more (id int)',
      'CREATE SCHEMA more',
      'SET ROLE one_owner',
      'SELECT * FROM two.nothing',
    ]) {
      await expect(query(app, denied)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|3F000)$/) })
    }
    await expect(query(urls['two']?.app ?? '', 'SELECT * FROM one.things')).rejects.toMatchObject({ code: '42501' })
  })

  test('preparing with another password changes it at once, and the old one is refused', async () => {
    const prepare = (migratorPassword: string) =>
      prepareDatabase({
        superuserUrl: servers.postgres.url,
        database: 'svc',
        schemas: [{ schema: 'changed', migratorPassword, appPassword: 'a' }],
      })
    const { migrator: old = '' } = (await prepare('before'))['changed'] ?? {}
    await query(old, 'SELECT 1')
    const { migrator: next = '' } = (await prepare('after'))['changed'] ?? {}
    await query(next, 'SELECT 1')
    await expect(query(old, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('the superuser gets another password while a service is connected, and databases are prepared with it', async () => {
    const schemas = [{ schema: 'kept', migratorPassword: 'm', appPassword: 'a' }]
    const prepare = (superuserUrl: string) => prepareDatabase({ superuserUrl, database: 'svc', schemas })
    const first = servers.postgres.url
    const app = new pg.Client({ connectionString: (await prepare(first))['kept']?.app })
    await app.connect()
    const next = new URL(first)
    next.password = 'the-next-one'
    await query(first, `ALTER ROLE postgres PASSWORD 'the-next-one'`)
    try {
      await prepare(next.href)
      expect((await app.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      await expect(query(first, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
    } finally {
      await app.end()
      await query(next.href, `ALTER ROLE postgres PASSWORD '${decodeURIComponent(new URL(first).password)}'`)
    }
  })
})

describe('a start that cannot succeed says what to do', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-servers-bad-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  test('port in use', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await expect(
      startServers({ dataDir: join(dir, 'port'), postgres: false, redis: false, ports: { nats: port } }),
    ).rejects.toThrow(`Port ${port} for nats is in use: stop the process that uses it or choose another port.`)
    other.close()
    expect(existsSync(join(dir, 'port/lock'))).toBe(false)
  })

  test('port in use by another server of the same kind, which answers in its place', async () => {
    const other = await startServers({ dataDir: join(dir, 'first-redis'), postgres: false, nats: false })
    onTestFinished(() => other.stop())
    const folder = openDataFolder(join(dir, 'second-redis'))
    onTestFinished(() => folder.release())
    mkdirSync(folder.file('logs'))
    await expect(startRedis({ folder, port: other.redis.port, access: null, log: () => {} })).rejects.toThrow(
      `Port ${other.redis.port} for Redis is in use`,
    )
  })

  test('data folder is a file', async () => {
    writeFileSync(join(dir, 'file'), '')
    await expect(startServers({ dataDir: join(dir, 'file') })).rejects.toThrow(
      /file is not a folder: choose another one with --data/,
    )
  })

  test('secrets are damaged', async () => {
    const dataDir = join(dir, 'secrets')
    const servers = await startServers({ dataDir, postgres: false, nats: false })
    servers.secrets.password('one')
    await servers.stop()
    writeFileSync(join(dataDir, 'secrets.json'), '{"passwords":')
    await expect(startServers({ dataDir, postgres: false, nats: false })).rejects.toThrow(
      /secrets\.json is damaged: restore it/,
    )
  })

  test('Postgres data of another version, and damaged data', async () => {
    const dataDir = join(dir, 'postgres')
    const only = { dataDir, nats: false, redis: false, durable: false } as const
    await (await startServers(only)).stop()
    const version = join(dataDir, 'postgres/PG_VERSION')
    const right = readFileSync(version)
    writeFileSync(version, '9\n')
    await expect(startServers(only)).rejects.toThrow(
      /was made by PostgreSQL 9 and this is PostgreSQL \d+: choose another folder/,
    )
    writeFileSync(version, right)
    writeFileSync(join(dataDir, 'postgres/global/pg_control'), 'x')
    const failure = await startServers(only).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ServerProblem)
    expect(String(failure)).toMatch(/cannot be used \(.*\): restore the data folder from a backup/)
  })
})

test('servers that are supervised start again when they end by themselves', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-servers-supervised-'))
  const servers = await startServers({ dataDir, postgres: false, redis: false, supervise: true })
  const first = servers.nats.pid()
  process.kill(first ?? 0, 'SIGKILL')
  await until(() => servers.nats.pid() !== null && servers.nats.pid() !== first)
  expect(servers.nats.pid()).not.toBe(first)
  await servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the local chain', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-servers-chain-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const only = { dataDir, postgres: false, nats: false, redis: false, chain: true, supervise: true } as const
  /** Starts the chain; it is stopped after the test, so that a failed one leaves the folder to the next. */
  const startChain = async (more: { readonly pageOrigin?: string } = {}) => {
    const servers = await startServers({ ...only, ...more })
    onTestFinished(() => servers.stop())
    return servers
  }
  const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const pay = async (url: string, value: number) => {
    const hash = await rpc(url, 'eth_sendTransaction', [{ from: account, to: payee, value: `0x${value.toString(16)}` }])
    return until(() => rpc(url, 'eth_getTransactionReceipt', [hash]))
  }
  const payee = `0x${'ab'.repeat(20)}`
  const paid = async (url: string) => Number(await rpc(url, 'eth_getBalance', [payee, 'latest']))

  test('keeps blocks, receipts and balances over an orderly restart, on the same port', async () => {
    const first = await startChain()
    const url = first.chain?.url ?? ''
    expect(Number(await rpc(url, 'eth_chainId'))).toBe(LOCAL_CHAIN_ID)
    const receipt = (await pay(url, 7)) as { transactionHash: string }
    await first.stop()
    const second = await startChain()
    expect(second.chain?.url).toBe(url)
    expect(await paid(url)).toBe(7)
    expect(await rpc(url, 'eth_getTransactionReceipt', [receipt.transactionHash])).toEqual(receipt)
  })

  test('a browser lets one page ask it, and without a page none', async () => {
    const allowed = async (url: string) => {
      const asked = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
      return (await fetch(url, { method: 'OPTIONS', headers: asked })).headers.get('access-control-allow-origin')
    }
    const none = await startChain()
    expect(await allowed(none.chain?.url ?? '')).toBe(none.chain?.url)
    await none.stop()
    const pageOrigin = 'http://127.0.0.1:8080'
    const one = await startChain({ pageOrigin })
    expect(await allowed(one.chain?.url ?? '')).toBe(pageOrigin)
    // A browser sends a text without asking before; the node does not take it for a call.
    const text = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}' }
    expect(await (await fetch(one.chain?.url ?? '', text)).json()).toHaveProperty('error')
  })

  test('after kill -9 of the node it goes on from what was written', async () => {
    const servers = await startChain()
    const url = servers.chain?.url ?? ''
    const state = join(dataDir, 'chain-state.json')
    await pay(url, 5)
    const written = () => JSON.parse(readFileSync(state, 'utf8')) as { accounts: Record<string, { balance: string }> }
    await until(() => Number(written().accounts[payee]?.balance) === 12)
    const killed = servers.chain?.pid() ?? 0
    process.kill(killed, 'SIGKILL')
    await until(() => servers.chain?.pid() !== null && servers.chain?.pid() !== killed)
    expect(await until(() => paid(url).catch(() => null))).toBe(12)
  })

  test('confirmations pass without further transactions', async () => {
    const servers = await startChain()
    const url = servers.chain?.url ?? ''
    const mined = Number(((await pay(url, 1)) as { blockNumber: string }).blockNumber)
    await until(async () => Number(await rpc(url, 'eth_blockNumber')) >= mined + 2)
    expect(Number(await rpc(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(mined + 2)
  })

  test('a damaged chain is answered in one sentence', async () => {
    writeFileSync(join(dataDir, 'chain-state.json'), '{"block":{"numb')
    await expect(startServers(only)).rejects.toThrow(
      /^The chain in .*chain-state\.json cannot be read: restore it from a backup, or remove that file to begin a new chain\.$/,
    )
  })
})
