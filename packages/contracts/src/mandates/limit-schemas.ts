import { limitFields, limitNames, usdcText, type LimitName, type Limits } from '@svc/limits'
import { z } from 'zod'
import { accountId, givenInstant, instant } from '../common.ts'
import { label } from '../label.ts'
import { usdcUnits } from '../common/usdc.ts'
import { marketId, usdc } from './fields.ts'

const bps = z.int().min(0).max(10_000)
const marketIds = z.array(marketId).max(32)
const silentMinutes = z.int().min(15).max(10_080).nullable()
const orNull =
  <From, To>(convert: (value: From) => To) =>
  (value: From | null): To | null =>
    value === null ? null : convert(value)
const usdcOrNull = { shown: usdc.nullable(), decode: orNull(usdcUnits), encode: orNull(usdcText) } as const

/** For each kind of limit: its schema in bodies and in answers, and the conversion between an answer and a value. */
const kinds = {
  usdc: { given: usdc, shown: usdc, decode: usdcUnits, encode: usdcText },
  usdcOrNull: { ...usdcOrNull, given: usdc.nullable() },
  legUsdc: { ...usdcOrNull, given: usdc.nullable().default(null) },
  minutesOrNull: {
    given: silentMinutes.default(null),
    shown: silentMinutes,
    decode: orNull(Number),
    encode: orNull(Number),
  },
  markets: {
    given: marketIds
      .min(1, 'name at least one market of GET /hub/markets')
      .refine((ids) => new Set(ids).size === ids.length, 'name each market once'),
    shown: marketIds,
    decode: (ids: string[]) => ids,
    encode: (ids: readonly string[]) => [...ids],
  },
  instant: {
    given: givenInstant,
    shown: instant,
    decode: (text: string) => new Date(text),
    encode: (date: Date) => date.toISOString(),
  },
  bps: { given: bps, shown: bps, decode: Number, encode: Number },
  flag: { given: z.boolean().default(false), shown: z.boolean(), decode: Boolean, encode: Boolean },
} as const

type Fields = typeof limitFields
type Kinds = typeof kinds
type Shape<Side extends 'given' | 'shown'> = {
  [Name in LimitName as Fields[Name]['wire']]: Kinds[Fields[Name]['kind']][Side]
}

function shapeOf<Side extends 'given' | 'shown'>(side: Side): Shape<Side> {
  const members = limitNames.map((name) => {
    const { wire, kind, text, example } = limitFields[name]
    const schema: z.ZodType = kinds[kind][side]
    return [wire, schema.meta({ description: text, example })]
  })
  return Object.fromEntries(members) as Shape<Side>
}

/** Body that writes or corrects a draft. */
export const mandateBody = z.strictObject({
  name: label(80).meta({ description: 'Name, for its owner', example: 'Weekend basis' }),
  ...shapeOf('given'),
  agent_id: accountId.nullable().default(null).meta({ description: 'Designated agent; null to designate it later' }),
})

/** Limits of a mandate in answers. */
export const mandateLimits = z.object(shapeOf('shown')).meta({ title: 'MandateLimits' })
type WireLimits = z.output<typeof mandateLimits>

const decodeOf = (name: LimitName) => kinds[limitFields[name].kind].decode as (wire: unknown) => unknown
const encodeOf = (name: LimitName) => kinds[limitFields[name].kind].encode as (value: unknown) => unknown

/** Converts limits between answers and values. A parsed body decodes too; members that are not limits are left out. */
export const limitsCodec = z.codec(mandateLimits, z.custom<Limits>(), {
  decode: (wire) => {
    const values = limitNames.map((name) => [name, decodeOf(name)(wire[limitFields[name].wire])])
    return Object.fromEntries(values) as Limits
  },
  encode: (limits) => {
    const members = limitNames.map((name) => [limitFields[name].wire, encodeOf(name)(limits[name])])
    return Object.fromEntries(members) as WireLimits
  },
})

/** Fields of a draft that a note or the preset sets: the name, and every limit but `hl_leg`, which follows from the markets. */
export const draftFields = [
  'name' as const,
  ...limitNames.flatMap((name) => (name === 'hlLeg' ? [] : [limitFields[name].wire])),
]
export type DraftField = (typeof draftFields)[number]
