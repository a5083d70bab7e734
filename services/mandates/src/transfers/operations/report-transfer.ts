import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { deliverTransaction, walletsOf } from '../deliver-transaction.ts'
import { unitsOf } from '../rules/decimal.ts'
import { countUndelivered, insertTransfer, lockTransfers, reportedTransfers, sameTransfer } from '../store/transfers.ts'
import { transferView } from '../transfer-view.ts'
import { transferReported } from '@svc/contracts/mandates/transfers'

const USDC_DECIMALS = 6
/** Greatest amount of USDC, which is what a vault can count. */
const USDC_UNITS_END = 2n ** 128n
/** Decimals of amounts of assets that are not read on the chain: the most that the API accepts. */
const UNREAD_DECIMALS = 18

/** Greatest number of transfers of an agent that are searched on the chain at the same time. */
const UNDELIVERED_MAX = 50
const hourBefore = (now: Date) => new Date(now.getTime() - 3_600_000)

/** Returns the stored form of an asset: an address in lower case, or a symbol. */
const assetName = (asset: string) => (asset.startsWith('0x') ? asset.toLowerCase() : asset)

export const reportTransfer: BoundHandler<Context, typeof mandates.operations.reportTransfer> =
  (context) => async (input, call) => {
    const { deployment, chainClient, agentsClient, pool } = context
    if (callerOf(call).account_id !== input.agent_id) refuse(notYourAgent)
    const usdc = deployment.usdc?.toLowerCase() ?? null
    const isUsdc =
      input.chain_id === deployment.chainId &&
      usdc !== null &&
      (input.asset.toUpperCase() === 'USDC' || input.asset.toLowerCase() === usdc)
    const decimals = isUsdc ? USDC_DECIMALS : UNREAD_DECIMALS
    const amount = unitsOf(input.amount, decimals)
    const wrong = (code: string, detail: string) =>
      refuse(common.invalidRequest, undefined, {}, [{ pointer: '/amount', code, detail }])
    if (amount === null) return wrong('too_many_decimals', 'USDC has at most 6 decimals')
    if (isUsdc && amount >= USDC_UNITS_END) return wrong('too_large', 'must be below 2^128 base units of USDC')
    const txHash = input.tx_hash.toLowerCase()
    // chain-indexer watches a limited number of transactions: those that do not exist must not delay the others.
    if (isUsdc && (await countUndelivered(pool, input.agent_id, hourBefore(call.now))) >= UNDELIVERED_MAX)
      refuse(
        common.rateLimited,
        `At most ${UNDELIVERED_MAX} transfers of an agent that were reported within an hour are looked for.`,
        { fix: 'Report it again once GET /hub/agents/{agent_id}/activity shows an earlier one as delivered.' },
      )
    const watched = isUsdc && (await chainClient.watchTransaction(txHash))
    const reason = watched
      ? 'waiting_for_chain'
      : input.chain_id === deployment.chainId && !isUsdc
        ? 'asset_not_read'
        : 'chain_not_read'
    const report = {
      agent_id: input.agent_id,
      chain_id: input.chain_id,
      asset: isUsdc ? 'USDC' : assetName(input.asset),
      amount,
      decimals,
      tx_hash: txHash,
      direction: input.direction,
      reason,
      eta_at:
        input.eta_seconds === undefined ? null : new Date(call.now.getTime() + input.eta_seconds * 1000).toISOString(),
      reported_at: call.now.toISOString(),
    } as const
    // Asked here first, so that a chain that does not answer is waited for without lock or connection.
    if (watched) await chainClient.readTransaction(txHash, call.deadline)
    const wallets = watched
      ? await walletsOf(agentsClient, [report, ...(await reportedTransfers(pool, input.chain_id, txHash))])
      : new Map<number, null>()
    return call.effect(async (tx) => {
      if (watched) await lockTransfers(tx, input.chain_id, txHash)
      // What is confirmed already is not told of again, and what is told now waits for the lock.
      const transaction = watched ? await chainClient.readTransaction(txHash, call.deadline) : null
      const stored = await insertTransfer(tx, report)
      if (stored === null) {
        const known = await sameTransfer(tx, report)
        refuse(transferReported, undefined, { transfer_id: known?.id ?? 0 })
      }
      if (transaction?.confirmed === true)
        await deliverTransaction(tx, transaction, await reportedTransfers(tx, input.chain_id, txHash), wallets)
      const transfer = (await sameTransfer(tx, report)) ?? stored
      return ok(201, { ok: true as const, transfer: transferView(transfer) })
    })
  }
