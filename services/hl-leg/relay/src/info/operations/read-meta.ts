import { ok, refuse } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { unknownDex } from '@svc/contracts/hl-relay/refusals'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { dexFields, LISTED, readDexNames } from '#markets/read-markets.ts'

export const readMeta: BoundHandler<Context, typeof hlRelay.operations.readMeta> =
  (context) =>
  async ({ dex }) => {
    // The list of dexes is kept, so that a name that nobody has costs the venue nothing.
    if (!(await readDexNames(context)).data.includes(dex)) refuse(unknownDex, `The venue has no dex ${dex}.`)
    const reading = await context.answers.ask(LISTED, 'metaAndAssetCtxs', dexFields(dex))
    return ok(200, envelope(context, reading, reading.data))
  }
