import { ok, refuse } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { unknownCoin } from '@svc/contracts/hl-relay/refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { indexView, offered } from '../catalogue-view.ts'
import { LISTED, readAllMarkets } from '#markets/read-markets.ts'
import { shortName } from '#markets/rules/titles.ts'

export const readIndex: BoundHandler<Context, typeof hlRelay.operations.readIndex> =
  (context) =>
  async ({ sym }, { now }) => {
    const { items, at, stale } = await readAllMarkets(context, LISTED)
    const indices = offered(items).filter(({ dex }) => dex !== '')
    const found =
      indices.find(({ coin }) => coin === sym) ??
      indices.find(({ coin }) => shortName(coin) === sym) ??
      indices.find(({ coin }) => [coin, shortName(coin)].some((name) => name.toLowerCase() === sym.toLowerCase()))
    if (found === undefined) refuse(unknownCoin, `GET /hub/indices has no item ${sym}.`)
    return ok(200, { computed_at: at.toISOString(), stale, item: indexView(context.settings, found, now) })
  }
