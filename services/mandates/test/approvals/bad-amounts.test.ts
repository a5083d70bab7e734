import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, buyCall, CHAIN_ID, owner, startSeededRig, txHash, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'

let mandate: TestMandate
const rig = opened(() => startSeededRig())
beforeAll(async () => {
  mandate = await rig.newMandate()
})

const AMOUNTS: readonly (readonly [string, unknown])[] = [
  ['too many decimals', '1.0000001'],
  ['a sign', '-1'],
  ['a plus', '+1'],
  ['an exponent', '1e3'],
  ['2^128 base units', '340282366920938463463374607431768.211456'],
  ['a comma', '1,5'],
  ['leading zeros', '007'],
  ['a hex number', '0x10'],
  ['no digits', ''],
  ['spaces', ' 1 '],
  ['digits of another script', '１２'],
  ['not a number', 'NaN'],
  ['a JSON number', 1],
]

const operations = (amount: never): Readonly<Record<string, readonly [string, () => Promise<unknown>]>> => {
  const [public_id, tx_hash, occurred_at] = [mandate.publicId, txHash(), rig.clock.now().toISOString()]
  const [asOwner, asAgent] = [rig.as(owner(11)), rig.as(agent(21))]
  const transfer = { agent_id: 21, chain_id: CHAIN_ID, asset: 'USDC', tx_hash, direction: 'in' as const }
  const call = { public_id, target: VENUE, data: buyCall(1) }
  const report = { public_id, kind: 'OverPerTxCap' as const, occurred_at }
  return {
    planFunding: ['amount_usdc', () => asOwner.planFunding({ public_id, amount_usdc: amount })],
    recordVaultTransaction: [
      'amount_usdc',
      () => asOwner.recordVaultTransaction({ public_id, kind: 'deposit', tx_hash, amount_usdc: amount }),
    ],
    prepareExecution: ['approve_amount_usdc', () => asAgent.prepareExecution({ ...call, approve_amount_usdc: amount })],
    simulateExecution: ['amount_usdc', () => asAgent.simulateExecution({ ...call, amount_usdc: amount })],
    reportEvent: [
      'amount_usdc',
      () => asAgent.reportEvent({ public_id, kind: 'buy', occurred_at, amount_usdc: amount }),
    ],
    reportRefusal: ['amount_usdc', () => asAgent.reportRefusal({ ...report, attempted: { amount_usdc: amount } })],
    reportTransfer: ['amount', () => asAgent.reportTransfer({ ...transfer, amount })],
  }
}

test.each(AMOUNTS)(
  'an amount with %s is refused by every operation that takes one, naming the field; nothing is stored',
  async (_what, amount) => {
    const rows = () =>
      rig.pool.one(sql.type(z.record(z.string(), z.number()))`
      SELECT (SELECT count(*) FROM record_entry) AS entries, (SELECT count(*) FROM approval) AS approvals,
        (SELECT count(*) FROM transfer) AS transfers, (SELECT count(*) FROM refusal) AS refusals`)
    const before = await rows()
    for (const [name, [field, call]] of Object.entries(operations(amount as never))) {
      const { status, errors } = (await refusalOf(call())) as { status: number; errors?: { pointer: string }[] }
      expect([name, status]).toEqual([name, 400])
      // A field may break more than one rule.
      expect([name, ...new Set(errors?.map(({ pointer }) => pointer.split('/').at(-1)))]).toEqual([name, field])
    }
    expect(await rows()).toEqual(before)
  },
)
