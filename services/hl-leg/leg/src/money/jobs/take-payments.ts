import { hlLeg } from '@svc/contracts/hl-leg'
import type { Db } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { isLive } from '#legs/rules/standing.ts'
import { legsById, type Leg } from '#legs/store/legs.ts'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { worthOf } from '#readings/rules/worth.ts'
import { foreignAt, paymentsTo, type PaymentTo, setEffect } from '#readings/store/ledger.ts'
import { readingsOf } from '#readings/store/readings.ts'
import { usdcText } from '@svc/limits'
import { isOver } from '../mandate-of.ts'
import { newTransferId, refOfEntry } from '../move-money.ts'
import { sharePayment } from '../rules/match-ledger.ts'
import { debtsOf, insertDebt, lockDebt } from '../store/debts.ts'
import { insertPayment } from '../store/pool-payments.ts'
import { insertTransfer, lockMoney, transfersOf } from '../store/transfers.ts'

/**
 * Divides payments from owners to the pool that no transfer announced: a debt is paid first, then the leg of a mandate that is
 * over, up to what it owes. The rest is foreign money, which keeper sends back.
 */
export const takePayments =
  (context: Context): Job =>
  async () => {
    const { pool, settings, mandates } = context
    if (settings.poolAddress === null) return { done: 0 }
    const found = await paymentsTo(pool, settings.poolAddress, hlLeg.jobs.takePayments.max)
    if (found.length === 0) return { done: 0 }
    const ids = [...new Set(found.map(({ publicId }) => publicId))]
    const legs = new Map((await legsById(pool, ids)).map((leg) => [leg.publicId, leg]))
    const answer = await mandates.listLegMandates({ public_ids: ids })
    const over = new Set(answer.mandates.filter(isOver).map(({ public_id }) => public_id))
    let done = 0
    for (const payment of found) {
      const leg = legs.get(payment.publicId)
      const mandate = answer.mandates.find(({ public_id }) => public_id === payment.publicId)
      if (leg === undefined || mandate === undefined) continue
      if (await take(context, { leg, payment, isOver: over.has(payment.publicId), vault: mandate.vault })) done += 1
    }
    return { done }
  }

interface Paid {
  readonly leg: Leg
  readonly payment: PaymentTo
  readonly isOver: boolean
  readonly vault: { readonly address: string; readonly chain_id: number } | null
}

async function take(context: Context, { leg, payment, isOver: mayReturn, vault }: Paid): Promise<boolean> {
  const { pool, clock, log } = context
  const now = clock.now()
  const amount = usdcUnitsDown(payment.usdc)
  return pool.transaction(async (tx) => {
    await lockMoney(tx, leg.publicId)
    const rows = await transfersOf(tx, [leg.publicId])
    const ended = rows.some(({ last, state }) => last && state !== 'void' && state !== 'refused' && state !== 'planned')
    const takes = mayReturn && !ended && vault !== null && isLive(leg.state)
    const owed = takes ? await owedBy(tx, context, leg) : null
    await lockDebt(tx, leg.network, leg.owner)
    const debt = (await debtsOf(tx, leg.network, [leg.owner])).get(leg.owner) ?? 0n
    const { toDebt, toLeg, foreign: rest } = sharePayment(amount, debt, owed)
    const { network, owner, publicId } = leg
    const [venue_hash, venue_at] = [payment.hash, payment.at]
    const row = {
      network,
      venue_hash,
      public_id: publicId,
      owner_address: owner,
      to_debt: toDebt,
      to_leg: toLeg,
      rest,
      venue_at,
    }
    if (!(await insertPayment(tx, row))) return false
    // The effect of the entry contains the fee of the payer, which stays foreign.
    await setEffect(tx, payment, (taken) => usdcUnitsDown(taken) + toDebt + toLeg)
    if (toDebt > 0n)
      await insertDebt(
        tx,
        { network, owner, publicId, cause: 'payment', amount: -toDebt, transferId: null, venueHash: venue_hash },
        now,
      )
    if (toLeg > 0n && vault !== null)
      await insertTransfer(
        tx,
        {
          transfer_id: newTransferId(),
          public_id: publicId,
          kind: 'payment',
          network,
          owner_address: owner,
          chain_id: vault.chain_id,
          vault: vault.address,
          amount: toLeg,
          // keeper ends the leg once a reading that is explained shows that nothing is owed.
          last: false,
          ref: refOfEntry(venue_hash),
          venue_hash,
          venue_at,
        },
        now,
      )
    const text = (units: bigint) => usdcText(units)
    log.info(
      { public_id: publicId, to_debt_usdc: text(toDebt), to_leg_usdc: text(toLeg), rest_usdc: text(rest) },
      'a payment to the pool that no transfer announced was divided',
    )
    return true
  })
}

/** What the leg owed before the payment: its equity, in which the payment, still counted as foreign, changes nothing. */
async function owedBy(db: Db, { settings }: Context, { publicId }: Leg): Promise<bigint | null> {
  const [reading] = await readingsOf(db, [publicId])
  if (reading === undefined) return null
  const known = (await foreignAt(db, new Map([[publicId, reading.readAt]]))).get(publicId)
  if (known === undefined) return null
  return worthOf(reading, usdcUnitsDown(known), settings.exitBps).equity
}
