import { ok, refuse, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { mandateBudgetExceeded } from '@svc/contracts/subscriptions/holds'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import type { Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import type { Context, Payer } from '#context.ts'
import { moveCherry, openedBalance } from '#ledger/move-cherry.ts'
import { balanceOf, Overdraft } from '#ledger/store/ledger.ts'
import { lockSpending } from '#ledger/store/spending.ts'
import { newId } from '#new-id.ts'
import { endHold } from '../end-hold.ts'
import { budgetRefusal, dayOf } from '../rules/budget.ts'
import { holdAccount } from '../store/held-cherry.ts'
import {
  capturedByKey,
  dueHoldsOf,
  insertHold,
  itemsOf,
  openHoldOfKey,
  paidAmong,
  type Hold,
  type Item,
} from '../store/holds.ts'
import { holdOnDay, spentOn } from '../store/spending-days.ts'

type Operation = typeof subscriptions.operations.placeHold
type Input = InputOf<Operation>

/** Carries the answer of a dry run out of its transaction, which rolls back. */
class DryRun extends Error {
  override readonly name = 'DryRun'
  readonly answer: Awaited<ReturnType<typeof judgeAndStore>>
  constructor(answer: DryRun['answer']) {
    super('a dry run writes nothing')
    this.answer = answer
  }
}

export const placeHold: BoundHandler<Context, Operation> = (context) => async (input, call) => {
  const { account_id: accountId, items } = input
  const [party, payer] = await Promise.all([context.partyOf(input.seller_id), context.payerOf(accountId)])
  if (party.includes(accountId))
    return ok(200, {
      hold: null,
      due: 0,
      captured: 0,
      items: items.map(({ resource }) => ({ resource, status: 'free' as const })),
    })
  try {
    return await call.effect(async (tx) => {
      const answer = await judgeAndStore(context, tx, { input, payer, now: call.now })
      if (input.dry_run) throw new DryRun(answer)
      return answer
    })
  } catch (error) {
    if (error instanceof DryRun) return { ...error.answer, body: { ...error.answer.body, hold: null } }
    if (!(error instanceof Overdraft)) throw error
    // Another debit was posted after the balance was read.
    const paid = await paidAmong(context.pool, accountId, resourcesOf(items))
    const balance = (await balanceOf(context.pool, accountId)) ?? 0
    return refuse(insufficientCherry, undefined, { balance, needed: priceOf(notIn(items, paid)) })
  }
}

interface Request {
  readonly input: Input
  readonly payer: Payer
  readonly now: Date
}

/** Judges a request under the lock of the account's spending, and stores the hold if anything is due. */
async function judgeAndStore(context: Context, tx: Tx, request: Request) {
  const { input, payer, now } = request
  const { account_id: accountId } = input
  await endExpired(tx, accountId, now)
  const resources = resourcesOf(input.items)
  const paid = await paidAmong(tx, accountId, resources)
  const captured = paid.size === 0 ? 0 : await capturedByKey(tx, { accountId, key: input.key, resources })
  const items = input.items.map(({ resource }) => ({
    resource,
    status: paid.has(resource) ? ('paid' as const) : ('due' as const),
  }))
  const dueItems = notIn(input.items, paid)
  const due = priceOf(dueItems)
  if (due === 0) return ok(200, { hold: null, due, captured, items })
  const open = await openHoldOfKey(tx, accountId, input.key)
  if (open !== null) return ok(200, { hold: await sameHold(tx, open, input, dueItems), due, captured, items })

  await requireBudget(context, tx, request, due)
  const balance = await openedBalance(tx, accountId, payer.kind, now)
  if (balance < due) refuse(insufficientCherry, undefined, { balance, needed: due })
  return ok(200, { hold: await storeHold(tx, input, dueItems, now), due, captured, items })
}

const resourcesOf = (items: readonly Item[]): readonly string[] => items.map(({ resource }) => resource)
const notIn = (items: readonly Item[], paid: ReadonlySet<string>) => items.filter(({ resource }) => !paid.has(resource))
const priceOf = (items: readonly Item[]): number => items.reduce((sum, { price }) => sum + price, 0)

/** Locks the spending of an account and ends its expired holds: their Cherry is its own again before the job comes by. */
async function endExpired(tx: Tx, accountId: number, now: Date): Promise<void> {
  const spentBefore = await lockSpending(tx, accountId)
  for (const hold of await dueHoldsOf(tx, accountId, now))
    await endHold(tx, hold, { state: 'expired', resources: [], spentBefore, at: now })
}

/** Refuses a hold over the daily budget of an agent, if budgets are enforced. */
async function requireBudget(
  { settings }: Context,
  tx: Tx,
  { input, payer, now }: Request,
  due: number,
): Promise<void> {
  if (!settings.budgetEnforce || payer.dailyBudget === null) return
  const used = await spentOn(tx, input.account_id, dayOf(now))
  const refusal = budgetRefusal({ limit: payer.dailyBudget, used }, due, now)
  if (refusal !== null) refuse(mandateBudgetExceeded, undefined, { refusal })
}

const holdView = ({ id, amount, expires_at }: Pick<Hold, 'id' | 'amount' | 'expires_at'>) => ({
  hold_id: id,
  amount,
  expires_at,
})

/** Returns the open hold of a key that is used again; refuses if it was placed for other items. */
async function sameHold(tx: Tx, open: Hold, input: Input, due: readonly Item[]) {
  const held = new Map((await itemsOf(tx, open.id)).map(({ resource, price }) => [resource, price]))
  if (open.seller_id !== input.seller_id || due.some(({ resource, price }) => held.get(resource) !== price))
    refuse(common.idempotencyMismatch)
  return holdView(open)
}

/** Sets the Cherry aside and stores for what. */
async function storeHold(tx: Tx, input: Input, due: readonly Item[], now: Date) {
  const { account_id, seller_id, key, reference } = input
  const id = newId('hld')
  const amount = priceOf(due)
  const expires_at = new Date(now.getTime() + input.ttl_sec * 1000).toISOString()
  const day = dayOf(now)
  const hold = { id, account_id, seller_id, key, reference, amount, day, created_at: now.toISOString(), expires_at }
  await insertHold(tx, hold, due)
  await holdOnDay(tx, { accountId: account_id, day }, amount)
  await moveCherry(tx, {
    key: `hold:${id}`,
    kind: 'paid_read',
    accountId: account_id,
    amount: -amount,
    // The seller never sees it: it may name the mandate of the account.
    reference: `${reference}:${id}`,
    at: now,
    counter: await holdAccount(tx, account_id),
  })
  return holdView(hold)
}
