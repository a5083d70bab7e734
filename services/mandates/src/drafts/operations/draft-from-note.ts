import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { draftExpiry, DRAFTS_MAX, ruleContext } from '../checked-draft.ts'
import { clientHash } from '#client-hash.ts'
import type { Context } from '#context.ts'
import { draftProblems } from '../rules/draft-rules.ts'
import { draftFromNote as readNote } from '../rules/purpose-note.ts'
import { mandateIdHash, claimHash } from '#mandate/mandate-hashes.ts'
import { ownerOf } from '#mandate/parties.ts'
import { countDraftOf } from '../store/draft-counts.ts'
import { countDrafts, insertMandate } from '../store/drafts.ts'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { draftLimit, invalidMandate } from '@svc/contracts/mandates/refusals'

const PROBLEMS_MAX = 20
const UNOWNED_HOURS = 24
const UNOWNED_PER_DAY = 20
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export const draftFromNote: BoundHandler<Context, typeof mandates.operations.draftFromNote> =
  (context) => async (input, call) => {
    const rules = await ruleContext(context, call.now)
    const read = readNote(input.note, rules.markets, rules)
    const fields = read.fields.map((field) => ({ ...field }))
    const broken = draftProblems(read.limits, rules)
    const problems = [...read.problems, ...broken].slice(0, PROBLEMS_MAX)
    const unread = [...read.unread]
    const draft = { name: read.name, ...limitsCodec.encode(read.limits) }
    // An effect without a write marks the Idempotency-Key of the call as used.
    if (!input.save)
      return call.effect(() => Promise.resolve(ok(200, { ok: true as const, draft, fields, problems, unread })))
    if (problems.length > 0) refuse(invalidMandate, undefined, {}, problems)

    const owner = call.caller?.kind === 'owner' ? ownerOf(call.caller) : null
    const claimToken = owner === null ? context.newClaimToken() : null
    return call.effect(async (tx) => {
      if (owner === null) {
        const count = await countDraftOf(tx, clientHash(call.client ?? 'unknown', call.now), call.now)
        if (count > UNOWNED_PER_DAY)
          refuse(common.rateLimited, `A client without a session can save ${UNOWNED_PER_DAY} drafts a day.`, {
            fix: 'Sign in with POST /auth/wallet/session to save more, or wait until retry_at.',
            retry_at: new Date((Math.floor(call.now.getTime() / DAY_MS) + 1) * DAY_MS).toISOString(),
          })
      } else if ((await countDrafts(tx, owner.id, call.now)) >= DRAFTS_MAX)
        refuse(draftLimit, undefined, { limit: DRAFTS_MAX })

      const publicId = context.newPublicId()
      const expiresAt = owner === null ? new Date(call.now.getTime() + UNOWNED_HOURS * HOUR_MS) : draftExpiry(call.now)
      const mandate = await insertMandate(
        tx,
        {
          publicId,
          idHash: mandateIdHash(publicId),
          owner,
          claimHash: claimToken === null ? null : claimHash(claimToken),
          name: read.name,
          limits: read.limits,
          agent: null,
          expiresAt,
        },
        call.now,
      )
      // The record of an unowned draft begins when an account claims the draft.
      if (owner !== null)
        await appendEntry(tx, mandate, {
          at: call.now,
          kind: 'drafted',
          source: 'owner',
          body: { name: read.name, limits: limitsCodec.encode(mandate.limits), agent_id: null, note: input.note },
        })
      return ok(201, {
        ok: true as const,
        public_id: publicId,
        draft,
        fields,
        claim_token: claimToken,
        expires_at: expiresAt.toISOString(),
      })
    })
  }
