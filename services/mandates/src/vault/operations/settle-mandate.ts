import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import * as refusals from '@svc/contracts/mandates/refusals'
import { isOpen, usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { applyFacts } from '../apply-chain.ts'
import { factsOfReceipt } from '../rules/receipt-facts.ts'
import { confirmedReceipt } from '#neighbours/confirmed-receipt.ts'
import type { Context } from '#context.ts'
import { termsFromLimits, secondsOf } from '#limits/engine-terms.ts'
import { moveMandate } from '#states/move-mandate.ts'
import { lockScene } from '#mandate/scene.ts'
import { newestFact } from '#books/store/chain-facts.ts'
import { findMandateOfAnyone } from '#mandate/store/mandates.ts'
import { findEntry } from '#record/store/record.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { stateNow } from '#states/mandate-view.ts'

export const settleMandate: BoundHandler<Context, typeof mandates.operations.settleMandate> =
  (context) => async (input, call) => {
    const { pool } = context
    const found = await findMandateOfAnyone(pool, input.public_id)
    if (found === null) refuse(refusals.unknownMandate)
    const vault = await vaultOfMandate(pool, found.id)
    if (vault === null || !vault.canonical) refuse(refusals.vaultNotAttached)
    const txHash = input.tx_hash?.toLowerCase()
    const receipt = txHash === undefined ? null : await confirmedReceipt(context, txHash, call)
    const facts = receipt?.chain_id === vault.chain_id ? factsOfReceipt(receipt, vault.address) : []
    if (receipt !== null && !facts.some(({ name }) => name === 'Settled')) refuse(refusals.transactionForeign)

    return call.effect(async (tx) => {
      const locked = (await lockScene(tx, vault.chain_id, vault.address)) ?? refuse(refusals.vaultNotAttached)
      const { mandate, vault: newest } = await applyFacts(tx, context, locked, facts, call.now)
      const settled = await newestFact(tx, vault.chain_id, vault.address, 'Settled')
      if (settled === null) {
        if (isOpen(termsFromLimits(mandate), vault.books, secondsOf(call.now)))
          refuse(refusals.mandateNotClosed, undefined, { state: stateNow(mandate, vault, call.now) })
        refuse(refusals.notSettled)
      }
      const fee = usdcText(BigInt(String(settled.args['fee'])))
      const already = (await findEntry(tx, mandate.id, 'settled', settled.txHash)) !== null
      if (!already)
        await appendEntry(tx, mandate, {
          at: call.now,
          kind: 'settled',
          source: 'keeper',
          txHash: settled.txHash,
          body: { fee_usdc: fee, settled_at: settled.blockTime },
        })
      const { state } = await moveMandate(
        tx,
        context,
        { mandate, vault: newest, signed: true },
        { now: call.now, source: 'keeper', txHash: settled.txHash },
      )
      return ok(200, {
        ok: true as const,
        state,
        settled_at: settled.blockTime,
        fee_usdc: fee,
        tx_hash: settled.txHash,
        already,
      })
    })
  }
