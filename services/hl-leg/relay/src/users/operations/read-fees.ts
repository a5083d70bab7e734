import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { askAboutUser } from '../user-answer.ts'

export const readFees: BoundHandler<Context, typeof hlRelay.operations.readFees> =
  (context) =>
  async ({ user }) => {
    const reading = await askAboutUser(context, 'userFees', user)
    return ok(200, envelope(context, reading, reading.data))
  }
