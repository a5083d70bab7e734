import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { inForce } from '#terms/clauses-view.ts'
import type { Context } from '#context.ts'
import { detailView, type DetailParts } from '../detail-view.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { orNull } from '#neighbours/or-null.ts'
import { partyOf, mandateOfCaller } from '#mandate/parties.ts'
import { legOf } from '#leg/store/legs.ts'
import { dayUseOf } from '#approvals/store/day-use.ts'
import { vaultInRecord } from '#record/store/record-steps.ts'
import { countRefusals, newestEntries } from '#record/store/record.ts'
import { countContradictions } from '#executions/store/reported-trades.ts'
import { newestTerms, type SignedTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { presentDeployment } from '#neighbours/deployment.ts'
import { presentTerms, signedFigures } from '#limits/terms-of-mandate.ts'
import { standing } from '#books/rules/vault.ts'

const EVENTS_SHOWN = 20
const WEEK_MS = 7 * 86_400_000

export const readMandate: BoundHandler<Context, typeof mandates.operations.readMandate> =
  (context) => async (input, call) => {
    const { pool } = context
    const party = partyOf(call)
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const [known, signed, entries, refusals, agent, use, leg, contradictions, recordJws, live] = await Promise.all([
      vaultOfMandate(pool, mandate.id),
      newestTerms(pool, mandate.id),
      newestEntries(pool, mandate.id, EVENTS_SHOWN),
      countRefusals(pool, mandate.id, new Date(call.now.getTime() - WEEK_MS)),
      'ownerId' in party && mandate.agent !== null ? orNull(context.agentsClient.readAgent(mandate.agent.id)) : null,
      dayUseOf(pool, mandate.id, call.now),
      legOf(pool, mandate.id),
      countContradictions(pool, mandate.id),
      signedHeadOf(context, mandate, call.now),
      inForce(context, call.now),
    ])
    const terms = await termsOf(context, mandate, signed, call.now)
    const parts = {
      mandate,
      vault: standing(known),
      signed,
      terms,
      agent,
      entries,
      refusals,
      use,
      leg,
      contradictions,
      recordJws,
      now: call.now,
    }
    return ok(200, detailView(parts, live))
  }

async function signedHeadOf({ pool, agentsClient }: Context, mandate: Mandate, now: Date): Promise<string | null> {
  const chain = await vaultInRecord(pool, mandate.id, mandate.record.seq)
  return agentsClient.signHead({ mandate: mandate.publicId, ...mandate.record, chain }, now)
}

async function termsOf(
  context: Context,
  mandate: Mandate,
  signed: SignedTerms | null,
  now: Date,
): Promise<DetailParts['terms']> {
  if (signed !== null) return { figures: signedFigures(signed), texts: signed.clauses }
  if (mandate.agent === null) return null
  const { terms, signable } = presentTerms(
    mandate,
    mandate.agent.wallet,
    presentDeployment(context, mandate),
    await context.catalogue.marketsAt(now),
  )
  return { figures: terms, texts: signable.clauses.map((clause) => ({ ...clause })) }
}
