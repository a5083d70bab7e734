import { prepare, read } from '@svc/chain'
import { newVault, nobody, type VaultState } from '@svc/limits'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { openPool } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import fc from 'fast-check'
import { createWalletClient, http, keccak256, stringToHex, toHex, type Account, type LocalAccount } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { booksOf } from '#books/rules/books.ts'
import { factsOfVault } from '#books/store/chain-facts.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { admin, keeper, operator, startChain, tellOf, transactionOf } from '../chain-peer.ts'
import { legSwitches, listLegMarkets } from '../leg-switches.ts'
import { agent, agentWallet, bodyAt, owner, ownerWallet, startLifeRig, type Hex } from '../rigs/life-rig.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SEED = Number(process.env['TEST_SEED'] ?? 1)
const MARKET = stringToHex('GOLD', { size: 32 })
const usd = (amount: number) => BigInt(amount) * 1_000_000n
const me = owner(51)
const wallet = ownerWallet(51)
const AGENT = 61
const bot = agentWallet(AGENT)

const chain = opened(() => startChain())
const rig = opened(() => startLifeRig({ chain, environment: legSwitches }))
beforeAll(async () => {
  await listLegMarkets(rig)
  for (const one of [wallet, bot]) await chain.anvil.request('anvil_setBalance', [one.address, '0xde0b6b3a7640000'])
  const calls = prepare(chain.chain.id)
  const { usdc, venue, leg_gateway } = chain.deployment.contracts
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: leg_gateway.address, amount: usd(100_000) }))
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: wallet.address, amount: usd(100_000) }))
  await chain.send(admin, calls.usdc(usdc.address).mint({ to: venue.address, amount: usd(100_000) }))
  await chain.send(admin, calls.venue(venue.address).setPrice({ m: MARKET, price: usd(1) }))
})

/** A signed mandate whose vault was made; who attaches it is up to the test. Its vault funds a leg, or has none. */
async function newMandate(hl_leg: boolean): Promise<{ public_id: string; vault: Hex; creation: ChainTransaction }> {
  rig.clock.set(new Date((await chain.anvil.now()) * 1000))
  const leg = hl_leg ? { hl_leg, markets: ['testvenue', 'hl:BTC'], leg_budget_usdc: '200' } : {}
  const body = bodyAt(rig, { agent_id: AGENT, ...leg })
  const { public_id } = (await rig.as(me).createMandate(body as never)).mandate
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const typed = typed_data as unknown as Parameters<LocalAccount['signTypedData']>[0]
  await rig.as(me).signTerms({ public_id, terms_hash, signature: await wallet.signTypedData(typed) })
  const { call } = await rig.as(me).prepareCreation({ public_id })
  const creation = await transactionOf(chain, await chain.send(wallet, { to: call?.to ?? '', data: call?.data ?? '' }))
  await chain.anvil.mine(2)
  const vault = creation.logs[0]?.vault as Hex
  const { usdc } = chain.deployment.contracts
  const approval = prepare(chain.chain.id)
    .usdc(usdc.address)
    .approve({ spender: vault, value: usd(500) })
  await chain.send(wallet, approval)
  return { public_id, vault, creation }
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
  'fundLeg',
  'legBack',
  'legLast',
] as const
type Action = (typeof actions)[number]
/** Counts returns of legs; the gateway takes each reference once. */
let references = 0

/** Sends one action into the pool; what the contract refuses is a transaction without events. */
function act(action: Action, vault: Hex): Promise<Hex> {
  const send = (from: Account, { to, data }: { to: Hex; data: Hex }) =>
    createWalletClient({ account: from, transport: http(chain.anvil.url) }).sendTransaction({
      chain: null,
      to,
      data,
      gas: 1_000_000n,
    })
  const calls = prepare(chain.chain.id)
  const { venue, usdc, leg_gateway } = chain.deployment.contracts
  const at = calls.vault(vault)
  const market = calls.venue(venue.address)
  const sell = market.sell({ m: MARKET, n: usd(5), minOut: 0n }).data
  const buy = market.buy({ m: MARKET, usdcIn: usd(20), minUnits: 0n }).data
  const execute = (data: Hex, amount: bigint) => at.execute({ target: venue.address, data, approveAmount: amount })
  switch (action) {
    case 'deposit':
      return send(wallet, at.deposit({ amount: usd(110) }))
    case 'transfer':
      return send(wallet, calls.usdc(usdc.address).transfer({ to: vault, value: usd(7) }))
    case 'buy':
      return send(bot, execute(buy, usd(20)))
    case 'sell':
      return send(bot, execute(sell, 0n))
    case 'pause':
      return send(wallet, at.revokeAgent())
    case 'resume':
      return send(wallet, at.setAgent({ agent_: bot.address }))
    case 'mark':
      return send(keeper, at.markWorth({ worth: usd(450), asOf: BigInt(Math.floor(Date.now() / 1000)) }))
    case 'stop':
      return send(wallet, at.stop())
    case 'unwind':
      return send(wallet, at.unwind({ target: venue.address, data: sell }))
    case 'withdraw':
      return send(wallet, at.withdrawAll())
    case 'settle':
      return send(keeper, at.settle())
    case 'fundLeg':
      return send(keeper, calls.vaultV2(vault).fundLeg({ amount: usd(60) }))
    case 'legBack':
    case 'legLast': {
      const back = { vault, amount: usd(25), last: action === 'legLast', ref: keccak256(toHex((references += 1))) }
      return send(operator, calls.legGateway(leg_gateway.address).giveBack(back))
    }
  }
}

/** What the vault's own views say. */
async function views(vault: Hex, hasLeg: boolean): Promise<Partial<VaultState>> {
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
    ...(hasLeg ? await legViews(vault) : {}),
  }
}

async function legViews(vault: Hex): Promise<Partial<VaultState>> {
  const at = read(chain.chain).vaultV2(vault)
  return {
    legOut: await at.legOut(),
    legOpen: await at.legOpen(),
    legSeq: BigInt(await at.legSeq()),
    legFunded: await at.legFunded(),
    legReturned: await at.legReturned(),
  }
}

interface Script {
  readonly hasLeg: boolean
  /** Actions of a block each. */
  readonly blocks: Action[][]
  /** How many of the newest transactions a reorganisation takes away and brings back. */
  readonly depth: number
  readonly attachedBy: 'receipt' | 'sweep'
  /** Orders what is told; every fifth is told twice. */
  readonly order: readonly number[]
}

const script: fc.Arbitrary<Script> = fc.record({
  hasLeg: fc.boolean(),
  blocks: fc.array(
    fc.array(fc.constantFrom<Action[]>(...actions, 'deposit', 'deposit', 'buy'), {
      minLength: 1,
      maxLength: 3,
    }),
    {
      minLength: 2,
      maxLength: 7,
    },
  ),
  depth: fc.integer({ min: 0, max: 10 }),
  attachedBy: fc.constantFrom('receipt', 'sweep'),
  order: fc.array(fc.nat(100_000), { minLength: 150, maxLength: 150 }),
})

/** Money goes to the leg twice, comes back in part and then for the last time; a reorganisation takes most of it away. */
const legScript: Script = {
  hasLeg: true,
  blocks: [['deposit'], ['deposit'], ['fundLeg'], ['fundLeg', 'buy'], ['legBack'], ['stop', 'legLast'], ['withdraw']],
  depth: 6,
  attachedBy: 'sweep',
  order: Array.from({ length: 150 }, (_, at) => (at * 7_919) % 100_000),
}

/** Sends the actions of each block together; answers the transactions in the order of the chain. */
async function play(blocks: readonly (readonly Action[])[], vault: Hex): Promise<readonly ChainTransaction[]> {
  const hashes: Hex[] = []
  await chain.anvil.request('evm_setAutomine', [false])
  try {
    for (const block of blocks) {
      for (const action of block) hashes.push(await act(action, vault))
      await chain.anvil.request('evm_mine')
    }
  } finally {
    await chain.anvil.request('evm_setAutomine', [true])
  }
  const mined = await Promise.all(hashes.map((hash) => transactionOf(chain, hash)))
  return mined
    .toSorted((one, other) => (one.logs[0]?.log_index ?? 0) - (other.logs[0]?.log_index ?? 0))
    .toSorted((one, other) => (one.block_number ?? 0) - (other.block_number ?? 0))
}

test('after any script, each event told in any order, twice, and through a reorganisation, the books are the vault’s own', async () => {
  const pool = await openPool(rig.stack.databaseOf('chain-indexer').url)
  await fc.assert(
    fc.asyncProperty(script, async ({ hasLeg, blocks, depth, attachedBy, order }) => {
      const { public_id, vault, creation } = await newMandate(hasLeg)
      const played = await play(blocks, vault)
      if (attachedBy === 'receipt') await rig.as(me).attachVault({ public_id, tx_hash: creation.tx_hash })
      const transactions = [creation, ...played]
      const gone = new Set(transactions.slice(Math.max(0, transactions.length - depth)))
      const messages = transactions.flatMap((transaction) =>
        transaction.logs.flatMap((log) => {
          const one = { ...transaction, logs: [log] }
          const told = (revision: number, canonical: boolean) => ({ one, revision, canonical })
          return gone.has(transaction) ? [told(1, true), told(2, false), told(3, true)] : [told(1, true)]
        }),
      )
      const telling = messages.flatMap((message, at) => {
        const key = order[at % order.length] ?? 0
        return key % 5 === 0
          ? [
              { key, message },
              { key: (key * 7) % 100_000, message },
            ]
          : [{ key, message }]
      })
      for (const { message } of telling.toSorted((one, other) => one.key - other.key))
        await tellOf(pool, message.one, message.revision, message.canonical)

      const expected = { ...newVault(nobody), ...(await views(vault, hasLeg)) }
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
      const due = transactions.flatMap((one) =>
        one.logs.map(({ log_ordinal }) => [`${one.tx_hash}:${log_ordinal}`, gone.has(one) ? 3 : 1] as const),
      )
      await eventually(async () => {
        const arrived = await revisionsOf(vault)
        for (const [fact, revision] of due) expect(arrived.get(fact)).toBe(revision)
        const stored = await vaultOfMandate(rig.pool, id)
        if (stored === null) throw new Error('no vault')
        expect(comparable(stored.books)).toEqual(comparable(expected as VaultState))
        const facts = await factsOfVault(rig.pool, stored.chain_id, stored.address)
        expect(stored.books).toEqual(booksOf(stored.agent, facts))
      })
      const { state } = await rig.as(me).readMandate({ public_id })
      expect(state).toBe(expectedState(expected as VaultState))
      expect((await rig.as(agent(AGENT)).readMandate({ public_id })).state).toBe(state)
      const recorded = played.flatMap(({ tx_hash, logs }) =>
        logs.flatMap(({ name, log_ordinal }) => (name === 'Marked' ? [] : [`${tx_hash}:${log_ordinal}`])),
      )
      expect((await standingInRecord(public_id)).toSorted()).toEqual(recorded.toSorted())
    }),
    { numRuns: LONG ? 200 : 7, seed: SEED, endOnFailure: !LONG, examples: [[legScript]] },
  )
  await pool.end()
})

/** The revision that is known of each fact of a vault. */
async function revisionsOf(vault: Hex): Promise<Map<string, number>> {
  const rows = (await rig.pool.any({
    sql: 'SELECT tx_hash, log_ordinal, revision FROM chain_fact WHERE vault = $1',
    values: [vault.toLowerCase()],
    type: 'SLONIK_TOKEN_QUERY',
  } as never)) as readonly { tx_hash: string; log_ordinal: number; revision: number }[]
  return new Map(rows.map((row) => [`${row.tx_hash}:${row.log_ordinal}`, row.revision]))
}

/** Facts that the record says stand. */
async function standingInRecord(public_id: string): Promise<readonly string[]> {
  const rows = (await rig.pool.any({
    sql: `SELECT r.kind, r.tx_hash, r.entry->'body'->>'log_ordinal' AS ordinal FROM record_entry r JOIN mandate m ON m.id = r.mandate_id
      WHERE m.public_id = $1 AND r.kind LIKE 'chain_fact%' ORDER BY r.seq`,
    values: [public_id],
    type: 'SLONIK_TOKEN_QUERY',
  } as never)) as readonly { kind: string; tx_hash: string; ordinal: string }[]
  const standing = new Set<string>()
  for (const { kind, tx_hash, ordinal } of rows)
    if (kind === 'chain_fact') standing.add(`${tx_hash}:${ordinal}`)
    else standing.delete(`${tx_hash}:${ordinal}`)
  return [...standing]
}

/** The state, written a second time from the vault's views; the stop line of these mandates is 100 USDC. */
function expectedState(vault: VaultState): string {
  if (vault.settled && vault.accounted === 0n) return 'closed'
  if (vault.stopReason !== 0) return 'stopped'
  if (vault.agent === nobody) return 'paused'
  return vault.principal > usd(100) ? 'working' : 'signed'
}
