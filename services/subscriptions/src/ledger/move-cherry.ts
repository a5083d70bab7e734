import { subscriptions } from '@svc/contracts/subscriptions'
import { WELCOME_CHERRY } from '@svc/contracts/subscriptions/tiers'
import { emit, type Tx } from '@svc/postgres'
import { balanceOf, openUserAccount, post, type Posted, type Posting } from './store/ledger.ts'

/** Posts a transfer and publishes `cherryMoved`, in one transaction. A replay posts and publishes nothing. */
export async function moveCherry(tx: Tx, posting: Posting): Promise<Posted> {
  const posted = await post(tx, posting)
  if (posted.posted) {
    const { accountId, amount, kind, reference } = posting
    await emit(tx, subscriptions.events.cherryMoved, {
      transfer_id: posted.transfer_id,
      account_id: accountId,
      amount,
      kind,
      reference,
    })
  }
  return posted
}

/**
 * Opens the ledger account of an account: of an agent with the welcome credit, which is posted once, of an owner with
 * nothing. Safe to repeat.
 */
export async function openAccount(tx: Tx, accountId: number, kind: 'agent' | 'owner', at: Date): Promise<void> {
  if (kind === 'owner') return openUserAccount(tx, accountId)
  await moveCherry(tx, {
    key: `welcome:${accountId}`,
    kind: 'welcome',
    accountId,
    amount: WELCOME_CHERRY,
    reference: 'registration',
    at,
  })
}

/** Returns the balance of an account; opens its ledger account if there is none. */
export async function openedBalance(tx: Tx, accountId: number, kind: 'agent' | 'owner', at: Date): Promise<number> {
  const balance = await balanceOf(tx, accountId)
  if (balance !== null) return balance
  await openAccount(tx, accountId, kind, at)
  return (await balanceOf(tx, accountId)) ?? 0
}
