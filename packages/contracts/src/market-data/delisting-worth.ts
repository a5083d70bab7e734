import { z } from 'zod'

const share = z.number().min(0).max(1)

/** Announcements among pairs of the past within a number of days. */
const rate = z.object({
  sample: z.string().max(64),
  days: z.int().min(1).max(3650),
  n: z.int().min(0).meta({ description: 'Pairs' }),
  delisted: z.int().min(0).meta({ description: 'Of them announced for delisting within `days`' }),
  low: share.meta({ description: '95 % interval of the share' }),
  high: share,
})

/** What a rank was worth in the past: shares of announced delistings in samples, with intervals. */
export const delistingWorth = z
  .object({
    model_version: z.string().max(64),
    rank: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: 'Part of the score that is a rank, whose band is shown; null if all bands are' }),
    samples: z
      .array(
        z.object({
          id: z.string().max(64),
          title: z.string().max(128),
          snapshot: z.iso.date().max(10),
          n: z.int().min(0),
          delisted: z.int().min(0),
        }),
      )
      .max(4),
    bands: z
      .array(
        z.object({
          from_score: z.int().min(0).max(100),
          to_score: z.int().min(0).max(100),
          rates: z.array(rate).max(12),
        }),
      )
      .max(10),
    at_risk: z.array(rate).max(12).meta({ description: 'The same of pairs that were `at_risk` by their score' }),
  })
  .meta({
    title: 'DelistingWorth',
    description: 'Base rates of two past snapshots of one exchange, without official flags; no forecast',
  })
export type DelistingWorth = z.output<typeof delistingWorth>
