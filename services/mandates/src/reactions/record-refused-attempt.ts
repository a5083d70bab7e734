import type { chainIndexer } from '@svc/contracts/chain-indexer'
import { usdcText } from '@svc/limits'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import { appendEntry } from '../append-entry.ts'
import type { Context } from '../context.ts'
import { lockMandateById } from '../store/mandates.ts'
import { insertRefusal, proveRefusal, refusalOfTransaction } from '../store/refusals.ts'
import { lockVault } from '../store/vaults.ts'

type Reverted = z.output<typeof chainIndexer.events.attemptReverted.payload>

/** Puts what the vault refused on the chain into the record, once for each transaction, also where the agent told it. */
export const recordRefusedAttempt =
  ({ clock }: Context): Reaction<Reverted> =>
  async (attempt, _meta, tx) => {
    if (attempt.outcome !== 'refusal' || attempt.kind === null) return
    const vault = await lockVault(tx, attempt.chain_id, attempt.vault.toLowerCase())
    if (vault === null) return
    const mandate = await lockMandateById(tx, vault.mandate_id)
    const txHash = attempt.tx_hash.toLowerCase()
    const known = await refusalOfTransaction(tx, mandate.id, txHash)
    if (known !== null && known.revision >= attempt.revision) return
    const { kind, revision, canonical } = attempt
    const told = { at: clock.now(), source: 'chain', txHash } as const
    if (known === null) {
      if (!canonical) return
      const at = new Date(attempt.block_time)
      await insertRefusal(tx, {
        mandateId: mandate.id,
        kind,
        code: null,
        source: 'chain',
        txHash,
        callHash: null,
        revision,
        at,
      })
      await appendEntry(tx, mandate, {
        ...told,
        kind: 'refused',
        body: {
          kind,
          evidence: attempt.evidence,
          target: attempt.target,
          selector: attempt.selector,
          amount_usdc: usdcText(BigInt(attempt.approve_amount)),
          block_number: attempt.block_number,
          block_time: attempt.block_time,
        },
      })
      return
    }
    await proveRefusal(tx, known.id, kind, revision, canonical)
    if (known.source !== 'chain')
      await appendEntry(tx, mandate, { ...told, kind: 'refusal_proved', body: { kind, evidence: attempt.evidence } })
    else if (known.canonical !== canonical)
      await appendEntry(tx, mandate, {
        ...told,
        kind: canonical ? 'refusal_restored' : 'refusal_withdrawn',
        body: { kind, revision },
      })
  }
