import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'

/** The function of each event that is consumed. */
export const reactions: Reactions<Context, LocalContext> = {}
