import type { Address } from 'viem'
import { z } from 'zod'
import type { DerivedKey } from '../next-key.ts'

/** A stored key of a leg or of a linked account. */
export const derivedKeyRow = z
  .object({
    epoch: z.number(),
    agent_address: z.string(),
    seed_fingerprint: z.string(),
    used_at: z.string().nullable(),
  })
  .transform((row): DerivedKey => ({
    epoch: row.epoch,
    agent: row.agent_address as Address,
    fingerprint: row.seed_fingerprint,
    isUsed: row.used_at !== null,
  }))
