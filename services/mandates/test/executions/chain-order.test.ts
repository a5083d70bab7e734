import { RemoteRefusal } from '@svc/service'
import { eventually } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { botWallet, chainWorld, me, type Working } from './chain-world.ts'

const { chain, rig, clock, sent, workingMandate, ask, simulate, direct, requested, approve, item, ...world } =
  chainWorld()
const { violations, telling, raw, usage } = world

describe.each([
  ['60 s behind', 60],
  ['60 s ahead of', -60],
])('with the chain %s the service', (_where, seconds) => {
  test('an approved call is accepted and uses its approval once', async () => {
    clock.aheadSec = seconds
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await sent(botWallet, direct(mandate, 45))
    await telling(used, 1)
    const again = await sent(botWallet, direct(mandate, 45))
    await telling(again, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[again, 'unapproved_execution']])
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'used', used_tx_hash: used })
  })

  test('a call that was mined before its approval is a violation, and leaves the approval open', async () => {
    clock.aheadSec = seconds
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    const early = await chain.send(botWallet, direct(mandate, 45))
    await approve(mandate, approval_id)
    await chain.anvil.mine(2)
    await telling(early, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[early, 'unapproved_execution']])
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'approved' })
  })

  test('a call in the block after the stop in the record is a violation, the one in the block before is not', async () => {
    clock.aheadSec = seconds
    const mandate = await workingMandate()
    const before = await chain.send(botWallet, direct(mandate, 11))
    await rig.as(me).stopMandate({ public_id: mandate.public_id })
    const rogue = await chain.send(botWallet, direct(mandate, 12))
    await chain.anvil.mine(2)
    await telling(before, 1)
    await telling(rogue, 1)
    await eventually(async () => (await violations(mandate)).length > 0)
    expect(await violations(mandate)).toEqual([[rogue, 'executed_after_record_stop']])
  })
})

describe('a reorganisation', () => {
  const head = async () => Number(await chain.anvil.request('eth_blockNumber'))

  test('that mines an approved call in a lower block than the one its approval was given on leaves it approved', async () => {
    clock.aheadSec = 0
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await chain.send(botWallet, direct(mandate, 45))
    await telling(used, 1)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    const signed = await raw(used)
    await telling(used, 2, false)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'approved')
    // Three blocks are replaced, and the call stands in the first of them.
    await chain.anvil.reorg(3, [[signed, 0]])
    expect(await head()).toBeGreaterThan(0)
    await telling(used, 3)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    expect(await violations(mandate)).toEqual([])
  })

  test('that nobody noticed, and that replaced the block an approval was given on, leaves its call approved', async () => {
    const mandate = await workingMandate()
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    const used = await chain.send(botWallet, direct(mandate, 45))
    const signed = await raw(used)
    await chain.anvil.reorg(3, [[signed, 0]])
    await chain.anvil.mine(2)
    await telling(used, 1)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    expect(await violations(mandate)).toEqual([])
  })

  test('that mines a call in a lower block than the stop in the record saw leaves it a violation', async () => {
    const mandate = await workingMandate()
    await rig.as(me).stopMandate({ public_id: mandate.public_id })
    const rogue = await chain.send(botWallet, direct(mandate, 12))
    await telling(rogue, 1)
    await eventually(async () => (await violations(mandate)).length === 1)
    const signed = await raw(rogue)
    await telling(rogue, 2, false)
    await chain.anvil.reorg(3, [[signed, 0]])
    await chain.anvil.mine(2)
    await telling(rogue, 3)
    await eventually(async () => (await violations(mandate)).length === 2)
    expect(new Set((await violations(mandate)).map(([, reason]) => reason))).toEqual(
      new Set(['executed_after_record_stop']),
    )
  })
})

describe('around midnight UTC', () => {
  const DAY = 86_400
  /** The first midnight that leaves a minute for blocks before it. */
  const nextMidnight = async () => (Math.floor(((await chain.anvil.now()) + 60) / DAY) + 1) * DAY
  /** Sends a call in a block of this time; tells whether the vault accepted it. */
  async function minedAt(second: number, call: { to: string; data: string }) {
    await chain.anvil.request('evm_setNextBlockTimestamp', [second])
    const hash = await chain.send(botWallet, call)
    return { hash, accepted: (await chain.chain.client.getTransactionReceipt({ hash })).status === 'success' }
  }
  /** What the service answers to a call at a time, in execute-call and simulate, which agree. */
  async function judgedAt(ms: number, mandate: Working, amount: number) {
    rig.clock.set(new Date(ms))
    const asked = await ask(mandate, amount).catch((error: unknown) => error)
    const { judgement } = await simulate(mandate, amount)
    const { code, resets_at } = asked instanceof RemoteRefusal ? (asked.body['refusal'] as typeof judgement) : judgement
    expect(judgement).toMatchObject({ code, resets_at })
    return asked instanceof RemoteRefusal ? [code, resets_at] : 'passes'
  }

  test('vault, execute-call, simulate and the polled figures begin the same day in the same second', async () => {
    clock.aheadSec = 0
    const mandate = await workingMandate({ approval_above_usdc: null })
    const midnight = await nextMidnight()
    const resetsAt = new Date(midnight * 1000).toISOString()
    for (const second of [4, 3, 2]) {
      const { hash, accepted } = await minedAt(midnight - second, direct(mandate, 50))
      expect(accepted).toBe(true)
      await telling(hash, 1)
    }
    rig.clock.set(new Date(midnight * 1000 - 1))
    await eventually(async () => expect(await usage(mandate)).toMatchObject({ used_usdc: '150', left_usdc: '0' }))
    const lastMs = midnight * 1000 - 1
    expect(await judgedAt(midnight * 1000 - 1000, mandate, 1)).toEqual(['over_daily_cap', resetsAt])
    expect(await judgedAt(lastMs, mandate, 1)).toEqual(['over_daily_cap', resetsAt])
    expect(await minedAt(midnight - 1, direct(mandate, 1))).toMatchObject({ accepted: false })

    expect(await judgedAt(midnight * 1000, mandate, 50)).toBe('passes')
    expect(await usage(mandate)).toMatchObject({ used_usdc: '0', left_usdc: '150' })
    const after = await minedAt(midnight, direct(mandate, 50))
    expect(after.accepted).toBe(true)
    await telling(after.hash, 1)
    await eventually(async () => expect(await usage(mandate)).toMatchObject({ used_usdc: '50', left_usdc: '100' }))
  })

  test('a call that was approved before midnight and executed after it counts in the new day alone', async () => {
    const mandate = await workingMandate()
    const midnight = await nextMidnight()
    for (const second of [6, 5, 4]) {
      const { hash } = await minedAt(midnight - second, direct(mandate, 35))
      await telling(hash, 1)
    }
    rig.clock.set(new Date((midnight - 3) * 1000))
    await eventually(async () => expect(await usage(mandate)).toMatchObject({ used_usdc: '105', left_usdc: '45' }))
    const approval_id = await requested(mandate, 45)
    await approve(mandate, approval_id)
    // Held money is of both days until it is used.
    expect(await usage(mandate)).toMatchObject({ held_usdc: '45', left_usdc: '0' })
    rig.clock.set(new Date(midnight * 1000))
    expect(await usage(mandate)).toMatchObject({ used_usdc: '0', held_usdc: '45', left_usdc: '105' })
    const { hash, accepted } = await minedAt(midnight, direct(mandate, 45))
    expect(accepted).toBe(true)
    await telling(hash, 1)
    await eventually(async () => expect(await item(mandate, approval_id)).toMatchObject({ status: 'used' }))
    expect(await usage(mandate)).toMatchObject({ used_usdc: '45', held_usdc: '0', left_usdc: '105' })
    for (const second of [1, 2, 3]) {
      expect(await minedAt(midnight + second, direct(mandate, 35))).toMatchObject({ accepted: true })
    }
    expect(await minedAt(midnight + 4, direct(mandate, 1))).toMatchObject({ accepted: false })
    expect(await violations(mandate)).toEqual([])
  })
})
