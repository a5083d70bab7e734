import type { Route } from '@svc/edge'
import type { TestCaller } from './callers.ts'

/** Returns the refusal that the edge owes a caller of a route; null if the caller must be admitted. */
export function refusalFor(
  route: Route,
  caller: TestCaller,
): { readonly status: 401 | 403; readonly code: string } | null {
  const { auth, tier = 0, tierOfAgent } = route.operation
  if (caller.kind === 'bad') return { status: 401, code: 'unauthenticated' }
  if (auth === 'open') return null
  if (caller.kind === 'none') return { status: 401, code: 'unauthenticated' }
  const fits: Readonly<Record<string, boolean>> = {
    account: caller.kind === 'agent' || caller.kind === 'owner',
    agent: caller.kind === 'agent',
    owner: caller.kind === 'owner',
    reviewer: caller.roles.includes('reviewer'),
    admin: caller.roles.includes('admin'),
    keeper: caller.roles.includes('keeper'),
  }
  if (fits[auth] !== true) return { status: 403, code: 'forbidden' }
  const scope = route.scope === 'tx' && caller.kind === 'owner' ? 'write' : route.scope
  if (!caller.scopes.includes(scope)) return { status: 403, code: 'missing_scope' }
  // The handler asks whose tier counts, that of the owner or of the agent that the call names.
  if (caller.kind === 'owner' && tierOfAgent !== undefined) return null
  if (caller.tier < tier) return { status: 403, code: 'tier_required' }
  return null
}
