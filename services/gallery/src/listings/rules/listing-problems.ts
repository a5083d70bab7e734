import type { FieldError } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import {
  ADOPTED_BUDGET_USDC,
  paramUnits,
  type EditableParam,
  type ListingTemplate,
  type ParamKey,
} from '@svc/contracts/gallery/listings'
import { isLegMarket } from '@svc/limits'
import { adoptedLimits } from './adopted-limits.ts'
import { boundsOf, isOnGrid } from './params.ts'

/** A listing as its seller wrote it. */
export interface WrittenListing {
  readonly type: 'strategy_template' | 'signal_subscription' | 'vault_deposit'
  readonly price_model: 'free' | 'paid_read'
  readonly price_cherry: number | null
  readonly ref_vault_id: string | null
  readonly editable_params: readonly EditableParam[]
  readonly template: ListingTemplate | null
  readonly cited: readonly { readonly as_of_date: string }[]
}

/** Smallest order that the venue of the leg takes, USDC base units. */
const LEG_ORDER_MIN = usdcUnits('10')

const error = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail })

/** Least and greatest value of a param by its field, in its unit. */
const RANGES: Readonly<Record<ParamKey, readonly [string, string]>> = {
  per_tx_cap_usdc: ['0.000001', ADOPTED_BUDGET_USDC],
  daily_cap_usdc: ['0.000001', ADOPTED_BUDGET_USDC],
  stop_line_usdc: ['0', '49.999999'],
  approval_above_usdc: ['0', ADOPTED_BUDGET_USDC],
  days: ['1', '170'],
  fee_bps: ['0', '3000'],
  close_if_silent_minutes: ['15', '10080'],
}

/** Returns a problem for each rule that a listing breaks by itself, independent of its seller. */
export function listingProblems(listing: WrittenListing, now: Date): FieldError[] {
  const found = [...priceProblems(listing), ...partProblems(listing), ...citedProblems(listing, now)]
  return found.length > 0 ? found : adoptionProblems(listing, now)
}

function priceProblems({ type, price_model, price_cherry }: WrittenListing): FieldError[] {
  const paid = price_model === 'paid_read'
  return [
    ...(paid && type !== 'signal_subscription'
      ? [error('/price_model', 'not_for_type', 'must be free: only a signal_subscription can be paid_read')]
      : []),
    ...(paid === (price_cherry === null)
      ? [
          error(
            '/price_cherry',
            paid ? 'required' : 'not_for_price_model',
            paid ? 'must be the Cherry for each signal' : 'must be absent for a free listing',
          ),
        ]
      : []),
  ]
}

function partProblems({ type, ref_vault_id, editable_params, template }: WrittenListing): FieldError[] {
  const isTemplate = type === 'strategy_template'
  const seen = new Set<string>()
  return [
    ...(isTemplate && template === null
      ? [error('/template', 'required', 'must be the limits for a mandate of 50 USDC')]
      : []),
    ...(isTemplate && editable_params.length === 0
      ? [error('/editable_params', 'required', 'name at least one field of the template that may be set')]
      : []),
    ...(template === null && editable_params.length > 0
      ? [error('/editable_params', 'needs_template', 'are fields of the template: add template')]
      : []),
    ...(type === 'vault_deposit' && ref_vault_id === null
      ? [error('/ref_vault_id', 'required', 'must be your operator vault of kind vault')]
      : []),
    ...editable_params.flatMap((param, at) => {
      const again = seen.has(param.key)
      seen.add(param.key)
      return again
        ? [error(`/editable_params/${at}/key`, 'repeated', 'name each field once')]
        : paramProblems(param, `/editable_params/${at}`, template)
    }),
  ]
}

function paramProblems(param: EditableParam, at: string, template: ListingTemplate | null): FieldError[] {
  const unit = paramUnits[param.key]
  const [least, most] = RANGES[param.key]
  const { min, max, step } = boundsOf(param)
  const whole = [param.min, param.max, param.step, param.default].every((text) => unit === 'usdc' || /^\d+$/.test(text))
  return [
    ...(param.unit === unit ? [] : [error(`${at}/unit`, 'wrong_unit', `must be ${unit} for ${param.key}`)]),
    ...(whole ? [] : [error(`${at}/min`, 'not_whole', `${unit} are whole numbers`)]),
    ...(min >= usdcUnits(least) && max <= usdcUnits(most) && min <= max
      ? []
      : [error(`${at}/max`, 'out_of_range', `min and max must lie between ${least} and ${most} ${unit}, min first`)]),
    ...(step > 0n ? [] : [error(`${at}/step`, 'too_small', 'must be above 0')]),
    ...(step > 0n && !isOnGrid({ min, max, step }, usdcUnits(param.default))
      ? [error(`${at}/default`, 'out_of_bounds', 'must lie between min and max, whole steps above min')]
      : []),
    ...(param.key === 'close_if_silent_minutes' && template?.markets.some(isLegMarket) === false
      ? [error(`${at}/key`, 'needs_leg_market', 'is for a template with a market that starts with hl:')]
      : []),
  ]
}

function citedProblems({ cited }: WrittenListing, now: Date): FieldError[] {
  const today = now.toISOString().slice(0, 10)
  return cited.flatMap(({ as_of_date: date }, at) => {
    const exists = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date)
    return exists && date <= today
      ? []
      : [error(`/cited/${at}/as_of_date`, 'not_past', 'must be a day that exists, today or earlier')]
  })
}

/** A template must give a draft with its defaults to an owner who sets no limits. */
function adoptionProblems({ template, editable_params: params }: WrittenListing, now: Date): FieldError[] {
  if (template === null) return []
  const adoption = adoptedLimits({ template, params, given: {}, policy: null, now })
  if (adoption.kind === 'limits' && template.markets.every(isLegMarket) && adoption.limits.perTxCap < LEG_ORDER_MIN)
    return [
      error('/template/per_tx_cap_usdc', 'below_min_order', 'must be at least 10: the venue takes no smaller order'),
    ]
  return adoption.kind === 'params'
    ? [
        error(
          '/template',
          'contradicts',
          `does not make a mandate of ${ADOPTED_BUDGET_USDC} USDC with its defaults: per_tx_cap_usdc must be above 0 and at most daily_cap_usdc, daily_cap_usdc at most the budget, stop_line_usdc below it`,
        ),
      ]
    : []
}
