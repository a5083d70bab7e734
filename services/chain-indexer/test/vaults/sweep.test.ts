import { eventually, opened } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openChain, prepare } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { openPool, sql, type Tx } from '@svc/postgres'
import { metricsText } from '@svc/service'
import { z } from 'zod'
import { jobs } from '#jobs.ts'
import { findCursor } from '#streams/store/cursors.ts'
import { logsToFold, orphanLogs, takenFacts } from '#vaults/store/logs.ts'
import { chainRig, consumed, emptied, indexerOf, storedFacts, storedVaults, USDC, wallets } from '../rig.ts'

const long = process.env['TEST_LONG'] === '1'

let back: () => Promise<void>

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
const fresh = opened(() => indexerOf(chain))
beforeEach(async () => {
  back = await chain.anvil.snapshot()
  await emptied(indexer)
})
afterEach(async () => {
  chain.proxy.heal()
  chain.proxy.forget()
  await back()
})

const cursor = () => findCursor(indexer.pool, 31_337, 'vault_events')
const names = async () => (await storedFacts(indexer.pool)).map(({ name }) => name)

/** Stored facts, what consumers made of the events, and a reading from the first block agree. */
async function allAgree(): Promise<void> {
  const stored = await storedFacts(indexer.pool)
  const applied = consumed(await indexer.heard())
  expect([...applied.keys()].toSorted()).toEqual(stored.map((fact) => `${fact.tx_hash}:${fact.log_ordinal}`).toSorted())
  for (const { block_hash, tx_hash, log_ordinal } of stored)
    expect(applied.get(`${tx_hash}:${log_ordinal}`)?.['block_hash']).toBe(block_hash)
  await emptied(fresh)
  await fresh.run('vaultEvents')
  expect(stored).toEqual(await storedFacts(fresh.pool))
  expect(await storedVaults(indexer.pool)).toEqual(await storedVaults(fresh.pool))
  await indexer.run('vaultPoll')
  expect((await storedVaults(indexer.pool)).flatMap(({ differs }) => differs)).toEqual([])
}

test.each([-300, 300])('the time of the newest block is measured against the clock: %s s', async (apartSec) => {
  const began = indexer.clock.now()
  indexer.clock.set(new Date((await chain.anvil.now()) * 1000))
  await indexer.run('vaultEvents')
  const before = [await scrapeHere()]
  indexer.clock.set(new Date(((await chain.anvil.now()) - apartSec) * 1000))
  await indexer.run('vaultEvents')
  indexer.clock.set(began)
  expect(Math.abs((await clockSkew()) - apartSec)).toBeLessThan(100)
  const sides = { before, after: [await scrapeHere()] }
  await (apartSec < 0 ? expectFires('ChainSilent', sides) : expectFires('ChainAhead', sides))
})

const clockSkew = async () =>
  Number(/^hub_chain_clock_skew_seconds\S* (\S+)$/m.exec(await metricsText())?.[1] ?? Number.NaN)

test('the newest block gets older while nobody reads the chain', async () => {
  await indexer.run('vaultEvents')
  const before = await clockSkew()
  await eventually(async () => expect(await clockSkew()).toBeLessThan(before))
})

test('a reader that cannot read logs any more falls behind the head, and an alert says so', async () => {
  await indexer.run('vaultEvents')
  const before = [await scrapeHere()]
  const heal = chain.proxy.inject({ kind: 'dropped', methods: ['eth_getLogs'] })
  await chain.anvil.mine(60)
  await expect(indexer.run('vaultEvents')).rejects.toThrow('eth_getLogs')
  await expectFires('ChainHeadLag', { before, after: [await scrapeHere()] })
  heal()
})

test('a vault, its events and its books are stored and published in one sweep', async () => {
  const vault = await chain.createVault('one')
  await chain.deposit(vault, 100n * USDC)
  await chain.buy(vault, 40n * USDC)
  expect(await indexer.run('vaultEvents')).toMatchObject({ done: 3, VaultCreated: 1, Deposited: 1, Executed: 1 })
  expect(await names()).toEqual(['VaultCreated', 'Deposited', 'Executed'])
  const heard = await indexer.heard()
  expect(heard.map(({ subject }) => subject)).toEqual(['vaultCreated', 'vaultEventSeen', 'vaultEventSeen'])
  expect(heard[0]?.payload).toMatchObject({
    vault,
    version: 1,
    owner: wallets.owner.address,
    revision: 1,
    canonical: true,
  })
  expect(heard[2]?.payload).toMatchObject({
    vault,
    name: 'Executed',
    args: { agent: wallets.agent.address, approved: '40000000', spent: '40000000', usedToday: '40000000' },
  })
  expect(await cursor()).toMatchObject({ next_block: (await chain.head()) + 1 })
  await allAgree()
  expect((await indexer.heard()).at(-1)?.subject).toBe('vaultPolled')
})

test('a dry run counts and writes nothing, and its position does not move', async () => {
  const vault = await chain.createVault('dry')
  await chain.deposit(vault, 100n * USDC)
  expect(await indexer.run('vaultEvents', { vaultEventsDryRun: true })).toMatchObject({ done: 2, dry_run: true })
  expect(await cursor()).toBeNull()
  await indexer.run('vaultEvents')
  const before = await cursor()
  await chain.buy(vault, 10n * USDC)
  expect(await indexer.run('vaultEvents', { vaultEventsDryRun: true })).toMatchObject({ done: 1, Executed: 1 })
  expect(await cursor()).toEqual(before)
  expect(await indexer.heard()).toHaveLength(2)
})

test('nothing is read beyond the head minus the confirmations', async () => {
  const cautious = await indexerOf(chain, { HUB_CONFIRMATIONS: '2' })
  try {
    const vault = await chain.createVault('depth')
    await cautious.run('vaultEvents')
    expect(await storedFacts(cautious.pool)).toEqual([])
    await chain.deposit(vault, USDC)
    await cautious.run('vaultEvents')
    expect((await storedFacts(cautious.pool)).map(({ name }) => name)).toEqual(['VaultCreated'])
  } finally {
    await cautious.stop()
  }
})

test('a run reads at most its number of blocks, and the next run continues', async () => {
  await chain.createVault('tick')
  await chain.anvil.mine(30)
  const start = chain.deployment.start_block
  await indexer.run('vaultEvents', { vaultEventsMaxBlocksPerTick: 10 })
  expect(await cursor()).toMatchObject({ next_block: start + 10 })
  await indexer.run('vaultEvents', { vaultEventsMaxBlocksPerTick: 10 })
  expect(await cursor()).toMatchObject({ next_block: start + 20 })
})

describe('a reorganisation', () => {
  test.each(long ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, 4, 7, 10])(
    'of %i blocks across the border of a chunk is taken back and told',
    async (depth) => {
      const vault = await chain.createVault(`deep-${depth}`)
      await chain.anvil.mine(3)
      for (let at = 0; at < 5; at++) {
        await chain.deposit(vault, USDC)
        await chain.anvil.mine(1)
      }
      await indexer.run('vaultEvents', { vaultEventsMaxSpan: 4 })
      const head = await chain.head()
      const before = await storedFacts(indexer.pool)
      await chain.anvil.reorg(depth)
      await indexer.run('vaultEvents', { vaultEventsMaxSpan: 4 })
      const lost = before.filter(({ block_number }) => block_number > head - depth)
      const told = (await indexer.heard()).filter(({ payload }) => payload['canonical'] === false)
      expect(told.map(({ payload }) => payload['tx_hash'])).toEqual(lost.map(({ tx_hash }) => tx_hash).toReversed())
      expect((await indexer.heard()).map(({ subject }) => subject)).toContain('chainReorganised')
      await allAgree()
    },
  )

  test('across the creation of a vault takes the vault back, and its creation in another block restores it', async () => {
    const base = await chain.head()
    const vault = await chain.createVault('gone')
    await chain.deposit(vault, 10n * USDC)
    const raws = await rawsAbove(base)
    await indexer.run('vaultEvents')
    const depth = (await chain.head()) - base
    await chain.anvil.reorg(depth)
    await indexer.run('vaultEvents')
    expect(await storedVaults(indexer.pool)).toEqual([])
    await chain.anvil.reorg(
      depth,
      raws.map((raw, at) => [raw, Math.min(depth - 1, at)]),
    )
    await indexer.run('vaultEvents')
    expect(await names()).toEqual(['VaultCreated', 'Deposited'])
    const created = (await indexer.heard()).filter(({ subject }) => subject === 'vaultCreated')
    expect(created.map(({ payload }) => [payload['revision'], payload['canonical']])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ])
    await allAgree()
  })

  test('that mines the same transaction in another block keeps its identity', async () => {
    const vault = await chain.createVault('again')
    await chain.anvil.mine(2)
    const { raw, hash, block } = await chain.deposit(vault, 10n * USDC)
    await indexer.run('vaultEvents')
    await chain.anvil.mine(2)
    await chain.anvil.reorg(3, [[raw, 2]])
    await indexer.run('vaultEvents')
    const [, deposited] = await storedFacts(indexer.pool)
    expect(deposited).toMatchObject({ tx_hash: hash, log_ordinal: 0, block_number: block + 2 })
    await allAgree()
  })

  test('between the header and the logs of a chunk stores nothing wrong', async () => {
    const vault = await chain.createVault('during')
    await chain.anvil.mine(2)
    await indexer.run('vaultEvents')
    await chain.deposit(vault, 10n * USDC)
    await chain.deposit(vault, 10n * USDC)
    chain.proxy.inject({ kind: 'reorg', depth: 2, times: 1 })
    await indexer.run('vaultEvents').catch(() => {})
    await indexer.run('vaultEvents')
    expect(await names()).toEqual(['VaultCreated'])
    await allAgree()
  })

  test('is not judged too deep because a lagging node knows none of the kept blocks', async () => {
    const vault = await chain.createVault('lagging')
    for (let at = 0; at < 4; at++) await chain.deposit(vault, USDC)
    await indexer.run('vaultEvents', { vaultEventsMaxSpan: 2 })
    const before = await storedFacts(indexer.pool)
    await chain.anvil.reorg(2)
    await chain.anvil.mine(1)
    const { rows } = await indexer.pool.query(
      sql.type(z.object({ number: z.number() }))`SELECT number FROM block_anchor`,
    )
    let steps = 0
    for (let high = rows.length - 1; high >= 0; high = (high >> 1) - 1) steps += 1
    // The replaced block and the one after it are served, then a lagging node looks for the newest that is still there.
    const lagging = { methods: ['eth_getBlockByNumber'], after: 2, times: steps } as const
    chain.proxy.inject({ kind: 'head-behind', blocks: 1_000, ...lagging })
    await expect(indexer.run('vaultEvents')).rejects.toMatchObject({ name: 'Outage' })
    expect(chain.proxy.seen('eth_getBlockByNumber').filter(({ faults }) => faults.length > 0)).toHaveLength(steps)
    expect(await storedFacts(indexer.pool)).toEqual(before)
    expect((await cursor())?.stopped).toBeNull()
    await indexer.run('vaultEvents')
    await allAgree()
  })

  test('deeper than the kept hashes stops the stream, publishes that once, and takes nothing back', async () => {
    const vault = await chain.createVault('deep')
    await chain.deposit(vault, USDC)
    await indexer.run('vaultEvents')
    await indexer.pool.query(sql.unsafe`DELETE FROM block_anchor WHERE number < ${(await chain.head()) - 1}`)
    const before = await storedFacts(indexer.pool)
    await chain.anvil.reorg(3)
    await expect(indexer.run('vaultEvents')).rejects.toThrow(/is stopped/)
    await expect(indexer.run('vaultEvents')).rejects.toThrow(/is stopped/)
    expect((await indexer.heard()).filter(({ subject }) => subject === 'streamStopped')).toHaveLength(1)
    expect(await storedFacts(indexer.pool)).toEqual(before)
  })
})

/** Raw transactions of every block above, in the order of the chain. */
async function rawsAbove(base: number): Promise<string[]> {
  const raws: string[] = []
  for (let number = base + 1; number <= (await chain.head()); number++) {
    const block = await chain.anvil.request<{ transactions: string[] }>('eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      false,
    ])
    for (const hash of block.transactions) raws.push(await chain.anvil.request('eth_getRawTransactionByHash', [hash]))
  }
  return raws
}

describe('with an RPC that fails or limits calls,', () => {
  beforeEach(async () => {
    const vault = await chain.createVault('trouble')
    await chain.anvil.mine(110)
    await chain.deposit(vault, 10n * USDC)
  })

  test('-32005 halves the span to 100 and not lower', async () => {
    chain.proxy.inject({ kind: 'span-above', blocks: 100 })
    await indexer.run('vaultEvents')
    expect(chain.proxy.seen('eth_getLogs').some(({ faults }) => faults.includes('span-above'))).toBe(true)
    chain.proxy.heal()
    await allAgree()
  })

  test('a rejected span of 100 leaves the chunk unread and the position before it', async () => {
    chain.proxy.inject({ kind: 'span-above', blocks: 50 })
    await expect(indexer.run('vaultEvents')).rejects.toThrow(/32005/)
    expect(await cursor()).toMatchObject({ next_block: chain.deployment.start_block })
    expect(await storedFacts(indexer.pool)).toEqual([])
  })

  test('413 halves the addresses down to one', async () => {
    chain.proxy.inject({ kind: 'addresses-above', count: 1 })
    expect(await indexer.run('vaultEvents')).toMatchObject({ done: 2 })
    chain.proxy.heal()
    await allAgree()
  })

  test('413 for one address halves the span once, then leaves the chunk for the next run', async () => {
    chain.proxy.inject({ kind: 'addresses-above', count: 0 })
    await expect(indexer.run('vaultEvents')).rejects.toThrow(/413/)
    expect(await cursor()).toMatchObject({ next_block: chain.deployment.start_block })
    chain.proxy.heal()
    await indexer.run('vaultEvents')
    await allAgree()
  })

  test.each([
    { kind: 'rate-limited', retryAfterSeconds: 0, times: 1 },
    { kind: 'http-status', status: 502, times: 1 },
    { kind: 'dropped', times: 1 },
    { kind: 'logs-duplicated' },
    { kind: 'logs-missing', times: 1 },
  ] as const)('$kind once is repeated or seen through, and every event is stored once', async (fault) => {
    chain.proxy.inject(fault)
    await indexer.run('vaultEvents').catch(() => {})
    chain.proxy.heal()
    await indexer.run('vaultEvents')
    expect(await names()).toEqual(['VaultCreated', 'Deposited'])
    await allAgree()
  })

  test.each([
    { kind: 'head-fails' },
    { kind: 'header-hash-wrong' },
    { kind: 'log-hash-wrong' },
    { kind: 'logs-missing' },
    { kind: 'http-status', status: 503 },
    { kind: 'rate-limited', retryAfterSeconds: 0 },
    { kind: 'head-behind', blocks: 100 },
  ] as const)('$kind for as long as it lasts stores nothing and takes nothing back', async (fault) => {
    await indexer.run('vaultEvents')
    const before = [await cursor(), await storedFacts(indexer.pool), (await indexer.heard()).length]
    const [{ vault } = { vault: '' }] = await storedFacts(indexer.pool)
    await chain.deposit(vault as `0x${string}`, USDC)
    chain.proxy.inject(fault)
    await expect(indexer.run('vaultEvents')).rejects.toMatchObject({ name: 'Outage' })
    expect([await cursor(), await storedFacts(indexer.pool), (await indexer.heard()).length]).toEqual(before)
    chain.proxy.heal()
    await indexer.run('vaultEvents')
    await allAgree()
  })

  test('no error contains the address of the RPC', async () => {
    chain.proxy.inject({ kind: 'http-status', status: 503 })
    const error: unknown = await indexer.run('vaultEvents').catch((caught: unknown) => caught)
    const told =
      JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error instanceof Error ? error.stack : '')
    expect(told).not.toContain(new URL(chain.proxy.url).host)
  })
})

test('two concurrent instances store each event once, and one of them fails with an outage', async () => {
  const vault = await chain.createVault('two')
  await chain.anvil.mine(40)
  await chain.deposit(vault, 10n * USDC)
  const runs = await Promise.allSettled([1, 2, 3].map(() => indexer.run('vaultEvents', { vaultEventsMaxSpan: 5 })))
  expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (const run of runs) if (run.status === 'rejected') expect(String(run.reason)).toContain('overtaken')
  await allAgree()
  expect((await indexer.heard()).filter(({ subject }) => subject.startsWith('vault'))).toHaveLength(3)
})

/** Makes so many more vaults known, which write nothing. */
const addVaults = (count: number) =>
  indexer.pool.query(sql.unsafe`
    INSERT INTO vault (chain_id, address, factory, version, owner, mandate_id_hash, terms_hash, terms, tx_hash,
      created_block, created_time, revision, canonical, books, books_block)
    SELECT chain_id, '0x' || lpad(to_hex(n), 40, '0'), factory, version, owner, mandate_id_hash, terms_hash, terms, tx_hash,
      created_block, created_time, revision, canonical, books, books_block
    FROM (SELECT * FROM vault LIMIT 1) AS one, generate_series(1, ${count}::int) AS n
    ON CONFLICT DO NOTHING`)

test('log calls name the addresses of up to 1,000 vaults; above that they name topics only, and other vaults are ignored', async () => {
  const vault = await chain.createVault('crowd')
  await indexer.run('vaultEvents')
  // Of a factory that the settings below do not name.
  const foreign = await chain.createVault('foreign', { legBudget: 10n * USDC })
  const environment = { ...indexer.environment, HUB_MANDATE_FACTORY_V2_ADDRESS: '' }
  const context = { ...indexer.context, chain: openChain(loadSettings(chainIndexerSettings, environment)) }
  const sweep = async () => {
    await chain.deposit(vault, 10n * USDC)
    await chain.deposit(foreign, 10n * USDC)
    chain.proxy.forget()
    const { done } = await jobs.vaultEvents(context)(AbortSignal.timeout(600_000))
    return [done, new Set(chain.proxy.seen('eth_getLogs').map(({ addresses }) => addresses))]
  }
  await addVaults(999)
  expect(await sweep()).toEqual([1, new Set([20, 1])])
  await addVaults(1_000)
  expect(await sweep()).toEqual([1, new Set([0])])
  expect((await storedFacts(indexer.pool)).map((fact) => [fact.vault, fact.name])).toEqual([
    [vault, 'VaultCreated'],
    [vault, 'Deposited'],
    [vault, 'Deposited'],
  ])
})

test('books that contradict the chain stop changing, are published as an alert, and stay listed as differing', async () => {
  const vault = await chain.createVault('wrong')
  await chain.deposit(vault, 10n * USDC)
  await indexer.run('vaultEvents')
  await indexer.pool.query(sql.unsafe`UPDATE vault SET books = jsonb_set(books, '{principal}', '"7"')`)
  await chain.deposit(vault, 10n * USDC)
  await indexer.run('vaultEvents')
  expect((await indexer.heard()).at(-1)).toMatchObject({
    subject: 'vaultDiffers',
    payload: { vault, differences: [{ figure: 'principal', books: '10000007', chain: '20000000' }] },
  })
  const [stored] = await storedVaults(indexer.pool)
  expect(stored).toMatchObject({ differs: ['principal'] })
})

test('the poller publishes an alert for a vault whose views contradict its books', async () => {
  const vault = await chain.createVault('poll')
  await chain.deposit(vault, 10n * USDC)
  await indexer.run('vaultEvents')
  await indexer.pool.query(sql.unsafe`UPDATE vault SET books = jsonb_set(books, '{withdrawn}', '"1"')`)
  expect(await indexer.run('vaultPoll', { vaultPollDryRun: true })).toMatchObject({ differing: 1, dry_run: true })
  expect((await indexer.heard()).map(({ subject }) => subject)).not.toContain('vaultDiffers')
  await indexer.run('vaultPoll')
  await indexer.run('vaultPoll')
  expect((await indexer.heard()).filter(({ subject }) => subject === 'vaultDiffers')).toHaveLength(1)
})

test('rows of replaced blocks stay, and the service has no right to delete them', async () => {
  const vault = await chain.createVault('kept')
  await chain.deposit(vault, 10n * USDC)
  await indexer.run('vaultEvents')
  await chain.anvil.reorg(1)
  await indexer.run('vaultEvents')
  const rows = await indexer.pool.any(sql.type(z.object({ name: z.string(), canonical: z.boolean() }))`
    SELECT name, canonical FROM log ORDER BY block_number, log_index`)
  expect(rows).toEqual([
    { name: 'VaultCreated', canonical: true },
    { name: 'Deposited', canonical: false },
  ])
  await expect(indexer.pool.query(sql.unsafe`DELETE FROM log`)).rejects.toThrow()
})

test('a fact has its index among the logs of its block', async () => {
  const vault = await chain.createVault('place')
  await chain.anvil.request('evm_setAutomine', [false])
  for (let ahead = 0; ahead < 2; ahead++) {
    const raw = await chain.sign(wallets.owner, prepare(chain.chainId).vault(vault).deposit({ amount: USDC }), ahead)
    await chain.anvil.request('eth_sendRawTransaction', [raw])
  }
  await chain.anvil.request('evm_mine')
  await chain.anvil.request('evm_setAutomine', [true])
  await indexer.run('vaultEvents')
  const told = (await indexer.heard()).filter(({ subject }) => subject === 'vaultEventSeen')
  // Each deposit writes an approval or transfer of USDC before the vault's own event.
  const [first, second] = told.map(({ payload }) => payload)
  expect(first?.['block_number']).toBe(second?.['block_number'])
  expect([first?.['log_ordinal'], second?.['log_ordinal']]).toEqual([0, 0])
  expect(Number(first?.['log_index'])).toBeGreaterThan(0)
  expect(Number(second?.['log_index'])).toBeGreaterThan(Number(first?.['log_index']))
  const { rows: ends } = await indexer.pool.query(sql.type(z.object({ principal: z.string() }))`
    SELECT args->>'principal' AS principal FROM log WHERE name = 'Deposited' ORDER BY block_number, log_index`)
  expect(ends.map(({ principal }) => principal)).toEqual(['1000000', '2000000'])
})

test('with 100,000 stored logs the queries of a reorganisation, a revision and earlier books use an index', async () => {
  const vault = await chain.createVault('plan')
  await chain.deposit(vault, USDC)
  await indexer.run('vaultEvents')
  const superuser = await openPool(indexer.stack.databaseOf('chain-indexer').superuserUrl, { size: 1 })
  try {
    await superuser.query(sql.unsafe`
      INSERT INTO chain_indexer.log (chain_id, block_number, block_hash, block_time, tx_hash, tx_index, log_index, log_ordinal,
        vault, name, args, books, revision, canonical, orphaned_at)
      SELECT chain_id, n / 10, md5('b' || n / 10), block_time, md5('t' || n), 0, n % 10, 0, 'v' || n % 500, name, args, books,
        1, n % 50 > 0, CASE WHEN n % 50 > 0 THEN NULL ELSE block_time END
      FROM chain_indexer.log, generate_series(1, 100000) AS n WHERE name = 'Deposited'`)
    await superuser.query(sql.unsafe`ANALYZE chain_indexer.log`)
    // The statements themselves, explained instead of run.
    const lines = z.object({ 'QUERY PLAN': z.string() })
    const explained = async (tx: Tx, statement: (db: Tx) => Promise<unknown>): Promise<string> => {
      const plans: string[] = []
      const any = async (query: Parameters<Tx['any']>[0]) => {
        const rows = await tx.any({ ...query, sql: `EXPLAIN ${query.sql}`, parser: lines })
        plans.push(...rows.map((row) => row['QUERY PLAN']))
        return []
      }
      await statement(new Proxy(tx, { get: (all, name) => (name === 'any' ? any : Reflect.get(all, name)) }))
      return plans.join('\n')
    }
    await indexer.pool.transaction(async (tx) => {
      const books = await explained(tx, (db) => logsToFold(db, chain.chainId, ['v7'], { block: 5_000, txIndex: 0 }))
      expect(books.match(/using (\w+)/g)).toEqual(['using log_by_vault', 'using log_by_vault'])
      const taken = await explained(tx, (db) => orphanLogs(db, chain.chainId, 9_990, indexer.clock.now()))
      expect(taken.match(/using (\w+)|Seq Scan/g)).toEqual(['using log_pkey'])
      const revisions = await explained(tx, (db) => takenFacts(db, chain.chainId, ['t1', 't2']))
      expect(revisions.match(/(?:using|on) (log_\w+)|Seq Scan/g)).toEqual(['using log_taken_back'])
    })
  } finally {
    await superuser.end()
  }
})
