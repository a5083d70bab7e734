import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { packScans, SCAN_FIGURES, unpackScans, type ScanColumns } from '../scan-block.ts'

/** Pairs per step: their scans are a megabyte of text, which blocks the event loop. */
const PAIRS = 50

const column = z.array(z.number().nullable())
const pairRow = z.object({
  instance_id: z.number(),
  columns: z.object({
    place: z.array(z.number()),
    error: z.array(z.string().nullable()),
    ...(Object.fromEntries(SCAN_FIGURES.map((name) => [name, column])) as Record<
      (typeof SCAN_FIGURES)[number],
      typeof column
    >),
  }),
})
const columnsOfPair = sql.join(
  SCAN_FIGURES.map(
    (name) => sql.fragment`${sql.literalValue(name)}, array_agg(${sql.identifier([name])} ORDER BY minute)`,
  ),
  sql.fragment`, `,
)

const instanceIdRow = z.object({ instance_id: z.number() })

/** Packs all scans between two times, one block per pair. */
export async function packBucket(tx: Tx, begin: Date, end: Date): Promise<void> {
  const [from, to] = [begin.toISOString(), end.toISOString()]
  const ids = await tx.anyFirst(sql.type(instanceIdRow)`
    SELECT DISTINCT instance_id FROM scan_minute WHERE minute >= ${from} AND minute < ${to}`)
  for (let at = 0; at < ids.length; at += PAIRS) {
    const pairs = await tx.any(sql.type(pairRow)`
      SELECT instance_id, json_build_object('error', array_agg(error ORDER BY minute), ${columnsOfPair},
        'place', array_agg(extract(epoch FROM minute - ${from}::timestamptz)::int / 60 ORDER BY minute)) AS columns
      FROM scan_minute WHERE instance_id = ANY(${sql.array(ids.slice(at, at + PAIRS), 'int4')})
        AND minute >= ${from} AND minute < ${to}
      GROUP BY instance_id`)
    await tx.query(sql.unsafe`
      INSERT INTO scan_packed (instance_id, bucket, scans, block)
      SELECT instance_id, ${from}, scans, block FROM ${sql.unnest(
        pairs.map(({ instance_id, columns }) => [instance_id, columns.place.length, packScans(columns)]),
        ['int4', 'int2', 'bytea'],
      )} AS pair (instance_id, scans, block)`)
  }
}

const bucketBlockRow = z.object({ bucket: z.string(), block: z.instanceof(Buffer) })

/**
 * Returns the packed scans of an instance whose two hours begin at or after `from` and before `to`, oldest first, rounded as
 * `packScans` describes. Throws an error that names the block if a block is damaged.
 */
export async function readPackedScans(
  db: Db,
  instanceId: number,
  from: Date,
  to: Date,
): Promise<readonly { readonly bucket: string; readonly scans: ScanColumns }[]> {
  const rows = await db.any(sql.type(bucketBlockRow)`
    SELECT bucket, block FROM scan_packed WHERE instance_id = ${instanceId} AND bucket >= ${from.toISOString()}
      AND bucket < ${to.toISOString()} ORDER BY bucket`)
  return rows.map(({ bucket, block }) => {
    try {
      return { bucket, scans: unpackScans(block) }
    } catch (cause) {
      throw new Error(`scans of instance ${instanceId} from ${bucket} on cannot be read.`, { cause })
    }
  })
}
