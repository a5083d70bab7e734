import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const lateRow = z.object({ address: z.string(), next_block: z.number() })

/** A factory whose blocks behind the stream's position have yet to be read, from `next_block` on. */
export type LateFactory = z.output<typeof lateRow>

/** Returns the given factories that the stream does not read yet; an unknown factory begins at `start`. */
export function lateFactories(
  db: Db,
  chainId: number,
  factories: readonly string[],
  start: number,
): Promise<readonly LateFactory[]> {
  return db.any(sql.type(lateRow)`
    SELECT asked.address, coalesce(swept_factory.next_block, ${start}) AS next_block
    FROM unnest(${sql.array([...factories], 'text')}) AS asked (address)
    LEFT JOIN swept_factory ON swept_factory.chain_id = ${chainId} AND swept_factory.address = asked.address
    WHERE swept_factory.address IS NULL OR swept_factory.next_block IS NOT NULL
    ORDER BY asked.address`)
}

/** Stores the next block to read for a factory; null adds it to the stream. */
export async function putFactory(tx: Tx, chainId: number, address: string, nextBlock: number | null): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO swept_factory (chain_id, address, next_block) VALUES (${chainId}, ${address}, ${nextBlock})
    ON CONFLICT (chain_id, address) DO UPDATE SET next_block = EXCLUDED.next_block`)
}

/** Makes blocks above `above` be read again for factories that the stream does not read yet. */
export async function takeBackFactories(tx: Tx, chainId: number, above: number): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE swept_factory SET next_block = ${above + 1} WHERE chain_id = ${chainId} AND next_block > ${above + 1}`)
}
