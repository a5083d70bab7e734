import type { keeper } from '@svc/contracts/keeper'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { dripGas } from './drips/operations/drip-gas.ts'

/** The function of each operation. */
export const handlers = { dripGas } satisfies Handlers<Context, typeof keeper>
