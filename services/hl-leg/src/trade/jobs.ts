import type { Job } from '@svc/service'
import { watchOrderKeys } from './account/jobs/watch-order-keys.ts'
import { fundBooks } from './books/jobs/fund-books.ts'
import { markBooks } from './books/jobs/mark-books.ts'
import type { Context } from './context.ts'

/** The function of each job. */
export const jobs = { watchOrderKeys, markBooks, fundBooks } satisfies Readonly<
  Record<string, (context: Context) => Job>
>
