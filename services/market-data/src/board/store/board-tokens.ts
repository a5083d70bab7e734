import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Known } from '../rules/gather-inputs.ts'

/** The statement builds the values; validating twenty thousand of them would copy each. */
type Values = [
  id: number,
  tokenId: string,
  exchange: string,
  symbol: string,
  base: string,
  quote: string,
  name: string | null,
  nameKo: string | null,
  predecessorId: number | null,
  trading: Known['trading'],
  tradingSince: number,
  delistCause: string | null,
  listedAt: number | null,
  zeroTradeShare: number | null,
  amihud: number | null,
  candleMinutes: number,
]
const row = z.object({ tokens: z.custom<readonly Values[]>((value) => Array.isArray(value)) })

/**
 * Returns every instance that a board shows: instances that trade, and instances delisted within 30 days. One JSON text
 * without names, ordered by instance id, because transferring twenty thousand single rows costs more than reading them.
 */
export async function boardTokens(db: Db, now: Date): Promise<readonly Known[]> {
  const { tokens } = await db.one(sql.type(row)`
    SELECT coalesce(json_agg(json_build_array(
      instance.instance_id, token.token_id, exchange, symbol, base, quote,
      name, name_ko, predecessor_id, trading,
      floor(extract(epoch FROM trading_since) * 1000)::bigint, delist_cause, floor(extract(epoch FROM listed_at) * 1000)::bigint,
      zero_trade_share, amihud, coalesce(features.minutes, 0)) ORDER BY instance.instance_id), '[]') AS tokens
    FROM token_instance AS instance JOIN token ON token.token_id = instance.token_id
      LEFT JOIN candle_features AS features ON features.instance_id = instance.instance_id
    WHERE trading <> 'delisted' OR trading_since > ${now.toISOString()}::timestamptz - interval '30 days'`)
  return tokens.map(
    ([id, tokenId, exchange, symbol, base, quote, name, nameKo, predecessorId, trading, tradingSince, ...more]) => {
      const [delistCause, listedAt, zeroTradeShare, amihud, candleMinutes] = more
      return {
        instance_id: id,
        token_id: tokenId,
        exchange,
        symbol,
        base,
        quote,
        name,
        name_from: null,
        name_ko: nameKo,
        name_ko_from: null,
        predecessor_id: predecessorId,
        trading,
        trading_since: tradingSince,
        delist_cause: delistCause,
        listed_at: listedAt,
        zero_trade_share: zeroTradeShare,
        amihud,
        candle_minutes: candleMinutes,
      }
    },
  )
}
