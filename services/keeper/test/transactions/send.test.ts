import { inspect } from 'node:util'
import { openChain, read } from '@svc/chain'
import { loadSettings } from '@svc/contract'
import { keeper } from '@svc/contracts/keeper'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { sql } from '@svc/postgres'
import { tick, type Log } from '@svc/service'
import { opened, type RpcFault } from '@svc/testing'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { jobs } from '#jobs.ts'
import { openSigners } from '#signers/open-signer.ts'
import { CLAIM_MS } from '#transactions/jobs/send.ts'
import { openCdp } from '../cdp-rig.ts'
import { calls, chainRig, startRig, USDC, wallets, type TestVault } from '../rig.ts'

const long = process.env['TEST_LONG'] === '1'

let restore: () => Promise<void>
const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))
beforeEach(async () => {
  restore = await chain.anvil.snapshot()
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  rig.neighbours.followed.clear()
  rig.neighbours.rows.length = 0
})
afterEach(async () => {
  chain.proxy.heal()
  await chain.anvil.request('evm_setAutomine', [true])
  await rig.pool.query(sql.unsafe`DELETE FROM transaction`)
  await restore()
})

const transactionRow = z.object({
  vault: z.string(),
  nonce: z.number().nullable(),
  outcome: z.string().nullable(),
  detail: z.string().nullable(),
  tx_hash: z.string().nullable(),
})
const transactions = () =>
  rig.pool.any(sql.type(transactionRow)`SELECT vault, nonce, outcome, detail, tx_hash FROM transaction ORDER BY id`)
const signed = () =>
  rig.pool.any(sql.type(z.object({ number: z.number(), kind: z.string(), tx_hash: z.string(), raw: z.string() }))`
    SELECT number, kind, tx_hash, raw FROM attempt ORDER BY transaction_id, number`)
const views = ({ address }: TestVault) => read(chain.chain).vault(address)
const used = () => chain.chain.client.getTransactionCount({ address: wallets.keeper.address })
const followed = async (usdc = 400n * USDC) => {
  const vault = await chain.vault(usdc)
  rig.follow(vault)
  return vault
}
const minutesPass = (minutes: number) => rig.clock.advance(minutes * 60_000)

test('a transaction whose broadcast failed is sent again unchanged with its nonce', async () => {
  const vault = await followed()
  await rig.run('mark')
  const heal = chain.proxy.inject({ kind: 'dropped', methods: ['eth_sendRawTransaction'] })
  await expect(rig.run('send')).rejects.toThrow('eth_sendRawTransaction')
  heal()
  const [before] = await signed()
  await rig.run('send')
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'done', tx_hash: before?.tx_hash }])
  expect(await signed()).toEqual([before])
  expect(await views(vault).lastWorth()).toBe(400n * USDC)
})

test('a transaction whose broadcast got no response is found by its hash and not repeated', async () => {
  await followed()
  await rig.run('mark')
  const released = Promise.withResolvers<void>()
  chain.proxy.inject({ kind: 'held', until: released.promise, times: 1, methods: ['eth_sendRawTransaction'] })
  const context = await rig.context()
  const hasty = jobs.send({ ...context, chain: openChain(context.settings, { timeoutMs: 2_000, pauseMs: 5 }) })
  await expect(hasty(AbortSignal.timeout(600_000))).rejects.toThrow('eth_sendRawTransaction')
  released.resolve()
  await expect.poll(used).toBe(1)
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'done' }])
  expect(await signed()).toHaveLength(1)
})

test('a mark that is not mined within two minutes is replaced by a cancellation, and decided again', async () => {
  const vault = await followed()
  await chain.anvil.request('evm_setAutomine', [false])
  await rig.run('mark')
  await rig.run('send')
  minutesPass(3)
  await rig.run('send')
  expect((await signed()).map(({ number, kind }) => [number, kind])).toEqual([
    [1, 'call'],
    [2, 'cancel'],
  ])
  await chain.anvil.request('evm_setAutomine', [true])
  await chain.anvil.mine(1)
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'cancelled' }])
  expect(await views(vault).markedAt()).toBe(0n)
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  expect((await transactions()).map(({ nonce, outcome }) => [nonce, outcome])).toEqual([
    [0, 'cancelled'],
    [1, 'done'],
  ])
  expect(await views(vault).lastWorth()).toBe(400n * USDC)
})

test('a transaction in a replaced block is sent again with its nonce, and no nonce stays unused', async () => {
  const vault = await followed()
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'done' }])
  await chain.anvil.reorg(1)
  expect(await used()).toBe(0)
  await rig.run('send')
  minutesPass(3)
  await rig.run('send')
  await rig.run('send')
  expect(await used()).toBe(1)
  const [row] = await transactions()
  expect(row?.nonce).toBe(0)
  expect(['done', 'cancelled']).toContain(row?.outcome)
  await chain.anvil.travel(200)
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  expect(await views(vault).lastWorth()).toBe(400n * USDC)
})

test('a nonce that another program used ends the transaction, and the mark is decided again with the next nonce', async () => {
  const vault = await followed()
  await chain.anvil.request('evm_setAutomine', [false])
  await rig.run('mark')
  await rig.run('send')
  const [lost] = await signed()
  await chain.anvil.request('anvil_dropTransaction', [lost?.tx_hash])
  await chain.anvil.request('evm_setAutomine', [true])
  await chain.send(wallets.keeper, calls.usdc(chain.at('usdc')).approve({ spender: vault.address, value: 0n }))
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'nonce_taken' }])
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ outcome: 'nonce_taken' }, { nonce: 1, outcome: 'done' }])
})

test('a call that would revert is not sent, and its row has the reason', async () => {
  await followed()
  await rig.run('mark')
  await chain.send(wallets.admin, calls.factory(chain.at('factory')).setKeeper({ k: wallets.operator.address }))
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: null, outcome: 'refused', detail: 'NotKeeper' }])
  expect(await used()).toBe(0)
})

test('while gas is above the highest price allowed, or the account has no ether, decisions wait and then expire', async () => {
  await followed()
  await rig.run('mark')
  await rig.run('send', { feeMaxGwei: 0 })
  await chain.anvil.request('anvil_setBalance', [wallets.keeper.address, '0x0'])
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: null, outcome: null }])
  minutesPass(3)
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: null, outcome: 'expired' }])
  expect(await signed()).toEqual([])
})

test('two workers that both believe they lead assign one nonce to each decision, and no nonce twice', async () => {
  for (let made = 0; made < 4; made++) await followed()
  await Promise.all([rig.run('mark'), rig.run('mark')])
  expect(await transactions()).toHaveLength(4)
  for (let round = 0; round < 4; round++) await Promise.allSettled([rig.run('send'), rig.run('send'), rig.run('send')])
  await expect
    .poll(async () => {
      await rig.run('send')
      return (await transactions()).every(({ outcome }) => outcome === 'done')
    })
    .toBe(true)
  expect(new Set((await transactions()).map(({ nonce }) => nonce))).toEqual(new Set([0, 1, 2, 3]))
  expect(await used()).toBe(4)
})

test('a worker that lost its claim, and whose try on the chain comes after the call of another was mined, does not end it as refused', async () => {
  const vault = await followed()
  await rig.run('mark')
  chain.proxy.forget()
  const released = Promise.withResolvers<void>()
  chain.proxy.inject({ kind: 'held', until: released.promise, times: 1, methods: ['eth_call'] })
  const context = await rig.context()
  const late = jobs.send({ ...context, chain: openChain(context.settings, { timeoutMs: 600_000 }) })(
    AbortSignal.timeout(600_000),
  )
  await expect.poll(() => chain.proxy.seen('eth_call')).toHaveLength(1)
  rig.clock.advance(CLAIM_MS)
  await rig.run('send')
  expect(await views(vault).lastWorth()).toBe(400n * USDC)
  released.resolve()
  await late
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: null }])
  await rig.run('send')
  expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'done' }])
})

test('ended transactions are deleted after ninety days', async () => {
  await followed()
  await rig.run('mark')
  await rig.run('send')
  await rig.run('send')
  minutesPass(60 * 24 * 89)
  expect(await rig.run('forgetTransactions')).toEqual({ done: 0 })
  minutesPass(60 * 24 * 2)
  expect(await rig.run('forgetTransactions')).toEqual({ done: 1 })
  expect(await signed()).toEqual([])
})

test('a custodial account sends marks; while its API is unavailable decisions wait, and no log line contains its secrets', async () => {
  const cdp = await openCdp(wallets.keeper)
  try {
    const vault = await followed()
    const { mark: signer } = await openSigners(
      loadSettings(keeperSettings, { ...cdp.environment, HUB_RPC_URL: chain.proxy.url }),
    )
    await rig.run('mark', {}, signer)
    const { send } = keeper.jobs
    const lines: string[] = []
    const write = (...line: unknown[]) => void lines.push(inspect(line, { depth: 12, showHidden: true }))
    const log = { info: write, warn: write, error: write } as unknown as Log
    const context = { ...(await rig.context({}, signer)), log }
    const once = async () => {
      const ticking = { service: 'keeper', clock: rig.clock, log }
      const report = await tick(
        { name: 'send', declared: send, run: jobs.send(context) },
        new AbortController(),
        ticking,
      )
      await chain.anvil.mined()
      return report
    }
    for (const trouble of [401, 500, 'closed', 'other account'] as const) {
      cdp.trouble = trouble
      expect(await once()).toBeNull()
    }
    expect(await transactions()).toMatchObject([{ nonce: null, outcome: null }])
    expect(lines.join('')).toContain('signer: ')
    cdp.trouble = null
    expect(await once()).not.toBeNull()
    await once()
    expect(await transactions()).toMatchObject([{ nonce: 0, outcome: 'done' }])
    expect(await views(vault).lastWorth()).toBe(400n * USDC)
    for (const secret of [...cdp.secrets, 'eyJ']) expect(lines.join('')).not.toContain(secret)
  } finally {
    await cdp.stop()
  }
})

const faults: readonly RpcFault[] = [
  { kind: 'rate-limited', retryAfterSeconds: 0 },
  { kind: 'http-status', status: 502 },
  { kind: 'rpc-error', code: -32_000, message: 'something is wrong' },
  { kind: 'rpc-error', code: -32_603, message: 'internal error' },
  { kind: 'dropped' },
  { kind: 'head-behind', blocks: 2 },
  { kind: 'head-fails' },
  { kind: 'receipt-missing' },
  { kind: 'header-hash-wrong' },
]
const methods = ['eth_sendRawTransaction', 'eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_call'] as const

/** Which fault comes over which calls, and what the workers do meanwhile. */
const script = fc.array(
  fc.record({
    fault: fc.constantFrom(...faults),
    only: fc.option(fc.constantFrom(...methods)),
    times: fc.integer({ min: 1, max: 6 }),
    price: fc.integer({ min: 90, max: 110 }),
  }),
  { minLength: 3, maxLength: 6 },
)

test('with any faults of the RPC each nonce belongs to one transaction of one decision, and marks are correct once it recovers', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const undo = await chain.anvil.snapshot()
      const vaults = [await followed(), await followed()]
      for (const vault of vaults) await chain.buy(vault, 50n * USDC)
      const first = await used()
      for (const { fault, only, times, price } of steps) {
        await chain.price(BigInt(price))
        await chain.anvil.travel(2)
        chain.proxy.inject({ ...fault, times, ...(only === null ? {} : { methods: [only] }) } as RpcFault)
        for (const job of ['mark', 'send', 'send'] as const) await rig.run(job).catch(() => null)
        chain.proxy.heal()
      }
      await chain.price(150n)
      minutesPass(3)
      for (const job of ['send', 'send', 'mark', 'send', 'send', 'mark', 'send', 'send'] as const) {
        await rig.run(job)
        await chain.anvil.travel(2)
      }
      const rows = await transactions()
      expect(rows.filter(({ outcome }) => outcome === null)).toEqual([])
      const given = rows.flatMap(({ nonce }) => nonce ?? [])
      expect(new Set(given).size).toBe(given.length)
      expect(await used()).toBe(first + given.length)
      for (const { nonce, tx_hash } of rows)
        if (nonce !== null)
          expect((await chain.chain.client.getTransaction({ hash: tx_hash as Hex })).nonce).toBe(nonce)
      for (const vault of vaults) expect(await views(vault).lastWorth()).toBeGreaterThan(420n * USDC)
      await rig.pool.query(sql.unsafe`DELETE FROM transaction`)
      rig.neighbours.followed.clear()
      await undo()
      rig.clock.set(new Date((await chain.anvil.now()) * 1000))
    }),
    { numRuns: long ? 60 : 4, seed: Number(process.env['TEST_SEED'] ?? 7), endOnFailure: true },
  )
})
