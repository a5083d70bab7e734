import type { hlTrade } from '@svc/contracts/hl-trade'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'

/** The function of each operation. */
export const handlers = {} satisfies Handlers<Context, typeof hlTrade>
