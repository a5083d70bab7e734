import { limitFields, limitNames, type LimitName, type Limits } from '@svc/limits'
import { instant, units, type Row } from '@svc/postgres'
import { z } from 'zod'

/** The schema of the column of each kind of limit. */
const kinds = {
  usdc: units,
  usdcOrNull: units.nullable(),
  legUsdc: units.nullable(),
  minutesOrNull: z.number().nullable(),
  markets: z.array(z.string()),
  instant,
  bps: z.number(),
  flag: z.boolean(),
} as const

type Fields = typeof limitFields
type LimitColumns = { [Name in LimitName as Fields[Name]['column']]: (typeof kinds)[Fields[Name]['kind']] }
/** The columns that store the limits, with their values. */
export type LimitRow = Row<LimitColumns>

/** Schemas of the columns that store the limits. */
export const limitColumns = Object.fromEntries(
  limitNames.map((name) => [limitFields[name].column, kinds[limitFields[name].kind]]),
) as LimitColumns

/** Returns the limits of a mandate from its columns. */
export function limitsOf(row: LimitRow): Limits {
  const values: readonly (readonly [LimitName, unknown])[] = limitNames.map((name) => [
    name,
    row[limitFields[name].column],
  ])
  return Object.fromEntries(values) as Limits
}

/** Returns the columns of the limits of a mandate. */
export function limitRow(limits: Limits): LimitRow {
  return Object.fromEntries(limitNames.map((name) => [limitFields[name].column, limits[name]])) as unknown as LimitRow
}
