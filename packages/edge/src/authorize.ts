import type { Caller } from '@svc/contract'
import { common } from '@svc/contracts'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** What a person does so that a key may trade. */
const GRANT = {
  fix: 'Only your paired owner can grant scope tx: ask your owner to grant it to this key on the page /ui/agent, or with POST /hub/agents/{agent_id}/keys/{key_id}/scopes.',
  human_action: {
    who: 'owner',
    url: '/ui/agent',
    route: 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes',
  },
} as const

/** Throws the refusal if a caller does not satisfy the auth, scope or tier of a route. */
export function authorize(route: Route, caller: Caller | null): void {
  const refusal = refusalOf(route, caller)
  if (refusal !== null) throw refusal
}

/** Returns the refusal of a caller who does not satisfy the auth, scope or tier of a route; null if it may pass. */
export function refusalOf(route: Route, caller: Caller | null): EdgeRefusal | null {
  const { auth, tier = 0 } = route.operation
  if (auth === 'open') return null
  if (caller === null) return new EdgeRefusal(common.unauthenticated)
  const kindFits =
    auth === 'account'
      ? caller.kind !== 'service'
      : auth === 'agent' || auth === 'owner'
        ? caller.kind === auth
        : auth !== 'service' && caller.roles.includes(auth)
  if (!kindFits)
    return new EdgeRefusal(common.forbidden, {
      detail: `This route is for: ${auth === 'account' ? 'an agent key or an owner session' : auth}.`,
      members:
        auth === 'owner' && caller.kind === 'agent'
          ? { fix: 'Ask your owner to do it: the route takes the session of an owner alone.' }
          : {},
    })
  // Only keys have the scope `tx`: a session acts for the owner, whom the route must admit by its auth.
  const scoped = route.scope === 'tx' && caller.kind === 'owner' ? 'write' : route.scope
  if (!caller.scopes.includes(scoped)) {
    return new EdgeRefusal(common.missingScope, {
      detail: `The key lacks scope "${route.scope}".`,
      members: { required_scope: route.scope, ...(route.scope === 'tx' ? GRANT : {}) },
    })
  }
  // The handler asks whose tier counts: that of the owner, or of the agent that the call names.
  if (caller.kind === 'owner' && route.operation.tierOfAgent !== undefined) return null
  if (caller.tier < tier) {
    return new EdgeRefusal(common.tierRequired, {
      detail: `This route needs Tier ${tier}; the account has ${caller.tier === 0 ? 'Free' : `Tier ${caller.tier}`}.`,
      members: {
        required_tier: tier,
        upgrade: 'POST /subscriptions/cherries/subscribe',
        fix: `Read the price with GET /subscriptions/cherries/upgrade-preview and buy the tier with POST /subscriptions/cherries/subscribe: {"tier": ${tier}, "months": 1}.`,
      },
    })
  }
  return null
}
