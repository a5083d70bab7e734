import { limitFields, limitNames, type LimitName, type Limits } from '@svc/limits'
import { sql } from '@svc/postgres'
import { z } from 'zod'

const units = z.string().transform(BigInt)
const instant = z.string().transform((text) => new Date(text))
const same = (value: unknown) => value as number | boolean | null
const amountOrNull = {
  row: units.nullable(),
  value: (amount: bigint | null) => (amount === null ? null : String(amount)),
} as const

/** For each kind of limit: the schema of its column, and its value in a statement. */
const kinds = {
  usdc: { row: units, value: (amount: bigint) => String(amount) },
  usdcOrNull: amountOrNull,
  legUsdc: amountOrNull,
  minutesOrNull: { row: z.number().nullable(), value: same },
  markets: { row: z.array(z.string()), value: (ids: readonly string[]) => sql.array([...ids], 'text') },
  instant: { row: instant, value: (date: Date) => date.toISOString() },
  bps: { row: z.number(), value: same },
  flag: { row: z.boolean(), value: same },
} as const

type Fields = typeof limitFields
type Rows = { [Name in LimitName as Fields[Name]['column']]: (typeof kinds)[Fields[Name]['kind']]['row'] }
type Value = string | number | boolean | null | ReturnType<typeof sql.array>

/** Schemas of the columns that store the limits. */
export const limitRow = Object.fromEntries(
  limitNames.map((name) => [limitFields[name].column, kinds[limitFields[name].kind].row]),
) as Rows

/** The columns that store the limits, in the order of `limitValues`. */
export const limitColumns = sql.join(
  limitNames.map((name) => sql.identifier([limitFields[name].column])),
  sql.fragment`, `,
)

/** Returns the limits of a mandate from its columns. */
export function limitsOf(row: z.output<z.ZodObject<Rows>>): Limits {
  const values: readonly (readonly [LimitName, unknown])[] = limitNames.map((name) => [
    name,
    row[limitFields[name].column],
  ])
  return Object.fromEntries(values) as Limits
}

/** Returns the values of `limitColumns` for a statement. */
export function limitValues(limits: Limits) {
  const valueOf = (name: LimitName) => (kinds[limitFields[name].kind].value as (value: unknown) => Value)(limits[name])
  return sql.join(limitNames.map(valueOf), sql.fragment`, `)
}
