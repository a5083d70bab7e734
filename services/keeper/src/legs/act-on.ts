import type { Chain } from '@svc/chain'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { RemoteRefusal } from '@svc/service'
import type { Context, Legs } from '#context.ts'
import { queueTransaction } from '#transactions/store/transactions.ts'
import { fundingCall, givingBackCall, isOfFactory, type LegCall } from './chain-calls.ts'
import type { LegAct } from './rules/next-act.ts'

interface Where {
  readonly chain: Chain
  readonly legs: Legs
}

/** Takes a step of a transfer. Returns false if it has to wait. Each step is stored before anything leaves. */
export async function actOn(
  context: Context,
  where: Where,
  transfer: LegTransfer,
  act: LegAct,
  signal: AbortSignal,
): Promise<boolean> {
  switch (act.do) {
    case 'tell':
      return tell(context, transfer, act)
    case 'fund_leg':
      if (transfer.vault !== null && !(await isOfFactory(where.chain, where.legs, transfer.vault, signal)))
        return tell(context, transfer, { event: 'chain_failed', txHash: null, reason: 'other_gateway' })
      return queue(context, where, transfer, fundingCall(where.chain, where.legs, transfer))
    case 'give_back':
      return queue(context, where, transfer, await givingBackCall(where.chain, where.legs, transfer, signal))
    case 'send':
      return sendFromPool(context, where, transfer)
  }
}

async function tell(
  { ask, log }: Context,
  { transfer_id }: LegTransfer,
  { event, txHash, reason }: Pick<Extract<LegAct, { do: 'tell' }>, 'event' | 'txHash' | 'reason'>,
): Promise<boolean> {
  try {
    await ask.legs.advanceLegTransfer({ transfer_id, event, tx_hash: txHash, reason })
    return true
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    // hl-leg learned something else meanwhile; the next run decides on that.
    log.warn({ err: error, transfer_id, event }, 'step of a transfer not possible any more')
    return false
  }
}

async function queue(context: Context, { chain }: Where, transfer: LegTransfer, call: LegCall): Promise<boolean> {
  const { transaction, clock, log } = context
  const { transfer_id, public_id, reason } = transfer
  if (call.from === null) {
    const alarm = call.why === 'pool_low' ? { alarm: 'leg_pool_low' } : {}
    log.error({ ...alarm, transfer_id, public_id, why: call.why }, 'leg money waits: the pool cannot pay')
    if (call.why === 'pool_low' && reason !== 'pool_low')
      await tell(context, transfer, { event: 'chain_failed', txHash: null, reason: 'pool_low' })
    return false
  }
  const account = { chainId: chain.id, sender: call.from }
  return (await transaction((tx) => queueTransaction(tx, account, call.decision, clock.now()))) !== null
}

/** Signs the pool's transfer at the venue and gives the bytes to hl-leg, which stores them before it sends them. */
async function sendFromPool({ ask, log }: Context, { chain, legs }: Where, transfer: LegTransfer): Promise<boolean> {
  const { transfer_id, owner_address, amount_usdc, nonce } = transfer
  if (legs.pool === null || nonce === null) {
    log.error({ transfer_id }, 'leg money waits: HUB_HL_TEST_POOL_KEY is missing')
    return false
  }
  const body = await legs.pool.signSend({
    owner: owner_address as `0x${string}`,
    amountUsdc: amount_usdc,
    nonce,
    signatureChainId: chain.id,
  })
  try {
    await ask.legs.sendPoolTransfer({ transfer_id, body })
    return true
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error
    log.warn({ err: error, transfer_id }, 'transfer of the pool not possible any more')
    return false
  }
}
