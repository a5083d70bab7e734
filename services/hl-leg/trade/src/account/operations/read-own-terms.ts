import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { currentTerms } from '../rules/terms.ts'

export const readOwnTerms: BoundHandler<Context, typeof hlTrade.operations.readOwnTerms> = () => async () =>
  ok(200, currentTerms())
