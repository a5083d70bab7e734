import { chainIndexer } from '@svc/contracts/chain-indexer'
import { emit, openPool } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { keccak256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  agent,
  buyCall,
  CHAIN_ID,
  owner,
  startSeededRig,
  txHash,
  VENUE,
  walletOf,
  type NewMandateOptions,
  type TestMandate,
} from '../rigs/seeded-rig.ts'

const WEB = 'https://app.example.org'
let logs = 0
const rig = opened(() => startSeededRig({ HUB_PUBLIC_WEB_BASE: WEB }))
const chainPool = opened(() => openPool(rig.stack.databaseOf('chain-indexer').url))

/** Publishes an event of the vault of a mandate, or its removal by a reorganisation. */
async function logged(
  { vault }: TestMandate,
  name: string,
  args: Record<string, string>,
  { tx = txHash(), revision = 1, canonical = true, block = 100 + logs } = {},
): Promise<{ tx: string; block: number }> {
  const payload = {
    chain_id: CHAIN_ID,
    block_number: block,
    block_hash: keccak256(stringToHex(`block ${block}`)),
    block_time: rig.clock.now().toISOString(),
    tx_hash: tx,
    log_ordinal: 0,
    log_index: logs++,
    revision,
    canonical,
    vault,
    name,
    args,
  }
  await chainPool.transaction((db) => emit(db, chainIndexer.events.vaultEventSeen, payload as never))
  return { tx, block }
}

let nextOwner = 300
const newMandate = (options: NewMandateOptions = {}) =>
  rig.newMandate({ ownerId: nextOwner, agentId: 1_000_000 - nextOwner++, ...options })
const alerts = async ({ ownerId }: TestMandate) => (await rig.as(owner(ownerId)).listAlerts({})).items
const told = async (mandate: TestMandate) =>
  (await alerts(mandate)).map(({ kind, severity, resolved_at }) => [kind, severity, resolved_at === null])
const becomes = (mandate: TestMandate, wanted: readonly (readonly [string, string, boolean])[]) =>
  eventually(async () => expect(await told(mandate)).toEqual(wanted))

async function held(mandate: TestMandate, n: number): Promise<string> {
  const answer = await rig.as(agent(mandate.agentId)).prepareExecution({
    public_id: mandate.publicId,
    target: VENUE,
    data: buyCall(n),
    approve_amount_usdc: '45',
  })
  if (!('approval' in answer)) throw new Error('the call was not held')
  return answer.approval.approval_id
}

describe('the owner is alerted', () => {
  test('of each held call once, with its amount, its end and the page of the mandate, and the alert is open until the decision', async () => {
    const mandate = await newMandate()
    const [first, second] = [await held(mandate, 1), await held(mandate, 2)]
    await held(mandate, 1)
    expect(await alerts(mandate)).toMatchObject(
      [second, first].map(() => ({
        kind: 'approval_requested',
        severity: 'warning',
        mandate_id: mandate.publicId,
        link: `${WEB}/ui/mandates/${mandate.publicId}`,
        text: expect.stringMatching(/45 USDC to 0x44.* before 2026-11-22T10:00:00.000Z/),
        resolved_at: null,
      })),
    )
    const as = rig.as(owner(mandate.ownerId))
    rig.clock.advance(1_000)
    const decidedAt = rig.clock.now().toISOString()
    await as.decideApproval({ public_id: mandate.publicId, approval_id: first, decision: 'approve' })
    expect((await alerts(mandate)).map(({ resolved_at }) => resolved_at)).toEqual([null, decidedAt])
    expect((await as.listAlerts({ open: '1' })).items).toHaveLength(1)
    await as.decideApproval({ public_id: mandate.publicId, approval_id: second, decision: 'decline' })
    expect((await as.listAlerts({ open: '1' })).items).toEqual([])
  })

  test('of a held call, and the alert is open until the call lapses or the mandate ends', async () => {
    const [lapsing, stopped] = [await newMandate(), await newMandate()]
    await held(lapsing, 1)
    await held(stopped, 1)
    await rig.as(owner(stopped.ownerId)).stopMandate({ public_id: stopped.publicId })
    expect(await told(stopped)).toEqual([['approval_requested', 'warning', false]])
    rig.clock.advance(24 * 3_600_000)
    await becomes(lapsing, [['approval_requested', 'warning', false]])
  })

  test('of a fired stop line, critically, and the alert is open until the mandate is closed or a reorganisation removes the stop', async () => {
    const mandate = await newMandate({ limits: { stopLine: 100_000_000n } })
    const args = { reason: '2', stoppedAt: '1795255200' }
    const stop = await logged(mandate, 'Stopped', args)
    await becomes(mandate, [['stop_line_fired', 'critical', true]])
    expect((await alerts(mandate))[0]).toMatchObject({
      link: `${WEB}/ui/mandates/${mandate.publicId}`,
      text: expect.stringContaining('(100 USDC) fired'),
    })
    await logged(mandate, 'Stopped', args, { ...stop, revision: 2, canonical: false })
    await becomes(mandate, [['stop_line_fired', 'critical', false]])
  })

  test('of the end and the settlement of a mandate, and the alerts are open until the money is withdrawn', async () => {
    const endsAt = new Date(rig.clock.now().getTime() + 3_600_000)
    const mandate = await newMandate({ limits: { endsAt } })
    const without = await newMandate({ limits: { endsAt }, vaultless: true })
    rig.clock.advance(3_600_000)
    await becomes(mandate, [['mandate_ended', 'warning', true]])
    await becomes(without, [['mandate_ended', 'info', true]])
    const fee = { fee: '1500000', principal: '500000000', gross: '515000000' }
    await logged(mandate, 'Settled', fee)
    await becomes(mandate, [
      ['settled', 'info', true],
      ['mandate_ended', 'warning', true],
    ])
    expect((await alerts(mandate))[0]?.text).toContain('fee is 1.5 USDC')
    await logged(mandate, 'Withdrawn', { amount: '498500000', feeAccrued: '0' })
    await becomes(mandate, [
      ['settled', 'info', false],
      ['mandate_ended', 'warning', false],
    ])
  })

  test('of a foreign agent, and the alert is open until that agent may no longer act', async () => {
    const mandate = await newMandate()
    const zero = `0x${'00'.repeat(20)}`
    await rig.tellAgentSet({ vault: mandate.vault, agent: walletOf(99), block: 900, revision: 1 })
    await becomes(mandate, [['foreign_agent', 'critical', true]])
    await rig.tellAgentSet({ vault: mandate.vault, agent: zero, block: 901, revision: 1 })
    await becomes(mandate, [['foreign_agent', 'critical', false]])
    expect((await rig.as(owner(mandate.ownerId)).listAlerts({ open: '1' })).items).toEqual([])
  })

  test('of the end of the keys of the agent three days ahead, until a longer key replaces them or they expire', async () => {
    const daysAhead = (days: number) => new Date(rig.clock.now().getTime() + days * 86_400_000)
    const options = { limits: { endsAt: daysAhead(30) } }
    const [later, renewed, expiring] = [
      await newMandate({ ...options, agentId: 801 }),
      await newMandate({ ...options, agentId: 802 }),
      await newMandate({ ...options, agentId: 803 }),
    ]
    const end = daysAhead(2)
    rig.world.accessEnds.set(801, daysAhead(4)).set(802, end).set(803, end)
    rig.clock.advance(600_000)
    const open = [['agent_key_ends', 'warning', true]] as const
    await becomes(expiring, open)
    await becomes(renewed, open)
    expect((await alerts(renewed))[0]).toMatchObject({
      text: expect.stringContaining(`The API key of agent 802 expires at ${end.toISOString()}`),
      link: `${WEB}/ui/mandates/${renewed.publicId}`,
      ends_at: end.toISOString(),
    })
    expect(await told(later)).toEqual([])

    rig.world.accessEnds.set(802, daysAhead(20))
    rig.clock.advance(600_000)
    const over = [['agent_key_ends', 'warning', false]] as const
    await becomes(renewed, over)
    expect(await told(expiring)).toEqual(open)
    rig.clock.advance(2 * 86_400_000)
    await becomes(expiring, over)
    await becomes(later, open)
    await rig.as(owner(later.ownerId)).stopMandate({ public_id: later.publicId })
    rig.clock.advance(600_000)
    await becomes(later, over)
  })
})
