import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { inForce } from '../clauses-view.ts'
import type { Context } from '../context.ts'
import { detailView, type DetailParts } from '../detail-view.ts'
import type { Mandate } from '../domain/mandate.ts'
import { orNull } from '../or-null.ts'
import { partyOf, mandateOfCaller } from '../parties.ts'
import { heldBy } from '../store/approvals.ts'
import { vaultInRecord } from '../store/record-steps.ts'
import { countRefusals, newestEntries } from '../store/record.ts'
import { countContradictions } from '../store/reported-trades.ts'
import { newestTerms, type SignedTerms } from '../store/signed-terms.ts'
import { standing, vaultOfMandate } from '../store/vaults.ts'
import { presentTerms, signedFigures } from '../terms-of-mandate.ts'

const EVENTS_SHOWN = 20
const WEEK_MS = 7 * 86_400_000

export const readMandate: BoundHandler<Context, typeof mandates.operations.readMandate> =
  (context) => async (input, call) => {
    const { pool } = context
    const party = partyOf(call)
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const [known, signed, entries, refusals, agent, { held }, contradictions, recordJws, live] = await Promise.all([
      vaultOfMandate(pool, mandate.id),
      newestTerms(pool, mandate.id),
      newestEntries(pool, mandate.id, EVENTS_SHOWN),
      countRefusals(pool, mandate.id, new Date(call.now.getTime() - WEEK_MS)),
      'ownerId' in party && mandate.agent !== null ? orNull(context.accounts.readAgent(mandate.agent.id)) : null,
      heldBy(pool, mandate.id, call.now),
      countContradictions(pool, mandate.id),
      signedHeadOf(context, mandate, call.now),
      inForce(context, call.now),
    ])
    const terms = termsOf(context, mandate, signed)
    const parts = {
      mandate,
      vault: standing(known),
      signed,
      terms,
      agent,
      entries,
      refusals,
      held,
      contradictions,
      recordJws,
      now: call.now,
    }
    return ok(200, detailView(parts, live))
  }

async function signedHeadOf({ pool, accounts }: Context, mandate: Mandate, now: Date): Promise<string | null> {
  const chain = await vaultInRecord(pool, mandate.id, mandate.record.seq)
  return accounts.signHead({ mandate: mandate.publicId, ...mandate.record, chain }, now)
}

function termsOf({ place, markets }: Context, mandate: Mandate, signed: SignedTerms | null): DetailParts['terms'] {
  if (signed !== null) return { figures: signedFigures(signed), texts: signed.clauses }
  if (mandate.agent === null) return null
  const { terms, signable } = presentTerms(mandate, mandate.agent.wallet, place, markets)
  return { figures: terms, texts: signable.clauses.map((clause) => ({ ...clause })) }
}
