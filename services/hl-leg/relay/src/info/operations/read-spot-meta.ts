import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { LISTED } from '#markets/read-markets.ts'

export const readSpotMeta: BoundHandler<Context, typeof hlRelay.operations.readSpotMeta> = (context) => async () => {
  const reading = await context.answers.ask(LISTED, 'spotMeta')
  return ok(200, envelope(context, reading, reading.data))
}
