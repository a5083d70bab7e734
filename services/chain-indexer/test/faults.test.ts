import { prepare } from '@svc/chain'
import { opened, type FaultKind, type ForgedAnswer, type RpcFault } from '@svc/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { jobs } from '#jobs.ts'
import { watchAddress } from '#deposits/store/watched-addresses.ts'
import { watchTransaction } from '#transactions/store/watched-transactions.ts'
import {
  chainRig,
  consumed,
  emptied,
  indexerOf,
  storedFacts,
  storedFindings,
  storedVaults,
  USDC,
  wallets,
  type Indexer,
} from './rig.ts'

/** Each kind once; another kind does not compile until it stands here. */
const faults: { readonly [K in FaultKind]: RpcFault & { readonly kind: K } } = {
  'span-above': { kind: 'span-above', blocks: 100 },
  'addresses-above': { kind: 'addresses-above', count: 1 },
  'rate-limited': { kind: 'rate-limited', retryAfterSeconds: 0, times: 5 },
  'http-status': { kind: 'http-status', status: 502, times: 5 },
  'rpc-error': { kind: 'rpc-error', code: -32_603, message: 'internal error', times: 5 },
  slow: { kind: 'slow', ms: 30 },
  held: { kind: 'held', until: Promise.resolve() },
  dropped: { kind: 'dropped', times: 5 },
  'head-behind': { kind: 'head-behind', blocks: 4 },
  'head-fails': { kind: 'head-fails' },
  'logs-missing': { kind: 'logs-missing' },
  'logs-duplicated': { kind: 'logs-duplicated' },
  'header-hash-wrong': { kind: 'header-hash-wrong' },
  'log-hash-wrong': { kind: 'log-hash-wrong' },
  // Nobody answers there; another chain is in other-chain.test.ts.
  elsewhere: { kind: 'elsewhere', url: 'http://127.0.0.1:9' },
  reorg: { kind: 'reorg', depth: 3, times: 1 },
  'receipt-stale': { kind: 'receipt-stale' },
  'receipt-missing': { kind: 'receipt-missing' },
  'receipt-forged': { kind: 'receipt-forged', forge: forgedReceipt },
  'logs-forged': { kind: 'logs-forged', forge: forgedLog },
  'transaction-forged': { kind: 'transaction-forged', forge: (transaction) => ({ ...transaction, value: '0x1' }) },
}

/** Ten times the amount, and a call that failed is said to have succeeded. */
function forgedReceipt(receipt: ForgedAnswer) {
  return { ...receipt, status: '0x1', logs: receipt.logs?.map(forgedLog) }
}

function forgedLog(log: Readonly<Record<string, unknown>>) {
  return { ...log, data: `${String(log['data']).slice(0, -2)}ff` }
}

const everyJob: readonly (keyof typeof jobs)[] = [
  'vaultEvents',
  'reverts',
  'depositWatch',
  'transactionWatch',
  'vaultPoll',
]
let back: () => Promise<void>

const chain = opened(() => chainRig())
const indexer = opened(() => indexerOf(chain))
const fresh = opened(() => indexerOf(chain))
beforeEach(async () => {
  back = await chain.anvil.snapshot()
  await emptied(indexer)
  await emptied(fresh)
})
afterEach(async () => {
  chain.proxy.heal()
  await back()
})

/** Watches the agent's wallet from before the first block on. */
const watchAgent = ({ pool, clock }: Indexer) =>
  pool.transaction((tx) =>
    watchAddress(tx, chain.chainId, {
      address: wallets.agent.address,
      kind: 'agent_wallet',
      askedBy: 'mandates',
      since: new Date(clock.now().getTime() - 3_600_000).toISOString(),
    }),
  )

/** One thing for each job to find. */
async function live(vault: `0x${string}`): Promise<void> {
  await chain.deposit(vault, 10n * USDC)
  await chain.buy(vault, 60n * USDC)
  const paid = await chain.send(
    wallets.stranger,
    prepare(chain.chainId).usdc(chain.at('usdc')).transfer({ to: wallets.agent.address, value: USDC }),
  )
  await indexer.pool.transaction((tx) =>
    watchTransaction(tx, chain.chainId, { txHash: paid.hash, askedBy: 'mandates', at: indexer.clock.now() }),
  )
}

const runAll = async (one: Indexer) => {
  for (const job of everyJob) await one.run(job)
}

test.each(Object.values(faults))(
  '$kind in any job: once it is over, what is stored and told is what the chain says, each fact once',
  async (fault) => {
    await watchAgent(indexer)
    const vault = await chain.createVault(`fault-${fault.kind}`)
    await live(vault)
    await runAll(indexer)
    await chain.anvil.mine(fault.kind === 'span-above' ? 110 : 5)
    await live(vault)
    chain.proxy.inject(fault)
    for (let turn = 0; turn < 2; turn++)
      for (const job of everyJob)
        await indexer.run(job).catch((error: unknown) => expect(error).toMatchObject({ name: 'Outage' }))
    if (fault.kind === 'receipt-stale') await chain.anvil.reorg(2)
    chain.proxy.heal()
    await runAll(indexer)
    await runAll(indexer)

    await watchAgent(fresh)
    await runAll(fresh)
    const stored = await storedFacts(indexer.pool)
    expect(stored).toEqual(await storedFacts(fresh.pool))
    expect(await storedVaults(indexer.pool)).toEqual(await storedVaults(fresh.pool))
    expect(await storedFindings(indexer.pool)).toEqual(await storedFindings(fresh.pool))
    const heard = await indexer.heard()
    expect([...consumed(heard).keys()].toSorted()).toEqual(
      stored.map((one) => `${one.tx_hash}:${one.log_ordinal}`).toSorted(),
    )
    const told = heard
      .filter(({ payload }) => payload['revision'] !== undefined && payload['log_ordinal'] !== undefined)
      .map(({ payload }) => [payload['tx_hash'], payload['log_ordinal'], payload['revision']].join(':'))
    expect(new Set(told).size).toBe(told.length)
  },
)
