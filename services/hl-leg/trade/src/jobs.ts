import type { Job } from '@svc/service'
import { watchOrderKeys } from './account/jobs/watch-order-keys.ts'
import { fundBooks } from './books/jobs/fund-books.ts'
import { markBooks } from './books/jobs/mark-books.ts'
import type { Context } from './context.ts'
import { resolveTrades } from './orders/jobs/resolve-trades.ts'

/** The function of each job. */
export const jobs = { watchOrderKeys, markBooks, fundBooks, resolveTrades } satisfies Readonly<
  Record<string, (context: Context) => Job>
>
