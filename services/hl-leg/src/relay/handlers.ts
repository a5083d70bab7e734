import type { hlRelay } from '@svc/contracts/hl-relay'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'

/** The function of each operation. */
export const handlers = {} satisfies Handlers<Context, typeof hlRelay>
