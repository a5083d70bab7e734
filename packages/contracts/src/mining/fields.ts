import { z } from 'zod'
import { cherry, instant, tokenId, utcDay, strangersText } from '../common.ts'

export const submissionId = z
  .string()
  .regex(/^sub_[0-9a-f]{32}$/)
  .max(36)
  .meta({ description: 'Submission id', example: 'sub_0193a1b2c3d4e5f60718293a4b5c6d7e' })
export const fieldName = z
  .string()
  .min(1)
  .max(64)
  .meta({ title: 'MetadataFieldName', description: 'Metadata field', example: 'contract_address' })
export const fieldValue = z.string().max(2000)
export const points = z.int().min(0).max(10_000)
export const reviewStatus = z.enum(['pending', 'approved', 'rejected'])

export const payout = z
  .object({ status: z.enum(['paid', 'queued']), pay_on: utcDay, paid_at: instant.nullable() })
  .meta({
    title: 'Payout',
    description: '`queued` until the ledger has booked the transfer; `pay_on` is the UTC day on which it is released',
  })

/** One machine check of an entry. `unknown` is not a failure. */
export const check = z
  .object({
    id: z.string().min(1).max(64),
    verdict: z.enum(['pass', 'fail', 'unknown']),
    detail: z.string().max(500),
  })
  .meta({ title: 'MachineCheck' })
export type Check = z.output<typeof check>

/** What the evidence checker found. It informs the reviewer and decides nothing. Null means unknown. */
export const finding = z
  .object({
    reachable: z.boolean(),
    status: z.int().min(100).max(599).nullable(),
    value_found: z.boolean().nullable(),
    checked_at: instant,
    reason: z.string().max(200).nullable(),
  })
  .meta({ title: 'EvidenceFinding' })
export type Finding = z.output<typeof finding>

export const submission = z
  .object({
    id: submissionId,
    token_id: tokenId,
    field_name: fieldName,
    field_value: strangersText(2000),
    evidence_url: strangersText(2048),
    status: reviewStatus,
    points,
    cherry,
    submitted_at: instant,
    reviewed_at: instant.nullable(),
    review_reason: strangersText(1000).nullable(),
    payout: payout.nullable(),
  })
  .meta({ title: 'Submission' })
export type Submission = z.output<typeof submission>
