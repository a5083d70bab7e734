import { prepare } from '@svc/chain'
import { openPool, sql } from '@svc/postgres'
import { isOutage } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { judgeExecuted, lookAtExecution } from '#executions/judge-execution.ts'
import { lockScene } from '#mandate/scene.ts'
import { storeFact } from '#books/store/chain-facts.ts'
import {
  agent,
  buyCall,
  CHAIN_ID,
  owner,
  startSeededRig,
  txHash,
  VENUE,
  walletOf,
  type SeededRig,
  type TestMandate,
} from '../rigs/seeded-rig.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'

const rig = opened(() => startSeededRig())

type Clients = ReturnType<SeededRig['as']>

/** Every operation on a mandate, for its owner or its agent. */
function operationsOn({ publicId: public_id }: TestMandate, as: Clients) {
  const [tx_hash, occurred_at] = [txHash(), rig.clock.now().toISOString()]
  const call = { public_id, target: VENUE, data: buyCall(1), approve_amount_usdc: '1' }
  return {
    owner: [
      () => as.readMandate({ public_id }),
      () => as.readTerms({ public_id }),
      () => as.signTerms({ public_id, terms_hash: tx_hash, signature: '0x1234' }),
      () => as.assignAgent({ public_id, agent_id: 21 }),
      () => as.prepareCreation({ public_id }),
      () => as.attachVault({ public_id, tx_hash }),
      () => as.recordVaultTransaction({ public_id, kind: 'stop', tx_hash }),
      () => as.planFunding({ public_id }),
      () => as.preparePause({ public_id }),
      () => as.prepareResume({ public_id }),
      () => as.prepareStop({ public_id }),
      () => as.prepareWithdrawal({ public_id }),
      () => as.planClosing({ public_id }),
      () => as.stopMandate({ public_id }),
      () => as.listApprovals({ public_id }),
      () => as.decideApproval({ public_id, approval_id: `apr_${'0'.repeat(32)}`, decision: 'approve' }),
      () => as.readRecord({ public_id }),
      () => as.exportRecord({ public_id }),
      () => as.readLive({ public_id }),
      () => as.readWorthSeries({ public_id }),
      () => as.readStatement({ public_id }),
      () => as.exportMandate({ public_id, standard: 'ap2' }),
    ],
    agent: [
      () => as.readMandate({ public_id }),
      () => as.acceptMandate({ public_id }),
      () => as.prepareExecution(call),
      () => as.simulateExecution({ public_id, market: 'testvenue', amount_usdc: '1' }),
      () => as.prepareUnwind({ public_id, target: VENUE, data: buyCall(1) }),
      () => as.reportEvent({ public_id, kind: 'note', occurred_at }),
      () => as.reportRefusal({ public_id, kind: 'OverPerTxCap', attempted: {}, occurred_at }),
      () => as.listApprovals({ public_id }),
      () => as.readRecord({ public_id }),
      () => as.exportRecord({ public_id }),
      () => as.readLive({ public_id }),
    ],
  }
}

test('another owner and another agent find no mandate in any operation, and change nothing', async () => {
  const mandate = await rig.newMandate()
  const before = await rig.as(owner(11)).readMandate({ public_id: mandate.publicId })
  for (const call of operationsOn(mandate, rig.as(owner(12))).owner)
    expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'unknown_mandate' })
  for (const call of operationsOn(mandate, rig.as(agent(22))).agent)
    expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'unknown_mandate' })
  expect(await rig.as(owner(11)).readMandate({ public_id: mandate.publicId })).toEqual(before)
})

const entries = async (mandate: TestMandate, kind: string) =>
  (
    await rig.pool.one(sql.type(z.object({ n: z.number() }))`
      SELECT count(*) AS n FROM record_entry WHERE mandate_id = ${mandate.id} AND kind = ${kind}`)
  ).n

async function approved(mandate: TestMandate): Promise<string> {
  const call = { public_id: mandate.publicId, target: VENUE, data: buyCall(1), approve_amount_usdc: '45' }
  const held = await rig.as(agent(21)).prepareExecution(call)
  if (!('approval' in held)) throw new Error('the call was not held')
  const { approval_id } = held.approval
  await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
  return approval_id
}

test('the approval of one mandate serves no other, of the same owner, agent and call', async () => {
  const [mine, other] = [await rig.newMandate(), await rig.newMandate()]
  const approval_id = await approved(mine)
  await rig.tell({ vault: other.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() })
  await eventually(async () => (await entries(other, 'violation')) === 1)
  const { items } = await rig.as(owner(11)).listApprovals({ public_id: mine.publicId, approval_id })
  expect(items[0]).toMatchObject({ status: 'approved', used_tx_hash: null })
  // In the other mandate the same call is held again.
  const call = { public_id: other.publicId, target: VENUE, data: buyCall(1), approve_amount_usdc: '45' }
  expect(await rig.as(agent(21)).prepareExecution(call)).toMatchObject({ code: 'pending_approval' })
})

test('of 50 executions judged at the same time over 50 connections one uses the approval', async () => {
  const mandate = await rig.newMandate()
  const approval_id = await approved(mandate)
  const pool = await openPool(rig.stack.databaseOf('mandates').url, { size: 50 })
  const { data } = prepare(CHAIN_ID)
    .vault(getAddress(mandate.vault))
    .execute({ target: VENUE, data: buyCall(1), approveAmount: 45_000_000n })
  const judging: Pick<Context, 'pool' | 'clock' | 'settings' | 'alerts' | 'chainClient'> = {
    pool: rig.pool,
    clock: rig.clock,
    settings: { approvalEnabled: true } as Context['settings'],
    alerts: { linkTo: () => 'https://example.com/' } as unknown as Context['alerts'],
    chainClient: { readTransaction: async () => ({ input: data }) } as unknown as Context['chainClient'],
  }
  const at = rig.clock.now()
  const factOf = (n: number): ChainFact => ({
    chainId: CHAIN_ID,
    txHash: txHash(),
    logOrdinal: 0,
    logIndex: n,
    vault: mandate.vault.toLowerCase(),
    name: 'Executed',
    args: {
      agent: walletOf(21),
      target: VENUE,
      selector: buyCall(1).slice(0, 10),
      approved: '45000000',
      spent: '45000000',
      received: '0',
      day: String(Math.floor(at.getTime() / 86_400_000)),
      usedToday: '45000000',
    },
    blockNumber: 100,
    blockHash: txHash(),
    blockTime: at.toISOString(),
    revision: 1,
    canonical: true,
  })
  const judge = async (n: number): Promise<void> => {
    const fact = factOf(n)
    for (;;)
      try {
        const looked = await lookAtExecution(judging, fact)
        return await pool.transaction(async (tx) => {
          const scene = await lockScene(tx, fact.chainId, fact.vault)
          if (scene === null) throw new Error('the vault is attached')
          await storeFact(tx, fact)
          await judgeExecuted(tx, judging as Context, scene, fact, looked)
        })
      } catch (error) {
        // The lock was not had in time: an event is told again.
        if (!isOutage(error)) throw error
      }
  }
  await Promise.all(Array.from({ length: 50 }, (_, n) => judge(n)))
  await pool.end()
  // Judged in another order than that of the chain, it goes on to earlier ones.
  const held = (await entries(mandate, 'approval_used')) - (await entries(mandate, 'approval_released'))
  expect([held, await entries(mandate, 'violation')]).toEqual([1, 49])
  const { items } = await rig.as(owner(11)).listApprovals({ public_id: mandate.publicId, approval_id })
  expect(items[0]).toMatchObject({ status: 'used' })
})
