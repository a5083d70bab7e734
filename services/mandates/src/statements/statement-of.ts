import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { paidBeyondBooks } from '#books/rules/books.ts'
import { weekAt, weekOf, type IsoWeek } from './rules/iso-week.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { vaultInRecord } from '#record/store/record-steps.ts'
import { readWeek } from './store/statements.ts'
import type { KnownWorth } from '#worth/store/worth.ts'
import { stateNow } from '#states/mandate-view.ts'
import type { OwnStatement, Statement } from '@svc/contracts/mandates/statements'

const DAY_MS = 86_400_000

/** Returns the week that the caller names, or the present week. Refuses a week that does not exist or has not begun. */
export function weekAsked(name: string | undefined, now: Date): IsoWeek {
  if (name === undefined) return weekAt(now)
  const week = weekOf(name)
  const wrong = (detail: string) =>
    refuse(common.invalidRequest, undefined, {}, [{ pointer: '/query/week', code: 'no_such_week', detail }])
  if (week === null) return wrong('that year has no such ISO week')
  if (week.from > now) return wrong(`has not begun; the present week is ${weekAt(now).name}`)
  return week
}

/** Computes the statement of a mandate over a week from chain facts and stored rows. */
export async function statementOf(context: Context, mandate: Mandate, week: IsoWeek, now: Date): Promise<Statement> {
  const { pool, agentsClient } = context
  const { vault, sums, leg, legEnd, facts, opening, closing, refusals, approvals, violations, head } = await readWeek(
    pool,
    mandate.id,
    week,
  )
  const chain = head === null ? null : await vaultInRecord(pool, mandate.id, head.seq)
  const jws = head === null ? null : await agentsClient.signHead({ mandate: mandate.publicId, ...head, chain }, now)
  // Before the vault's first event there was no money in it; after that only a mark says what it was worth.
  const from = knownAfter(opening, sums?.moved_before) ?? (sums?.earlier === true ? null : NOTHING)
  const to =
    knownAfter(closing, sums?.moved_by_end) ??
    (sums === null || (sums.deposits === 0n && !sums.earlier) ? NOTHING : null)
  const inWeek = ({ blockTime }: { readonly blockTime: string }) => {
    const at = new Date(blockTime)
    return at >= week.from && at < week.to
  }
  const unbooked =
    from === null || to === null
      ? null
      : to.unbooked - from.unbooked + paidBeyondBooks(vault?.agent ?? '', facts, inWeek)
  const profit =
    from === null || to === null || unbooked === null
      ? null
      : to.worth - from.worth - (sums?.deposits ?? 0n) + (sums?.withdrawals ?? 0n) - unbooked
  const counted = vault === null ? 0 : daysOf(week, new Date(vault.attached_at), now)
  const text = (amount: bigint | null) => (amount === null ? null : usdcText(amount))
  return {
    public_id: mandate.publicId,
    name: mandate.name,
    state: stateNow(mandate, vault, now),
    ...weekView(week, now),
    opening_worth_usdc: text(from?.worth ?? null),
    closing_worth_usdc: text(to?.worth ?? null),
    deposits_usdc: usdcText(sums?.deposits ?? 0n),
    withdrawals_usdc: usdcText(sums?.withdrawals ?? 0n),
    unbooked_usdc: unbooked === null ? null : usdcText(unbooked),
    trades: sums?.trades ?? 0,
    spent_usdc: usdcText(sums?.spent ?? 0n),
    received_usdc: usdcText(sums?.received ?? 0n),
    fees_usdc: usdcText(sums?.fees ?? 0n),
    leg_orders: leg.orders,
    leg_filled_usdc: usdcText(leg.filled),
    leg_fees_usdc: usdcText(leg.fees),
    leg_funded_usdc: usdcText(sums?.leg_funded ?? 0n),
    leg_returned_usdc: usdcText(sums?.leg_returned ?? 0n),
    leg_owed_usdc: usdcText(legEnd.owed),
    leg_kept_by_owner_usdc: usdcText(legEnd.kept),
    leg_fee_owed_usdc: usdcText(legEnd.fee),
    closing_leg_usdc: text(to?.leg_worth ?? null),
    profit_usdc: profit === null ? null : usdcText(profit),
    refusals: {
      total: refusals.reduce((sum, one) => sum + one.count, 0),
      by_kind: Object.fromEntries(refusals.map((one) => [one.name, one.count])),
    },
    approvals,
    violations: violations.reduce((sum, one) => sum + one.count, 0),
    days: { counted, inside_limits: Math.max(0, counted - violations.length) },
    record_head: { seq: head?.seq ?? 0, hash: head?.hash ?? '', jws },
  }
}

const NOTHING = { worth: 0n, unbooked: 0n, leg_worth: 0n } as const

/** Returns the worth of a mark; null if a deposit or withdrawal followed the mark. */
function knownAfter(
  mark: KnownWorth | null,
  moved: number | null | undefined,
): Pick<KnownWorth, 'worth' | 'unbooked' | 'leg_worth'> | null {
  return mark === null || mark.block_number < (moved ?? 0) ? null : mark
}

/** Returns a week as statements name it. */
export function weekView(week: IsoWeek, now: Date) {
  return {
    week: week.name,
    from: week.from.toISOString(),
    to: week.to.toISOString(),
    complete: now >= week.to,
  }
}

/** Returns the UTC days of the week, up to now, on which the vault existed. */
function daysOf(week: IsoWeek, since: Date, now: Date): number {
  const dayOf = (at: number) => Math.floor(at / DAY_MS)
  const first = Math.max(dayOf(week.from.getTime()), dayOf(since.getTime()))
  const last = Math.min(dayOf(week.to.getTime()) - 1, dayOf(now.getTime()))
  return Math.max(0, last - first + 1)
}

type AmountKey =
  | 'deposits_usdc'
  | 'withdrawals_usdc'
  | 'spent_usdc'
  | 'received_usdc'
  | 'fees_usdc'
  | 'leg_filled_usdc'
  | 'leg_funded_usdc'
  | 'leg_returned_usdc'
  | 'leg_owed_usdc'
  | 'leg_kept_by_owner_usdc'
  | 'leg_fee_owed_usdc'
type KnownKey = 'opening_worth_usdc' | 'closing_worth_usdc' | 'closing_leg_usdc' | 'unbooked_usdc' | 'profit_usdc'

/** Adds up statements. A total is null if the figure of a statement is unknown. */
export function totalsOf(items: readonly Statement[]): OwnStatement['totals'] {
  const amounts = (key: AmountKey) => usdcText(items.reduce((sum, item) => sum + usdcUnits(item[key] ?? '0'), 0n))
  const known = (key: KnownKey) => {
    const texts = items.map((item) => item[key])
    return texts.includes(null) ? null : usdcText(texts.reduce((sum, text) => sum + signedUnits(text ?? '0'), 0n))
  }
  const counts = (of: (item: Statement) => number) => items.reduce((sum, item) => sum + of(item), 0)
  const kinds = new Set(items.flatMap(({ refusals }) => Object.keys(refusals.by_kind)))
  return {
    opening_worth_usdc: known('opening_worth_usdc'),
    closing_worth_usdc: known('closing_worth_usdc'),
    unbooked_usdc: known('unbooked_usdc'),
    profit_usdc: known('profit_usdc'),
    deposits_usdc: amounts('deposits_usdc'),
    withdrawals_usdc: amounts('withdrawals_usdc'),
    spent_usdc: amounts('spent_usdc'),
    received_usdc: amounts('received_usdc'),
    fees_usdc: amounts('fees_usdc'),
    leg_orders: counts(({ leg_orders }) => leg_orders),
    leg_filled_usdc: amounts('leg_filled_usdc'),
    leg_fees_usdc: usdcText(items.reduce((sum, item) => sum + signedUnits(item.leg_fees_usdc), 0n)),
    leg_funded_usdc: amounts('leg_funded_usdc'),
    leg_returned_usdc: amounts('leg_returned_usdc'),
    leg_owed_usdc: amounts('leg_owed_usdc'),
    leg_kept_by_owner_usdc: amounts('leg_kept_by_owner_usdc'),
    leg_fee_owed_usdc: amounts('leg_fee_owed_usdc'),
    closing_leg_usdc: known('closing_leg_usdc'),
    trades: counts(({ trades }) => trades),
    violations: counts(({ violations }) => violations),
    refusals: {
      total: counts(({ refusals }) => refusals.total),
      by_kind: Object.fromEntries(
        [...kinds].map((kind) => [kind, counts(({ refusals }) => refusals.by_kind[kind] ?? 0)]),
      ),
    },
    approvals: {
      requested: counts(({ approvals }) => approvals.requested),
      approved: counts(({ approvals }) => approvals.approved),
      declined: counts(({ approvals }) => approvals.declined),
      used: counts(({ approvals }) => approvals.used),
      expired: counts(({ approvals }) => approvals.expired),
    },
  }
}
