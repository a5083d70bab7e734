import { z } from 'zod'
import { cherry, utcDay } from '../common.ts'
import { label } from '../label.ts'
import { marketId, usdc } from '../mandates/fields.ts'
import { operatorVaultId } from './operators.ts'

/** Id of a listing. */
export const listingId = z
  .string()
  .regex(/^lst_[a-z0-9]{20}$/, 'is not a listing id')
  .max(24)
  .meta({ description: 'Listing', example: 'lst_5x7c9v1b4m6z03kq8w2n' })
export const listingType = z.enum(['strategy_template', 'signal_subscription', 'vault_deposit'])
/** Live; suspended while the record of the seller breaks the rule for sellers; withdrawn for ever. */
export const listingStatus = z.enum(['live', 'suspended', 'withdrawn'])
export const priceModel = z.enum(['free', 'paid_read'])

/** USDC of the mandate that `adopt` suggests; the amounts of a template are those of a mandate of this size. */
export const ADOPTED_BUDGET_USDC = '50'

/** Fields of a template that a person who adopts it may set, with their unit. */
export const paramUnits = {
  per_tx_cap_usdc: 'usdc',
  daily_cap_usdc: 'usdc',
  stop_line_usdc: 'usdc',
  approval_above_usdc: 'usdc',
  days: 'days',
  fee_bps: 'bps',
  close_if_silent_minutes: 'minutes',
} as const
/** Name of a field that a param sets. */
export const paramKey = z.enum(Object.keys(paramUnits) as (keyof typeof paramUnits)[])
export type ParamKey = z.output<typeof paramKey>

/** Value of a param: USDC, or a whole number of days, basis points or minutes. */
export const paramValue = usdc.meta({ description: 'Value in the unit of the param', example: '10' })

/** A field of the template that may be set, within bounds. */
export const editableParam = z
  .object({
    key: paramKey,
    title: label(80),
    unit: z.enum(['usdc', 'days', 'bps', 'minutes']),
    min: paramValue,
    max: paramValue,
    step: paramValue,
    default: paramValue,
  })
  .meta({ title: 'EditableParam' })
export type EditableParam = z.output<typeof editableParam>

/** Limits that a template suggests for a mandate of 50 USDC. */
export const listingTemplate = z
  .object({
    markets: z
      .array(marketId)
      .min(1)
      .max(32)
      .refine((ids) => new Set(ids).size === ids.length, 'name each market once')
      .meta({ description: 'Market ids of GET /hub/markets' }),
    per_tx_cap_usdc: usdc.default('5'),
    daily_cap_usdc: usdc.default('15'),
    stop_line_usdc: usdc.default('40'),
    approval_above_usdc: usdc.nullable().default(null),
    days: z.int().min(1).max(170).default(30).meta({ description: 'Days from the adoption to the end' }),
    fee_bps: z.int().min(0).max(3_000).default(1_000),
    close_if_silent_minutes: z.int().min(15).max(10_080).nullable().default(null),
  })
  .meta({ title: 'ListingTemplate', description: 'Limits for a mandate of 50 USDC' })
export type ListingTemplate = z.output<typeof listingTemplate>

/** A claim of the seller, with its source. */
export const citedClaim = z
  .object({
    url: z.url({ protocol: /^https$/, hostname: z.regexes.domain }).max(500),
    source_name: label(80),
    as_of_date: utcDay,
    claim_text: label(280),
  })
  .meta({ title: 'CitedClaim' })
export type CitedClaim = z.output<typeof citedClaim>

/** Parts of a listing that are stored as published. */
export const listingBody = z.object({
  editable_params: z.array(editableParam).max(16),
  template: listingTemplate.nullable(),
  cited: z.array(citedClaim).max(10),
})
export type ListingBody = z.output<typeof listingBody>

/** What a seller writes. */
export const listingDraft = {
  type: listingType,
  title: label(80),
  summary: label(500),
  price_model: priceModel,
  price_cherry: cherry.min(1).max(1_000_000).optional(),
  ref_vault_id: operatorVaultId.optional(),
} as const
