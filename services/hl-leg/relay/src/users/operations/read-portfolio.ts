import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { askAboutUser } from '../user-answer.ts'

export const readPortfolio: BoundHandler<Context, typeof hlRelay.operations.readPortfolio> =
  (context) =>
  async ({ user }) => {
    const reading = await askAboutUser(context, 'portfolio', user)
    return ok(200, envelope(context, reading, reading.data))
  }
