import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { isAllowed, isListedTarget, isOpen, nobody, sameAddress, selectorOf, type Hex } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import { preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { termsFromLimits, secondsOf } from '#limits/engine-terms.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { signedTermsOf } from '#limits/terms-of-mandate.ts'
import { stateNow } from '#states/mandate-view.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import { agentRevoked, callNotListed, mandateNotClosed, unknownMandate } from '@svc/contracts/mandates/refusals'

export const prepareUnwind: BoundHandler<Context, typeof mandates.operations.prepareUnwind> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    // A stop in the record is not enough: the vault unwinds only once the contract has stopped or ended.
    if (isOpen(termsFromLimits(mandate), vault.books, secondsOf(call.now))) {
      const state = stateNow(mandate, vault, call.now)
      const inRecord = state === 'stopped' ? 'Stopped in the record only: send the call of stop-call first.' : undefined
      refuse(mandateNotClosed, inRecord, { state })
    }
    const signed = await newestTerms(context.pool, mandate.id)
    if (signed === null) refuse(unknownMandate)
    const terms = { ...termsFromLimits(mandate), calls: signedTermsOf(signed).factoryTerms.calls }
    const target = getAddress(input.target)
    const data = input.data as Hex
    const { selector, complete } = selectorOf(data)
    // The owner may use any function of a listed target, the agent only the listed functions.
    const owner = call.caller?.kind === 'owner'
    if (!owner && !sameAddress(vault.books.agent, mandate.agent?.wallet ?? nobody)) refuse(agentRevoked)
    const listed = owner ? isListedTarget(terms, target) : isAllowed(terms, target, selector)
    if (!complete || !listed)
      refuse(callNotListed, complete ? undefined : 'data must begin with the four bytes of a selector.')
    const prepared = preparedView(vaultCalls(vault).unwind({ target, data }), owner ? mandate.owner : mandate.agent)
    return ok(200, { public_id: mandate.publicId, ...prepared })
  }
