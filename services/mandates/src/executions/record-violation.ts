import { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import { emit, type Tx } from '@svc/postgres'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { LocalContext } from '#context.ts'
import { ownerIdOf, type Mandate } from '#mandate/rules/mandate.ts'
import type { Execution, ViolationReason } from './rules/execution.ts'

/** Records an execution that broke the mandate, alerts the owner and publishes `violationFound`. */
export async function recordViolation(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  { execution, reason, now }: { readonly execution: Execution; readonly reason: ViolationReason; readonly now: Date },
): Promise<void> {
  const amount = usdcText(execution.approved)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'violation',
    source: 'server',
    txHash: execution.txHash,
    body: {
      reason,
      clause: reason === 'unapproved_execution' ? 6 : null,
      amount_usdc: amount,
      target: execution.target,
      selector: execution.selector,
      log_ordinal: execution.logOrdinal,
    },
  })
  await alertOwner(
    tx,
    context,
    mandate,
    {
      kind: reason,
      severity: 'critical',
      text:
        reason === 'unapproved_execution'
          ? `The agent of "${mandate.name}" executed a call of ${amount} USDC without your approval.`
          : `The agent of "${mandate.name}" executed a call of ${amount} USDC after you stopped the mandate. Stop the vault on the chain.`,
      about: `${execution.txHash}:${execution.logOrdinal}`,
    },
    now,
  )
  await emit(tx, mandates.events.violationFound, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    reason,
    tx_hash: execution.txHash,
    at: now.toISOString(),
  })
}
