import { gallery } from '@svc/contracts/gallery'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { changeShadowBook, shadowBooksToMark } from '#gaps/store/shadow-books.ts'
import { readPrices } from '../prices.ts'
import { fundingOf, shadowEquity } from '../rules/shadow-book.ts'
import { runnerTransaction } from '../store-verdict.ts'

const HOUR_MS = 3_600_000
/** Oldest price of a mark. */
const MARK_MAX_AGE_MS = 120_000

/** Values each shadow book once an hour at the prices of the venue, with the funding of the hours since; one without a price waits. */
export const markShadowBooks =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const now = clock.now()
    const books = await shadowBooksToMark(pool, new Date(now.getTime() - HOUR_MS), gallery.jobs.markShadowBooks.max)
    const prices = await readPrices(
      context,
      books.flatMap(({ positions }) => Object.keys(positions)),
      MARK_MAX_AGE_MS,
    )
    const marks = new Map([...prices].map(([id, { mark_price }]) => [id, mark_price]))
    const rates = new Map([...prices].map(([id, p]) => [id, { oracle: p.oracle_price, hourly: p.funding_hourly }]))
    let done = 0
    for (const book of books) {
      if (signal.aborted) break
      const hours = Math.floor((now.getTime() - book.markedAt.getTime()) / HOUR_MS)
      const funding = fundingOf(book, rates, hours)
      const cash = book.cash + funding
      const equity = shadowEquity({ ...book, cash }, marks)
      if (equity === null) continue
      const change = {
        cash,
        positions: book.positions,
        equity,
        scoredSeq: book.scoredSeq,
        fills: [],
        funding,
        marks: true,
      }
      if (await runnerTransaction(context, (tx) => changeShadowBook(tx, book, change, now))) done += 1
    }
    return { done }
  }
