import { prepare } from '@svc/chain'
import { RemoteRefusal } from '@svc/service'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keeper, type TestChain } from '../chain-peer.ts'
import { AGENT, bot, me, ownerActs, startOnChain, wallet } from '../owner-acts.ts'
import { bodyAt, keeperCaller, type LifeRig } from '../rigs/life-rig.ts'

let chain: TestChain
let rig: LifeRig
const { syncClock, drafted, signed, attached, sent, report, working, vaultOf } = ownerActs(() => ({ chain, rig }))

beforeAll(async () => {
  ;({ chain, rig } = await startOnChain())
})
afterAll(async () => {
  await rig.stop()
  await chain.stop()
})

const STATES = ['draft', 'signed', 'attached', 'working', 'paused', 'stopped', 'ended', 'closed'] as const

/**
 * What each operation answers in each state: `ok`, `call` where a call comes, the reason where none does, or the code of
 * its refusal. `attached` is signed with a vault that holds nothing yet.
 */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  correctMandate: [
    'ok',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
  ],
  assignAgent: [
    'ok',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
    'hub_mandate_not_draft',
  ],
  acceptMandate: ['ok', 'ok', 'ok', 'ok', 'ok', 'hub_wrong_state', 'hub_wrong_state', 'hub_wrong_state'],
  readTerms: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  signTerms: [
    'hub_terms_changed',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
  ],
  prepareCreation: [
    'hub_wrong_state',
    'call',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
  ],
  attachVault: [
    'hub_wrong_state',
    'hub_transaction_unknown',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
    'hub_vault_attached',
  ],
  planFunding: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'ok',
    'ok',
    'ok',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
  ],
  preparePause: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'call',
    'call',
    'no_agent_acts',
    'no_agent_acts',
    'call',
    'no_agent_acts',
  ],
  prepareResume: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'hub_wrong_state',
    'hub_wrong_state',
    'call',
    'hub_wrong_state',
    'hub_wrong_state',
    'hub_wrong_state',
  ],
  prepareStop: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'call',
    'call',
    'call',
    'already_stopped',
    'call',
    'already_stopped',
  ],
  prepareWithdrawal: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'open',
    'open',
    'open',
    'call',
    'settle_grace',
    'call',
  ],
  prepareUnwind: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'hub_mandate_not_closed',
    'hub_mandate_not_closed',
    'hub_mandate_not_closed',
    'call',
    'call',
    'call',
  ],
  planClosing: ['hub_vault_not_attached', 'hub_vault_not_attached', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  prepareExecution: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'hub_mandate_refuses',
    'call',
    'hub_mandate_refuses',
    'hub_mandate_refuses',
    'hub_mandate_refuses',
    'hub_mandate_refuses',
  ],
  simulateExecution: ['hub_vault_not_attached', 'hub_vault_not_attached', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  reportEvent: ['hub_vault_not_attached', 'hub_vault_not_attached', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  reportRefusal: ['hub_vault_not_attached', 'hub_vault_not_attached', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  recordVaultTransaction: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'hub_transaction_unknown',
    'hub_transaction_unknown',
    'hub_transaction_unknown',
    'hub_transaction_unknown',
    'hub_transaction_unknown',
    'hub_transaction_unknown',
  ],
  decideApproval: Array.from({ length: 8 }, () => 'hub_unknown_approval'),
  ...Object.fromEntries(
    ['readMandate', 'readRecord', 'readLive', 'readWorthSeries', 'listApprovals'].map((read) => [
      read,
      Array.from({ length: 8 }, () => 'ok'),
    ]),
  ),
  settleMandate: [
    'hub_vault_not_attached',
    'hub_vault_not_attached',
    'hub_mandate_not_closed',
    'hub_mandate_not_closed',
    'hub_mandate_not_closed',
    'hub_not_settled',
    'hub_not_settled',
    'ok',
  ],
  readStatement: ['hub_wrong_state', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  exportMandate: ['hub_wrong_state', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  exportRecord: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  stopMandate: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'hub_wrong_state'],
}

function operationsOn(public_id: string): Readonly<Record<string, () => Promise<object>>> {
  const target = chain.deployment.contracts.venue.address
  const [owner, acting] = [rig.as(me), rig.as(bot)]
  const occurred_at = rig.clock.now().toISOString()
  return {
    correctMandate: () => owner.correctMandate({ ...bodyAt(rig, { agent_id: AGENT }), public_id } as never),
    assignAgent: () => owner.assignAgent({ public_id, agent_id: AGENT }),
    acceptMandate: () => acting.acceptMandate({ public_id }),
    readTerms: () => owner.readTerms({ public_id }),
    signTerms: () => owner.signTerms({ public_id, terms_hash: `0x${'1'.repeat(64)}`, signature: '0x1234' }),
    prepareCreation: () => owner.prepareCreation({ public_id }),
    attachVault: () => owner.attachVault({ public_id, tx_hash: `0x${'ab'.repeat(32)}` }),
    planFunding: () => owner.planFunding({ public_id, amount_usdc: '1' }),
    preparePause: () => owner.preparePause({ public_id }),
    prepareResume: () => owner.prepareResume({ public_id }),
    prepareStop: () => owner.prepareStop({ public_id }),
    prepareWithdrawal: () => owner.prepareWithdrawal({ public_id }),
    prepareUnwind: () => owner.prepareUnwind({ public_id, target, data: '0x7f8f0641' }),
    planClosing: () => owner.planClosing({ public_id }),
    prepareExecution: () =>
      acting.prepareExecution({ public_id, target, data: '0xfc18d034', approve_amount_usdc: '1' }),
    simulateExecution: () => acting.simulateExecution({ public_id, market: 'testvenue', amount_usdc: '1' }),
    reportEvent: () => acting.reportEvent({ public_id, kind: 'note', occurred_at }),
    reportRefusal: () => acting.reportRefusal({ public_id, kind: 'OverPerTxCap', attempted: {}, occurred_at }),
    recordVaultTransaction: () =>
      owner.recordVaultTransaction({ public_id, kind: 'stop', tx_hash: `0x${'ab'.repeat(32)}` }),
    decideApproval: () =>
      owner.decideApproval({ public_id, approval_id: `apr_${'0'.repeat(32)}`, decision: 'approve' }),
    readMandate: () => acting.readMandate({ public_id }),
    readRecord: () => acting.readRecord({ public_id }),
    readLive: () => owner.readLive({ public_id }),
    readWorthSeries: () => owner.readWorthSeries({ public_id, window: '7d' }),
    listApprovals: () => acting.listApprovals({ public_id }),
    settleMandate: () => rig.as(keeperCaller).settleMandate({ public_id }),
    readStatement: () => owner.readStatement({ public_id }),
    exportMandate: () => owner.exportMandate({ public_id, standard: 'ap2' }),
    exportRecord: () => owner.exportRecord({ public_id }),
    // Last, as it moves the mandate.
    stopMandate: () => owner.stopMandate({ public_id }),
  }
}

/** A mandate that came to a state by its own transactions. */
async function mandateIn(state: (typeof STATES)[number]): Promise<string> {
  switch (state) {
    case 'draft':
      return drafted()
    case 'signed':
      return signed()
    case 'attached':
      return attached()
    case 'working':
      return working()
    case 'paused': {
      const public_id = await working()
      const { call } = await rig.as(me).preparePause({ public_id })
      await report(public_id, 'pause', await sent(wallet, call))
      return public_id
    }
    case 'stopped': {
      const public_id = await working()
      const { call } = await rig.as(me).prepareStop({ public_id })
      await report(public_id, 'stop', await sent(wallet, call))
      return public_id
    }
    case 'closed': {
      const public_id = await mandateIn('stopped')
      const { call } = await rig.as(me).prepareWithdrawal({ public_id })
      await report(public_id, 'withdraw', await sent(wallet, call))
      const settle = prepare(chain.chain.id)
        .vault(await vaultOf(public_id))
        .settle()
      const tx_hash = await sent(keeper as LocalAccount, settle)
      await rig.as(keeperCaller).settleMandate({ public_id, tx_hash })
      return public_id
    }
    case 'ended': {
      const ends_at = new Date(((await chain.anvil.now()) + 7_200) * 1_000).toISOString()
      const public_id = await working({ ends_at })
      await chain.anvil.travel(7_200)
      await syncClock()
      return public_id
    }
  }
}

const outcomeOf = async (call: () => Promise<object>): Promise<string> => {
  try {
    const answer = (await call()) as { call?: object | null; reason?: string }
    return answer.call === undefined ? 'ok' : answer.call === null ? String(answer.reason) : 'call'
  } catch (error) {
    if (error instanceof RemoteRefusal) return error.body.code
    throw error
  }
}

test.each(STATES)(
  'in the state %s every operation does what the table says, and is refused as declared',
  async (state) => {
    const public_id = await mandateIn(state)
    const shown = state === 'attached' ? 'signed' : state
    expect((await rig.as(me).readMandate({ public_id })).state).toBe(shown)
    const found: Record<string, string> = {}
    for (const [name, call] of Object.entries(operationsOn(public_id))) found[name] = await outcomeOf(call)
    const column = STATES.indexOf(state)
    expect(found).toEqual(Object.fromEntries(Object.entries(EXPECTED).map(([name, row]) => [name, row[column]])))
    const after = (await rig.as(me).readMandate({ public_id })).state
    expect(after).toBe(state === 'closed' ? 'closed' : 'stopped')
  },
)
