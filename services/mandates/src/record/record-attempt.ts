import type { RevertedAttempt } from '@svc/contracts/chain-indexer/attempts'
import { usdcText } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import { dataMember } from '#books/rules/called-data.ts'
import { appendEntry } from './append-entry.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { insertRefusal, proveRefusal, refusalOfTransaction } from './store/refusals.ts'

/**
 * Puts a call that the vault refused on the chain into the record of a locked mandate, once for each transaction, also
 * where the agent told of it. What is known by a revision at least as high changes nothing. `data` is the calldata of the call,
 * where its transaction shows it.
 */
export async function recordAttempt(
  tx: Tx,
  mandate: Mandate,
  attempt: RevertedAttempt,
  now: Date,
  data: string | null = null,
): Promise<void> {
  const { kind, revision, canonical } = attempt
  if (attempt.outcome !== 'refusal' || kind === null) return
  const txHash = attempt.tx_hash.toLowerCase()
  const known = await refusalOfTransaction(tx, mandate.id, txHash)
  if (known !== null && known.revision >= revision) return
  const told = { at: now, source: 'chain', txHash } as const
  const at = new Date(attempt.block_time)
  if (known === null) {
    if (!canonical) return
    const refusal = {
      mandateId: mandate.id,
      kind,
      code: null,
      source: 'chain',
      txHash,
      callHash: null,
      revision,
      at,
    } as const
    await insertRefusal(tx, refusal)
    await factsChanged(tx, mandate, at)
    await appendEntry(tx, mandate, {
      ...told,
      kind: 'refused',
      body: {
        kind,
        evidence: attempt.evidence,
        target: attempt.target,
        selector: attempt.selector,
        ...dataMember(data),
        amount_usdc: usdcText(BigInt(attempt.approve_amount)),
        block_number: attempt.block_number,
        block_time: attempt.block_time,
      },
    })
    return
  }
  // What an agent said is not taken back by the loss of a proof that nobody saw.
  if (known.source !== 'chain' && !canonical) return
  await proveRefusal(tx, known.id, kind, revision, canonical)
  await factsChanged(tx, mandate, at)
  if (known.source !== 'chain')
    await appendEntry(tx, mandate, { ...told, kind: 'refusal_proved', body: { kind, evidence: attempt.evidence } })
  else if (known.canonical !== canonical)
    await appendEntry(tx, mandate, {
      ...told,
      kind: canonical ? 'refusal_restored' : 'refusal_withdrawn',
      body: { kind, revision },
    })
}
