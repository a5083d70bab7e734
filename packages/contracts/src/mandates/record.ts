import { operation, storedFile } from '@svc/contract'
import { z } from 'zod'
import { common, instant } from '../common.ts'
import { count, publicId, txHash } from './fields.ts'
import { unknownMandate } from './refusals.ts'

/** Newest entry of a record with its signature. */
export const recordHead = z
  .object({
    seq: count,
    hash: z.string().max(64).meta({ description: 'SHA-256 in hex; empty for an empty record' }),
    jws: z.string().max(2000).nullable().meta({
      description:
        'Compact JWS over {mandate, seq, hash, chain, signed_at} by a key of /.well-known/jwks.json; null for an empty record, while the signer is unavailable, and for a head that is no longer the newest',
    }),
  })
  .meta({ title: 'RecordHead', description: 'Head of the record' })
export type RecordHead = z.output<typeof recordHead>

/** Refused attempts of the last seven days, by kind. */
export const refusals7d = z.object({
  total: count,
  by_kind: z.record(z.string().max(40), count),
})

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .max(64)
const since = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'send next_since of the last answer, or 0 to begin')
  .max(15)

/** Most entries of one exported file, which is built in memory. */
export const EXPORT_ENTRIES_MAX = 10_000

/** A step of the record: an entry with its group. */
export const recordStep = z.object({
  id: z.string().max(80).meta({ description: 'Insert or replace the step with this id' }),
  group: z.string().max(80).meta({ description: 'Replace all steps of this group with those of the answer' }),
  seq: count,
  at: instant,
  kind: z.string().max(40),
  source: z.string().max(20),
  tx_hash: txHash.nullable(),
  body: z.record(z.string().max(100), z.unknown()),
  hash,
})

const entryLine = z.strictObject({
  type: z.literal('entry'),
  hash,
  entry: z.strictObject({
    version: z.literal(1),
    mandate: publicId,
    seq: count,
    at: instant,
    kind: z.string().max(40),
    source: z.string().max(20),
    tx_hash: txHash.nullable(),
    body: z.record(z.string().max(100), z.unknown()),
    previous: z.string().max(64),
  }),
})

/** Reads of the record of a mandate. */
export const recordOperations = {
  readRecord: operation({
    summary: 'Read new steps of the record of a mandate, for its owner or agent',
    description:
      'For polling. Returns whole groups: those with entries after since and those of the last 120 seconds, with a step proved that says how far the chain has confirmed; an empty list if there are none. ' +
      'Insert or replace steps by id, replace groups as a whole, and send next_since as since of the next read; if more is true, read on at once.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/record',
    resource: true,
    tool: 'mandate_record',
    toolTitle: 'Record of a mandate',
    input: z.strictObject({
      public_id: publicId,
      since: since.default('0').meta({ description: 'next_since of the last page' }),
    }),
    success: {
      200: z.object({
        public_id: publicId,
        steps: z.array(recordStep).max(2001),
        next_since: since,
        more: z.boolean(),
      }),
    },
    refusals: [common.invalidRequest, unknownMandate],
  }),
  exportRecord: operation({
    summary: 'Download the record of a mandate as a file that anybody can verify',
    description:
      'NDJSON: one line of type head with the signed head, then one line of type entry for each entry after since, in order. ' +
      `A file contains at most ${EXPORT_ENTRIES_MAX} entries: while the seq of its last entry is below the seq of the head, download the next file with since set to that seq. tools/verify-record recomputes the files of a record.`,
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/record/export',
    resource: true,
    file: 'application/x-ndjson',
    timeoutMs: 30_000,
    input: z.strictObject({ public_id: publicId, since: since.default('0') }),
    success: { 200: z.object({ file: storedFile }) },
    refusals: [common.invalidRequest, unknownMandate],
  }),
} as const

/** Lines of an exported record. Strict, because no hash would cover further members. */
export const exportLine = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('head'),
    mandate: publicId,
    chain: z.strictObject({ chain_id: count, vault: z.string().max(42) }).nullable(),
    head: z.strictObject(recordHead.shape),
    exported_at: instant,
  }),
  entryLine,
])
export type ExportLine = z.output<typeof exportLine>
