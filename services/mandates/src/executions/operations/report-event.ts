import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { emit, type Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { Context } from '#context.ts'
import { eventViolation } from '../rules/event-verdict.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import type { RecordJson } from '#record/rules/record-hash.ts'
import { reportedSide } from '../rules/reported-side.ts'
import { termsFromSigned } from '#limits/engine-terms.ts'
import { occurredAt } from '../occurred-at.ts'
import { lockMandateOfCaller } from '#mandate/parties.ts'
import { executionsIn } from '../store/executions.ts'
import { reportJudgingOf } from '#approvals/store/judging.ts'
import { compareReports, insertReportedTrade } from '../store/reported-trades.ts'
import { vaultNotAttached } from '@svc/contracts/mandates/refusals'

/** Of an instant, the characters that name its hour. */
const HOUR_CHARACTERS = 'yyyy-mm-ddThh'.length

export const reportEvent: BoundHandler<Context, typeof mandates.operations.reportEvent> =
  (context) => async (input, call) =>
    call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      const at = occurredAt(input.occurred_at, mandate, call.now)
      mustAgree(input.kind, input.side)
      const { public_id: _id, tx_hash, occurred_at: _at, ...told } = input
      const txHash = tx_hash?.toLowerCase() ?? null
      const amount = input.amount_usdc === undefined ? null : usdcUnits(input.amount_usdc)
      const { known, used, approved, ...stored } = await reportJudgingOf(tx, mandate.id, { at, amount, txHash })
      const terms = termsFromSigned(stored.terms, context.settings.approvalEnabled)
      if (!stored.attached || terms === null) refuse(vaultNotAttached)
      const found = known
        ? await violationOnChain(tx, mandate.id, txHash ?? '')
        : eventViolation(
            { kind: input.kind, side: input.side ?? null, market: input.market ?? null, amount, at },
            {
              limits: mandate.limits,
              used,
              approvalAbove: terms.approvalAbove,
              stoppedInRecordAt: mandate.stoppedInRecordAt,
              approved,
            },
          )

      const contradicts = await compareTrade(tx, mandate, txHash, {
        side: reportedSide({ kind: input.kind, side: input.side ?? null }),
        amount,
      })
      const entry = {
        at: call.now,
        kind: 'event',
        source: 'agent' as const,
        txHash,
        body: {
          ...(told as { readonly [key: string]: RecordJson }),
          occurred_at: at.toISOString(),
          counted: false,
          violation: found !== null,
          ...(contradicts === true ? { contradicts_chain: true } : {}),
          ...(found === null ? {} : { reason: found.reason, clause: found.clause }),
        },
      }
      const seq = await appendEntry(tx, mandate, entry, mandate.record)
      if (found === null)
        return ok(201, {
          ok: true as const,
          seq,
          violation: false as const,
          annotates: known ? txHash : null,
          contradicts_chain: contradicts,
        })
      const violation = { reason: found.reason, tx_hash: txHash, at: call.now.toISOString() }
      // A violation of the chain was told when it was seen there. Of each kind the owner hears once an
      // hour, since an agent may report without end; the record holds them all.
      if (!known) {
        await alertOwner(
          tx,
          context,
          mandate,
          {
            kind: 'reported_violation',
            severity: 'warning',
            text: `The agent of "${mandate.name}" reported something that breaks it. ${found.detail}`,
            about: `${found.reason} ${call.now.toISOString().slice(0, HOUR_CHARACTERS)}`,
          },
          call.now,
        )
        const parties = { public_id: mandate.publicId, owner_id: ownerIdOf(mandate) }
        await emit(tx, mandates.events.violationFound, { ...parties, ...violation })
      }
      return ok(202, {
        ok: true as const,
        seq,
        violation: true as const,
        annotates: known ? txHash : null,
        contradicts_chain: contradicts,
        reason: found.reason,
        clause: found.clause,
        detail: found.detail,
      })
    })

/** A report that says two things could be read either way: as a buy it counts against the caps, as a sale it does not. */
function mustAgree(kind: string, side: string | undefined): void {
  if ((kind === 'buy' && side === 'sell') || (kind === 'sell' && side === 'buy'))
    refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/side', code: 'contradicts_kind', detail: `must be ${kind} as kind is, or be left out` },
    ])
}

/** Whether the chain shows a reported trade otherwise; null for what is no trade, or not known from the chain. */
async function compareTrade(
  tx: Tx,
  mandate: Mandate,
  txHash: string | null,
  { side, amount }: { readonly side: 'buy' | 'sell' | null; readonly amount: bigint | null },
): Promise<boolean | null> {
  if (txHash === null || side === null) return null
  const seq = mandate.record.seq + 1
  await insertReportedTrade(tx, mandate.id, { seq, txHash, side, amount })
  return (await compareReports(tx, mandate.id, txHash)).get(seq) ?? null
}

/** What the chain has shown of a transaction that broke the mandate; null for one that did not. */
async function violationOnChain(tx: Tx, mandateId: number, txHash: string) {
  const executions = await executionsIn(tx, mandateId, txHash)
  const bad = executions.find(({ verdict }) => verdict === 'violation')
  if (bad === undefined) return null
  return {
    reason: bad.reason ?? 'violation',
    clause: bad.reason === 'unapproved_execution' ? (6 as const) : null,
    detail: 'The chain shows that this transaction broke the mandate.',
  }
}
