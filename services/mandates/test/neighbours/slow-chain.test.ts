import { sql } from '@svc/postgres'
import { clientOf, Outage } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { mandates } from '@svc/contracts/mandates'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, buyCall, owner, startSeededRig, txHash, VENUE, walletOf } from '../rigs/seeded-rig.ts'

/** More calls than the service has connections to Postgres. */
const CALLS = 12
const WAIT_MS = 10_000

let answer: () => void
let asked: number
const rig = opened(() => startSeededRig())
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answer = resolve
  asked = 0
  rig.world.afterLook = () => {
    asked += 1
    return promise
  }
})

const held = z.object({ n: z.number() })
/** Connections of the service within a transaction, and advisory locks of the schema's database. */
const heldNow = async () =>
  (
    await rig.pool.one(sql.type(held)`
      SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%')
        + (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
           WHERE d.datname = current_database() AND l.locktype = 'transactionid') AS n`)
  ).n

/** What a call that is waiting for the chain ends with, when its caller waits no longer than `waitMs`. */
const asking = (call: (options: object) => Promise<unknown>, waitMs: number) =>
  call({ deadline: Date.now() + waitMs }).then(
    () => 'answered',
    (error: unknown) => (error instanceof Outage ? 'outage' : error),
  )

test.each<[string, (publicId: string) => (options: object) => Promise<unknown>]>([
  [
    'attaching a vault',
    (public_id) => (options) =>
      client().attachVault({ public_id, tx_hash: txHash() }, { ...options, caller: owner(11) }),
  ],
  [
    'reporting a transfer',
    () => (options) =>
      client().reportTransfer(
        { agent_id: 21, chain_id: 31_337, asset: 'USDC', amount: '5', tx_hash: txHash(), direction: 'in' },
        { ...options, caller: agent(21) },
      ),
  ],
])('%s while the chain does not answer is an outage in time and holds no connection', async (_what, callOf) => {
  const { publicId } = await rig.newMandate({ vaultless: true })
  let ended = 0
  const calls = Array.from({ length: CALLS }, () => asking(callOf(publicId), WAIT_MS).finally(() => (ended += 1)))
  await eventually(() => asked >= CALLS)
  // What works by itself meanwhile holds one for a moment only.
  await eventually(async () => (await heldNow()) === 0)
  expect(await rig.as(owner(11)).readMandate({ public_id: publicId })).toMatchObject({ public_id: publicId })
  expect(ended).toBe(0)
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['outage']))
  answer()
})

test('a reaction whose chain answers late holds neither a transaction nor a lock, and then delivers', async () => {
  answer()
  const hash = txHash()
  const input = { agent_id: 21, chain_id: 31_337, asset: 'USDC', amount: '5', tx_hash: hash, direction: 'in' } as const
  const { transfer } = await rig.as(agent(21)).reportTransfer(input)
  expect(transfer).toMatchObject({ state: 'in_transit', reason: 'waiting_for_chain' })

  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  rig.world.afterLook = () => {
    waiting += 1
    return promise.finally(() => (waiting -= 1))
  }
  rig.world.transactions.set(hash.toLowerCase(), {
    state: 'mined',
    status: 'success',
    confirmed: true,
    block_time: rig.clock.now().toISOString(),
    transfers: [{ from: walletOf(11), to: walletOf(21), amount: '5000000' }],
  })
  await rig.tellConfirmed({ tx_hash: hash })
  await eventually(() => waiting === 1)
  // Well before the question runs out of time, which would end a transaction that waits for it.
  await eventually(async () => (await heldNow()) === 0)
  expect(waiting).toBe(1)
  resolve()
  await eventually(async () => {
    const state = await rig.pool.oneFirst(
      sql.type(z.object({ state: z.string() }))`SELECT state FROM transfer WHERE tx_hash = ${hash.toLowerCase()}`,
    )
    expect(state).toBe('delivered')
  })
})

test('an execution above the approval amount whose chain answers late holds neither a transaction nor a lock, and then uses its approval', async () => {
  answer()
  const { publicId: public_id, vault } = await rig.newMandate()
  const call = { public_id, target: VENUE, data: buyCall(1), approve_amount_usdc: '45' }
  const held = await rig.as(agent(21)).prepareExecution(call)
  if (!('approval' in held)) throw new Error('the call was not held')
  const { approval_id } = held.approval
  await rig.as(owner(11)).decideApproval({ public_id, approval_id, decision: 'approve' })

  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  rig.world.afterLook = () => {
    waiting += 1
    return promise.finally(() => (waiting -= 1))
  }
  await rig.tell({ vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() })
  await eventually(() => waiting === 1)
  await eventually(async () => (await heldNow()) === 0)
  rig.world.head = 100
  expect(await rig.as(owner(11)).stopMandate({ public_id })).toMatchObject({ state: 'stopped' })
  expect(waiting).toBe(1)
  resolve()
  await eventually(async () => {
    const { items } = await rig.as(owner(11)).listApprovals({ public_id, approval_id })
    expect(items[0]).toMatchObject({ status: 'used' })
  })
})

test('an attachment that met a slow chain gives its key back: the same call is judged anew', async () => {
  const { publicId } = await rig.newMandate({ vaultless: true })
  const input = { public_id: publicId, tx_hash: txHash() }
  const options = { caller: owner(11), idempotencyKey: 'slow-chain-1' }
  expect(await asking((more) => client().attachVault(input, { ...options, ...more }), 1_500)).toBe('outage')
  answer()
  const refused = await eventually(async () => {
    const one = await refusalOf(client().attachVault(input, options))
    if (one.code === 'idempotency_in_flight') throw new Error('the first attempt has not ended')
    return one
  })
  expect(refused).toMatchObject({ code: 'hub_transaction_unknown' })
})

const client = () => clientOf(rig.bus, 'gateway', mandates)
