import { subscriptions } from '@svc/contracts/subscriptions'
import { emitAll, type Emission, type Tx } from '@svc/postgres'
import { openAccount } from '#ledger/move-cherry.ts'
import { balanceOf } from '#ledger/store/ledger.ts'
import { addSpent } from '#ledger/store/spending.ts'
import { shareOf } from './rules/share.ts'
import { endHeld } from './store/held-cherry.ts'
import { insertPaid, itemsOf, paidAmong, storeEnd, type Hold } from './store/holds.ts'
import { endOnDay } from './store/spending-days.ts'

/** How an open hold ends: the items that are charged, unless they were paid for meanwhile; the rest goes back. */
export interface End {
  readonly state: 'captured' | 'released' | 'expired'
  /** What was read; empty unless captured. */
  readonly resources: readonly string[]
  /** What the account, whose spending is locked, has spent before. */
  readonly spentBefore: number
  readonly at: Date
}

/** A hold with what it paid for. */
export interface EndedHold extends Hold {
  readonly resources: readonly string[]
}

/** Ends an open hold, the only writer of an end: ledger, payment, day and state in one transaction. Returns how it ended. */
export async function endHold(tx: Tx, hold: Hold, { state, resources, spentBefore, at }: End): Promise<EndedHold> {
  const paid = await paidAmong(tx, hold.account_id, resources)
  const wanted = new Set(resources)
  const charged = (await itemsOf(tx, hold.id)).filter(({ resource }) => wanted.has(resource) && !paid.has(resource))
  const captured = charged.reduce((sum, { price }) => sum + price, 0)
  const share = shareOf(captured, spentBefore)
  const back = hold.amount - captured

  // Before any other account is locked, since opening one may wait for somebody else who opens it.
  if ((await balanceOf(tx, hold.seller_id)) === null) await openAccount(tx, hold.seller_id, 'agent', at)
  const moved = await endHeld(tx, hold, { ...share, back }, at)
  if (charged.length > 0) {
    await insertPaid(tx, hold, charged, at)
    await addSpent(tx, hold.account_id, captured)
  }
  await endOnDay(tx, { accountId: hold.account_id, day: hold.day }, { held: hold.amount, captured })
  await storeEnd(tx, hold.id, { state, captured, at })
  const gains = {
    seller: { account_id: hold.seller_id, amount: share.seller },
    back: { account_id: hold.account_id, amount: back },
  }
  const emissions = moved.flatMap(({ part, transfer_id }): Emission[] => {
    if (part === 'revenue') return []
    const payload = { transfer_id, ...gains[part], kind: 'paid_read', reference: `${part}:${hold.id}` }
    return [{ event: subscriptions.events.cherryMoved, payload }]
  })
  await emitAll(tx, emissions)
  return { ...hold, state, captured, resources: charged.map(({ resource }) => resource) }
}
