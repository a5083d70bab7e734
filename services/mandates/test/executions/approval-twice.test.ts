import { eventually } from '@svc/testing'
import { expect, test } from 'vitest'
import { AGENT, botWallet, chainWorld } from './chain-world.ts'

const { chain, rig, syncClock, sent, workingMandate, ask, direct, requested, approve, item, ...world } = chainWorld()
const { violations, telling, raw, usage } = world
const UNAPPROVED = 'unapproved_execution'

/** Creation code of a wallet that sends its call (after the address, a word) twice in one transaction. */
const CALLS_ONCE = '600060008260006000600035' + '5af150'
const TWICE = `0x602980600b6000396000f3${'60203603' + '8060206000' + '37'}${CALLS_ONCE}${CALLS_ONCE}00` as const

async function approved(amount: number) {
  const mandate = await workingMandate()
  const approval_id = await requested(mandate, amount)
  await approve(mandate, approval_id)
  return { mandate, approval_id, shown: () => item(mandate, approval_id) }
}

/** Sends calls of the agent so that one block has them all, in this order. */
async function inOneBlock(calls: readonly { to: string; data: string }[]) {
  await chain.anvil.request('evm_setAutomine', [false])
  const sends = []
  for (const [n, call] of calls.entries()) {
    sends.push(chain.send(botWallet, call))
    await eventually(async () => {
      const { pending } = await chain.anvil.request<{ pending: string }>('txpool_status')
      expect(Number(pending)).toBe(n + 1)
    })
  }
  await chain.anvil.mine(1)
  const hashes = await Promise.all(sends)
  await chain.anvil.request('evm_setAutomine', [true])
  await chain.anvil.mine(2)
  await syncClock()
  return hashes
}

test('of two executions of an approved call in one block the first uses the approval, in whichever order they are heard of', async () => {
  const { mandate, approval_id, shown } = await approved(45)
  const call = direct(mandate, 45)
  const [first, second] = await inOneBlock([call, call])
  if (first === undefined || second === undefined) return expect.unreachable()
  await telling(second, 1)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: second }))
  await telling(first, 1)
  await eventually(async () => expect(await violations(mandate)).toEqual([[second, UNAPPROVED]]))
  expect(await shown()).toMatchObject({ approval_id, status: 'used', used_tx_hash: first })
  await eventually(async () => expect(await usage(mandate)).toMatchObject({ used_usdc: '90', held_usdc: '0' }))
})

test('a wallet that is a contract executes an approved call twice in one transaction: the second is a violation', async () => {
  const made = await chain.chain.client.getTransactionReceipt({ hash: await chain.deploy(TWICE) })
  const contract = made.contractAddress ?? expect.fail('not created')
  rig.world.wallets.set(AGENT, contract)
  const { mandate, shown } = await approved(45)
  rig.world.wallets.delete(AGENT)
  const { to, data } = direct(mandate, 45)
  const both = await sent(botWallet, {
    to: contract,
    data: `0x${to.slice(2).toLowerCase().padStart(64, '0')}${data.slice(2)}`,
  })
  await telling(both, 1)
  await eventually(async () => expect(await violations(mandate)).toEqual([[both, UNAPPROVED]]))
  expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: both })
})

test('another amount than the approved one is a violation and leaves the approval to the call that it was given for', async () => {
  const { mandate, shown } = await approved(45)
  const other = await sent(botWallet, direct(mandate, 46))
  const more = await sent(botWallet, direct(mandate, 45, 46))
  for (const hash of [other, more]) await telling(hash, 1)
  await eventually(async () => expect(await violations(mandate)).toHaveLength(2))
  expect(await violations(mandate)).toEqual(expect.arrayContaining([other, more].map((hash) => [hash, UNAPPROVED])))
  expect(await shown()).toMatchObject({ status: 'approved', used_tx_hash: null })
  const used = await sent(botWallet, direct(mandate, 45))
  await telling(used, 1)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: used }))
  expect(await violations(mandate)).toHaveLength(2)
})

test('after a reorganisation the approval serves what the chain has then: the copy in place of the former, which cannot come back', async () => {
  const { mandate, shown } = await approved(45)
  const call = direct(mandate, 45)
  const former = await chain.send(botWallet, call)
  await telling(former, 1)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: former }))
  const bytes = await raw(former)
  await telling(former, 2, false)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'approved', used_tx_hash: null }))
  await chain.anvil.reorg(1)
  // Of the same nonce: a byte more makes it another transaction.
  const copy = await sent(botWallet, { ...call, data: `${call.data}12` })
  await expect(chain.anvil.request('eth_sendRawTransaction', [bytes])).rejects.toThrow('nonce too low')
  await telling(copy, 1)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: copy }))
  const third = await sent(botWallet, call)
  await telling(third, 1)
  await eventually(async () => expect(await violations(mandate)).toEqual([[third, UNAPPROVED]]))
  expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: copy })
})

test('when the execution that used an approval is gone for good, the later one of the same call takes it, and its violation ends', async () => {
  const { mandate, shown } = await approved(45)
  const first = await sent(botWallet, direct(mandate, 45))
  const second = await sent(botWallet, direct(mandate, 45))
  await telling(first, 1)
  await telling(second, 1)
  await eventually(async () => expect(await violations(mandate)).toEqual([[second, UNAPPROVED]]))
  await telling(first, 2, false)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: second }))
  await telling(first, 3)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used', used_tx_hash: first }))
})

test('an item that was asked for again after its use needs another decision', async () => {
  const { mandate, approval_id, shown } = await approved(45)
  const used = await sent(botWallet, direct(mandate, 45))
  await telling(used, 1)
  await eventually(async () => expect(await shown()).toMatchObject({ status: 'used' }))
  expect(await approve(mandate, approval_id)).toMatchObject({ approval: { status: 'used', used_tx_hash: used } })
  const again = await ask(mandate, 45)
  expect(again).toMatchObject({ code: 'pending_approval', approval: { status: 'pending' } })
  expect('approval' in again && again.approval.approval_id).not.toBe(approval_id)
})
