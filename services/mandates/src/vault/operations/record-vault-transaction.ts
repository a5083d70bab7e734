import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { nobody, usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { applyFacts } from '../apply-chain.ts'
import { factsOfReceipt } from '../rules/receipt-facts.ts'
import { confirmedReceipt } from '#neighbours/confirmed-receipt.ts'
import type { Context } from '#context.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { lockScene } from '#mandate/scene.ts'
import { findEntry } from '#record/store/record.ts'
import { amountMismatch, transactionForeign, vaultNotAttached } from '@svc/contracts/mandates/refusals'
import type { ChainFact } from '#books/rules/chain-fact.ts'

type Kind = 'stop' | 'pause' | 'resume' | 'withdraw' | 'unwind' | 'deposit'

/** For each kind of transaction: the event that proves it, and the member with the amount that it moved. */
const effects: Readonly<Record<Kind, { readonly is: (fact: ChainFact) => boolean; readonly amount: string | null }>> = {
  // A stop after the stop line has stopped the vault only revokes the agent.
  stop: { is: (fact) => fact.name === 'Stopped' || isRevocation(fact), amount: null },
  pause: { is: isRevocation, amount: null },
  resume: { is: (fact) => fact.name === 'AgentSet' && fact.args['agent'] !== nobody, amount: null },
  withdraw: { is: ({ name }) => name === 'Withdrawn', amount: 'amount' },
  unwind: { is: ({ name }) => name === 'Unwound', amount: 'received' },
  deposit: { is: ({ name }) => name === 'Deposited', amount: 'amount' },
}

function isRevocation({ name, args }: ChainFact): boolean {
  return name === 'AgentSet' && args['agent'] === nobody
}

export const recordVaultTransaction: BoundHandler<Context, typeof mandates.operations.recordVaultTransaction> =
  (context) => async (input, call) => {
    const { vault } = await attachedMandate(context, input.public_id, call)
    const receipt = await confirmedReceipt(context, input.tx_hash.toLowerCase(), call)
    const facts = receipt.chain_id === vault.chain_id ? factsOfReceipt(receipt, vault.address) : []
    const effect = effects[input.kind]
    const seen = facts.find(effect.is)
    if (seen === undefined)
      refuse(transactionForeign, `The transaction holds no ${input.kind} of the vault of this mandate.`)
    const moved = effect.amount === null ? null : usdcText(BigInt(String(seen.args[effect.amount])))
    if (input.amount_usdc !== undefined && moved !== null && usdcUnits(input.amount_usdc) !== usdcUnits(moved))
      refuse(amountMismatch, undefined, { amount_usdc: input.amount_usdc, actual_usdc: moved })
    return call.effect(async (tx) => {
      const scene = (await lockScene(tx, vault.chain_id, vault.address)) ?? refuse(vaultNotAttached)
      const before = scene.mandate
      const known = await findEntry(tx, before.id, 'vault_transaction', seen.txHash)
      if (known === null)
        await appendEntry(tx, before, {
          at: call.now,
          kind: 'vault_transaction',
          source: 'owner',
          txHash: seen.txHash,
          body: { kind: input.kind, amount_usdc: moved, said_amount_usdc: input.amount_usdc ?? null },
        })
      const { mandate } = await applyFacts(tx, context, scene, facts, call.now)
      return ok(200, {
        ok: true as const,
        state: mandate.state,
        kind: input.kind,
        tx_hash: input.tx_hash,
        amount_usdc: moved,
      })
    })
  }
