import type { FieldError } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { paramUnits, type EditableParam, type ListingTemplate, type ParamKey } from '@svc/contracts/gallery/listings'

/** Values of the fields of a template, in millionths of their unit; null sets no limit. */
export type TemplateValues = Readonly<Record<ParamKey, bigint | null>>

const WHOLE = 1_000_000n

/** Returns the names of the fields that a param may set. */
export const paramKeys = Object.keys(paramUnits) as readonly ParamKey[]

/** Returns the values of a template. */
export function valuesOf(template: ListingTemplate): TemplateValues {
  const value = (field: string | number | null) =>
    field === null ? null : typeof field === 'number' ? BigInt(field) * WHOLE : usdcUnits(field)
  return Object.fromEntries(paramKeys.map((key) => [key, value(template[key])])) as TemplateValues
}

/** Bounds of a param, in millionths of its unit. */
export interface Bounds {
  readonly min: bigint
  readonly max: bigint
  readonly step: bigint
}

/** Returns the bounds of a param. */
export const boundsOf = ({ min, max, step }: EditableParam): Bounds => ({
  min: usdcUnits(min),
  max: usdcUnits(max),
  step: usdcUnits(step),
})

/** Returns true for a value within the bounds that lies whole steps above the least one. */
export const isOnGrid = ({ min, max, step }: Bounds, value: bigint): boolean =>
  value >= min && value <= max && (value - min) % step === 0n

/** Returns the greatest value on the grid that is at most `value`; null if there is none. */
export function onGridBelow({ min, max, step }: Bounds, value: bigint): bigint | null {
  if (value < min) return null
  const capped = value > max ? max : value
  return capped - ((capped - min) % step)
}

/** Returns the smallest value on the grid that is at least `value`; null if there is none. */
export function onGridAbove(bounds: Bounds, value: bigint): bigint | null {
  const { min, max, step } = bounds
  if (value <= min) return min
  const above = min + ((value - min + step - 1n) / step) * step
  return above > max ? null : above
}

/** Returns the values that a person chose, with defaults for the rest; a problem for each that is out of bounds. */
export function chosenValues(
  template: ListingTemplate,
  params: readonly EditableParam[],
  given: Readonly<Partial<Record<ParamKey, string>>>,
): { readonly values: TemplateValues; readonly errors: readonly FieldError[] } {
  const values: Record<ParamKey, bigint | null> = { ...valuesOf(template) }
  const errors: FieldError[] = []
  for (const key of Object.keys(given) as ParamKey[])
    if (!params.some((param) => param.key === key))
      errors.push({ pointer: `/params/${key}`, code: 'unknown_param', detail: knownText(params) })
  for (const param of params) {
    const value = usdcUnits(given[param.key] ?? param.default)
    values[param.key] = value
    if (!isOnGrid(boundsOf(param), value))
      errors.push({ pointer: `/params/${param.key}`, code: 'out_of_bounds', detail: rangeText(param) })
  }
  return { values, errors }
}

const knownText = (params: readonly EditableParam[]) =>
  params.length === 0
    ? 'this listing has no editable params: leave params out'
    : `use only the params of the listing: ${params.map(({ key }) => key).join(', ')}`
const rangeText = ({ min, max, step, unit }: EditableParam) =>
  `must be ${min} to ${max} ${unit} in steps of ${step} from ${min}`
