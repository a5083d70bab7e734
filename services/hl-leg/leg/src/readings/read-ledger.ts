import { createHash } from 'node:crypto'
import { countAlarm } from '@svc/service'
import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'
import type { LedgerPayment, LegAccount } from './leg-account.ts'
import { cashOf } from './rules/cash.ts'
import { effectOf, type LedgerUpdate } from './rules/ledger.ts'
import type { Reading } from '@svc/venue/rules/reading'
import {
  beginLedger,
  countUnknownRow,
  ledgerCursor,
  type NewEntry,
  storeEntries,
  type StoredEntry,
} from './store/ledger.ts'

type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log' | 'money'>

/** The venue answers at most so many entries, the oldest of the span first. */
const PAGE = 500
/** Pages of one run; the next run goes on. */
const PAGES_MAX = 4

/**
 * Reads what was paid into and out of an owner's account since the last reading, and stores it. Entries of the same
 * instant are read again and recognised, so none is missed or counted twice. Does nothing for a leg without a cursor.
 */
export async function readLedger(context: Reader, by: WeightClass, account: LegAccount): Promise<void> {
  const { pool, venue, clock } = context
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const cursor = await ledgerCursor(pool, account.publicId)
    if (cursor === null) return
    const readAt = clock.now()
    const updates = await venue.ask(by, 'userNonFundingLedgerUpdates', {
      user: account.owner,
      startTime: cursor.readTo.getTime(),
    })
    const entries = await recognised(context, account, updates)
    const readTo = new Date(Math.max(cursor.readTo.getTime(), ...updates.map(({ time }) => time)))
    const added = await pool.transaction((tx) => storeEntries(tx, account.publicId, entries, { readTo, readAt }))
    await countUnknown(context, account, added)
    if (updates.length < PAGE || added.length === 0) return
  }
}

/**
 * Begins the ledger of a leg at a reading of its account: what the account is worth then is foreign. Entries that the
 * ledger has until then are part of that worth.
 */
export async function openLedger(
  context: Reader,
  by: WeightClass,
  account: LegAccount,
  start: Pick<Reading, 'accountValue' | 'readAt' | 'positions'>,
): Promise<(tx: Parameters<typeof storeEntries>[0]) => Promise<void>> {
  const { venue, clock } = context
  const updates = await venue.ask(by, 'userNonFundingLedgerUpdates', {
    user: account.owner,
    startTime: start.readAt.getTime(),
  })
  const before = updates.filter(({ time }) => time <= start.readAt.getTime())
  const entries = (await recognised(context, account, before)).map((entry) => ({ ...entry, effect: '0' }))
  return async (tx) => {
    const cash = cashOf(start)
    await beginLedger(tx, account.publicId, { base: start.accountValue, cash, at: start.readAt })
    await storeEntries(tx, account.publicId, entries, { readTo: start.readAt, readAt: clock.now() })
  }
}

async function recognised(
  { pool, money, settings }: Reader,
  account: LegAccount,
  updates: readonly LedgerUpdate[],
): Promise<readonly NewEntry[]> {
  const seen = new Map<string, number>()
  const entries = updates.map((update) => {
    const digest = createHash('sha256').update(JSON.stringify(update.delta)).digest('hex').slice(0, 32)
    const same = `${update.time} ${update.hash} ${digest}`
    const copy = seen.get(same) ?? 0
    seen.set(same, copy + 1)
    return { update, digest, copy, key: `${same} ${copy}` }
  })
  const payments = entries.map(({ update, key }): LedgerPayment => ({
    key,
    at: new Date(update.time),
    hash: update.hash,
    delta: update.delta,
  }))
  const ours = payments.length === 0 ? new Set<string>() : await money.ours(pool, account, payments)
  return entries.map(({ update, digest, copy, key }) => ({
    at: new Date(update.time),
    hash: update.hash,
    digest,
    copy,
    type: update.delta.type,
    delta: update.delta,
    ours: ours.has(key),
    ...effectOf(update, { owner: account.owner, dexes: settings.dexes }),
  }))
}

/** Counts new rows that cannot be judged, and pages for the first of each type on a day. */
async function countUnknown(
  { pool, clock, log }: Reader,
  { publicId }: LegAccount,
  added: readonly StoredEntry[],
): Promise<void> {
  for (const { type } of added.filter(({ known_type }) => !known_type)) {
    if (!(await countUnknownRow(pool, type, clock.now()))) continue
    const alarm = 'venue_row_unknown'
    countAlarm(alarm, 'hl-leg')
    log.error(
      { alarm, public_id: publicId, type },
      "the venue's ledger has a type that no table names; it counts the USDC that it states",
    )
  }
}
