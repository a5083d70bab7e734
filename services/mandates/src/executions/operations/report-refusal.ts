import { ok, refuse } from '@svc/contract'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { callerOf, type BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { receiptProof } from '../rules/receipt-proof.ts'
import { judgeCall } from '#approvals/judge-call.ts'
import { occurredAt } from '../occurred-at.ts'
import { mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { callFor, reportedBlock } from '../reported-refusal.ts'
import { insertRefusal, proveRefusal, refusalOfTransaction } from '#record/store/refusals.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { vaultNotAttached } from '@svc/contracts/mandates/refusals'
import type { RefusalBlockView, RefusalKindName } from '@svc/contracts/mandates/verdict'

type Source = RefusalBlockView['source']

export const reportRefusal: BoundHandler<Context, typeof mandates.operations.reportRefusal> =
  (context) => async (input, call) => {
    const seen = await mandateOfCaller(context.pool, input.public_id, call)
    const vault = await vaultOfMandate(context.pool, seen.id)
    if (vault === null || seen.agent === null) refuse(vaultNotAttached)
    const at = occurredAt(input.occurred_at, seen, call.now)
    const txHash = input.tx_hash?.toLowerCase() ?? null
    const { target = null, market = null, amount_usdc } = input.attempted
    const attempted = { target, market, amount: amount_usdc === undefined ? null : usdcUnits(amount_usdc) }
    // Asked before the transaction begins, so that no lock waits for the chain.
    const transaction: ChainTransaction | null =
      txHash === null ? null : await context.chainClient.readTransaction(txHash, call.deadline)
    const proof = receiptProof(txHash, transaction, { vault: vault.address, agent: seen.agent.wallet })

    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      const meant = callFor(attempted, await newestTerms(tx, mandate.id))
      const judged = await judgeCall(tx, context, mandate, meant, call.now)
      if (judged === null) refuse(vaultNotAttached)
      const answerOf = (kind: RefusalKindName, source: Source) => ({
        kind,
        source,
        refusal: reportedBlock(judged, attempted, kind, source),
      })
      const known = txHash === null ? null : await refusalOfTransaction(tx, mandate.id, txHash)
      if (known !== null) {
        if (proof.kind !== null && known.source !== 'chain') {
          await proveRefusal(tx, known.id, proof.kind, 0, true)
          await factsChanged(tx, mandate, at)
        }
        const kind = proof.kind ?? (known.kind as RefusalKindName)
        const source = proof.kind === null ? (known.source as Source) : 'chain'
        return ok(200, { ok: true as const, refusal_id: known.id, already: true as const, ...answerOf(kind, source) })
      }
      const kind = proof.kind ?? input.kind
      const source = proof.kind === null ? 'agent' : 'chain'
      const stored = await insertRefusal(tx, {
        mandateId: mandate.id,
        kind,
        code: null,
        source,
        txHash,
        callHash: null,
        at,
      })
      if (stored === null) throw new Error('a refusal of a locked mandate appeared meanwhile')
      await factsChanged(tx, mandate, at)
      await appendEntry(tx, mandate, {
        at: call.now,
        kind: 'refused',
        source,
        txHash,
        body: {
          kind,
          reported_by: callerOf(call).account_id,
          reported_kind: input.kind,
          proof: proof.proof,
          occurred_at: at.toISOString(),
          attempted: { ...input.attempted } as { readonly [key: string]: string },
          note: input.note ?? null,
        },
      })
      return ok(201, { ok: true as const, refusal_id: stored.id, proof: proof.proof, ...answerOf(kind, source) })
    })
  }
