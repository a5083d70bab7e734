import { prepare, read } from '@svc/chain'
import { newVault, nobody, type VaultState } from '@svc/limits'
import { openPool } from '@svc/postgres'
import { eventually } from '@svc/testing'
import fc from 'fast-check'
import { stringToHex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booksOf } from '../src/domain/books.ts'
import { factsOfVault } from '../src/store/chain-facts.ts'
import { vaultOfMandate } from '../src/store/vaults.ts'
import { admin, keeper, startChain, tellOf, transactionOf, type TestChain } from './chain-peer.ts'
import { agent, agentWallet, bodyAt, owner, ownerWallet, startRig, type Hex, type Rig } from './rig.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SEED = Number(process.env['TEST_SEED'] ?? 1)
const MARKET = stringToHex('GOLD', { size: 32 })
const usd = (amount: number) => BigInt(amount) * 1_000_000n
const me = owner(51)
const wallet = ownerWallet(51)
const AGENT = 61
const bot = agentWallet(AGENT)

let chain: TestChain
let rig: Rig
beforeAll(async () => {
  chain = await startChain()
  rig = await startRig({ chain })
  for (const one of [wallet, bot]) await chain.anvil.request('anvil_setBalance', [one.address, '0xde0b6b3a7640000'])
  const calls = prepare(chain.chain.id)
  const { usdc, venue } = chain.deployment.contracts
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(100_000) }))
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: venue.address, amount: usd(100_000) }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
})
afterAll(async () => {
  await rig.stop()
  await chain.stop()
})

async function newMandate(): Promise<{ public_id: string; vault: Hex; creation: Hex }> {
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  const body = bodyAt(rig, { agent_id: AGENT })
  const { public_id } = (await rig.as(me).createMandate(body as never)).mandate
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const typed = typed_data as unknown as Parameters<LocalAccount['signTypedData']>[0]
  await rig.as(me).signTerms({ public_id, terms_hash, signature: await wallet.signTypedData(typed) })
  const { call } = await rig.as(me).prepareCreation({ public_id })
  const creation = await chain.send(wallet, { to: call?.to ?? '', data: call?.data ?? '' })
  await chain.anvil.mine(2)
  const { vault } = await rig.as(me).attachVault({ public_id, tx_hash: creation })
  const { usdc } = chain.deployment.contracts
  await chain.send(
    wallet,
    prepare(chain.chain.id)
      .usdc(usdc.address)
      .approve({ spender: vault as Hex, value: usd(500) }),
  )
  return { public_id, vault: vault as Hex, creation }
}

const actions = [
  'deposit',
  'transfer',
  'buy',
  'sell',
  'pause',
  'resume',
  'mark',
  'stop',
  'unwind',
  'withdraw',
  'settle',
] as const
type Action = (typeof actions)[number]

/** Sends one action; what the contract refuses is a transaction without events. */
function act(action: Action, vault: Hex): Promise<Hex> {
  const calls = prepare(chain.chain.id)
  const { venue, usdc } = chain.deployment.contracts
  const at = calls.vault(vault)
  const market = calls.venue(venue.address)
  const sell = market.sell({ m: MARKET, n: usd(5), minOut: 0n }).data
  const buy = market.buy({ m: MARKET, usdcIn: usd(20), minUnits: 0n }).data
  const execute = (data: Hex, amount: bigint) => at.execute({ target: venue.address, data, approveAmount: amount })
  switch (action) {
    case 'deposit':
      return chain.send(wallet, at.deposit({ amount: usd(110) }))
    case 'transfer':
      return chain.send(wallet, calls.usdc(usdc.address).transfer({ to: vault, value: usd(7) }))
    case 'buy':
      return chain.send(bot, execute(buy, usd(20)))
    case 'sell':
      return chain.send(bot, execute(sell, 0n))
    case 'pause':
      return chain.send(wallet, at.revokeAgent())
    case 'resume':
      return chain.send(wallet, at.setAgent({ agent_: bot.address }))
    case 'mark':
      return chain.send(keeper, at.markWorth({ worth: usd(450), asOf: BigInt(Math.floor(Date.now() / 1000)) }))
    case 'stop':
      return chain.send(wallet, at.stop())
    case 'unwind':
      return chain.send(wallet, at.unwind({ target: venue.address, data: sell }))
    case 'withdraw':
      return chain.send(wallet, at.withdrawAll())
    case 'settle':
      return chain.send(keeper, at.settle())
  }
}

/** What the vault's own views say. */
async function views(vault: Hex): Promise<Partial<VaultState>> {
  const at = read(chain.chain).vault(vault)
  const [day, used] = await at.usage()
  return {
    agent: await at.agent(),
    accounted: await at.accounted(),
    principal: await at.principal(),
    withdrawn: await at.withdrawn(),
    feeTotal: await at.feeTotal(),
    feeOwed: await at.feeOwed(),
    lastWorth: await at.lastWorth(),
    markedAt: await at.markedAt(),
    stopReason: (await at.stopReason()) as 0 | 1 | 2,
    stoppedAt: await at.stoppedAt(),
    settled: await at.settled(),
    ...(used === 0n ? {} : { usedAmount: used, usedDay: day }),
  }
}

const script = fc.record({
  actions: fc.array(fc.constantFrom(...actions, 'deposit' as const, 'buy' as const), { minLength: 3, maxLength: 14 }),
  /** How many of the newest transactions a reorganisation takes away and brings back. */
  depth: fc.integer({ min: 0, max: 10 }),
  /** Orders the telling of facts; equal numbers are told twice. */
  shuffle: fc.array(fc.nat(30), { minLength: 20, maxLength: 40 }),
})

test(
  'after any script, told in any order, twice, and through a reorganisation, the books are the vault’s own',
  async () => {
    const pool = await openPool(rig.stack.databaseOf('chain-indexer').url)
    await fc.assert(
      fc.asyncProperty(script, async ({ actions: wanted, depth, shuffle }) => {
        const { public_id, vault } = await newMandate()
        const hashes: Hex[] = []
        for (const action of wanted) hashes.push(await act(action, vault))
        const transactions = await Promise.all(hashes.map((hash) => transactionOf(chain, hash)))
        const telling = [...shuffle, ...transactions.keys()].filter((at) => at < transactions.length)
        for (const at of telling) await tellOf(pool, transactions[at]!, 1, true)
        const gone = transactions.slice(Math.max(0, transactions.length - depth))
        for (const transaction of gone.toReversed()) await tellOf(pool, transaction, 2, false)
        for (const transaction of gone) await tellOf(pool, transaction, 3, true)
        // A late duplicate of an old revision.
        for (const transaction of gone) await tellOf(pool, transaction, 1, true)

        const expected = { ...newVault(nobody), ...(await views(vault)) }
        // The contract shows no usage of a day in which nothing was used.
        const comparable = (books: VaultState) => ({
          ...books,
          agent: books.agent.toLowerCase(),
          ...(expected.usedDay === 0n ? { usedAmount: 0n, usedDay: 0n } : {}),
        })
        const { id } = (await rig.pool.one({
          sql: 'SELECT id FROM mandate WHERE public_id = $1',
          values: [public_id],
          type: 'SLONIK_TOKEN_QUERY',
        } as never)) as { id: number }
        const due = gone.flatMap(({ tx_hash, logs }) => logs.map(({ log_ordinal }) => `${tx_hash}:${log_ordinal}`))
        await eventually(
          async () => {
            const arrived = await revisionsOf(vault)
            for (const fact of due) expect(arrived.get(fact)).toBe(3)
            const stored = await vaultOfMandate(rig.pool, id)
            if (stored === null) throw new Error('no vault')
            expect(comparable(stored.books)).toEqual(comparable(expected as VaultState))
            const facts = await factsOfVault(rig.pool, stored.chain_id, stored.address)
            expect(stored.books).toEqual(booksOf(stored.agent, facts))
          },
          { timeoutMs: 20_000 },
        )
        const { state } = await rig.as(me).readMandate({ public_id })
        expect(state).toBe(expectedState(expected as VaultState))
        expect((await rig.as(agent(AGENT)).readMandate({ public_id })).state).toBe(state)
      }),
      { numRuns: LONG ? 200 : 6, seed: SEED, endOnFailure: !LONG },
    )
    await pool.end()
  },
  LONG ? 3_600_000 : 120_000,
)

/** The revision that is known of each fact of a vault. */
async function revisionsOf(vault: Hex): Promise<Map<string, number>> {
  const rows = (await rig.pool.any({
    sql: 'SELECT tx_hash, log_ordinal, revision FROM chain_fact WHERE vault = $1',
    values: [vault.toLowerCase()],
    type: 'SLONIK_TOKEN_QUERY',
  } as never)) as readonly { tx_hash: string; log_ordinal: number; revision: number }[]
  return new Map(rows.map((row) => [`${row.tx_hash}:${row.log_ordinal}`, row.revision]))
}

/** The state, written a second time from the vault's views; the stop line of these mandates is 100 USDC. */
function expectedState(vault: VaultState): string {
  if (vault.settled && vault.accounted === 0n) return 'closed'
  if (vault.stopReason !== 0) return 'stopped'
  if (vault.agent === nobody) return 'paused'
  return vault.principal > usd(100) ? 'working' : 'signed'
}
