import type { FieldError } from '@svc/contract'
import type { ListingBody } from '@svc/contracts/gallery/listings'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import type { Context } from '#context.ts'
import { adoptedLimits } from './rules/adopted-limits.ts'

/** Returns why nobody could adopt a template now, such as a market that does not exist. Asks mandates. */
export async function templateProblems(
  { ask }: Pick<Context, 'ask'>,
  { template, editable_params: params }: ListingBody,
  now: Date,
): Promise<FieldError[]> {
  if (template === null) return []
  const adoption = adoptedLimits({ template, params, given: {}, policy: null, now })
  if (adoption.kind !== 'limits') return []
  const limits = limitsCodec.encode(adoption.limits)
  const { problems } = await ask.mandates.previewDraft({ limits, agent_id: null })
  return problems.map((problem) => ({ ...problem, pointer: `/template${problem.pointer}` }))
}
