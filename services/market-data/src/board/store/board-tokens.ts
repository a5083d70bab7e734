import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Known } from '../rules/gather-inputs.ts'

/** The statement builds the objects; validating twenty thousand of them would copy each. */
const row = z.object({ tokens: z.custom<readonly Known[]>((value) => Array.isArray(value)) })

/**
 * Returns every instance that a board shows: instances that trade, and instances delisted within 30 days. One JSON text
 * ordered by instance id, because transferring twenty thousand single rows costs more than reading them.
 */
export async function boardTokens(db: Db, now: Date): Promise<readonly Known[]> {
  const { tokens } = await db.one(sql.type(row)`
    SELECT coalesce(json_agg(json_build_object(
      'instance_id', instance.instance_id, 'token_id', token.token_id, 'exchange', exchange, 'symbol', symbol, 'base', base,
      'quote', quote, 'name', name, 'name_from', NULL, 'name_ko', name_ko, 'name_ko_from', NULL, 'predecessor_id', predecessor_id, 'trading', trading,
      'trading_since', floor(extract(epoch FROM trading_since) * 1000)::bigint, 'delist_cause', delist_cause,
      'listed_at', floor(extract(epoch FROM listed_at) * 1000)::bigint, 'zero_trade_share', zero_trade_share,
      'amihud', amihud, 'candle_minutes', coalesce(features.minutes, 0)) ORDER BY instance.instance_id), '[]') AS tokens
    FROM token_instance AS instance JOIN token ON token.token_id = instance.token_id
      LEFT JOIN candle_features AS features ON features.instance_id = instance.instance_id
    WHERE trading <> 'delisted' OR trading_since > ${now.toISOString()}::timestamptz - interval '30 days'`)
  return tokens
}
