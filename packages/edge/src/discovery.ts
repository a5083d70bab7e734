import { DOCUMENTS_PER_MINUTE } from './allowance.ts'
import type { DescribedPlace } from './described-place.ts'
import type { DocumentOptions } from './document-options.ts'
import { TEST_MONEY } from './llms.ts'
import { readersOf } from './openapi.ts'
import { jsonSchema, type Route } from './routes.ts'

/** The complete flow of an agent and an owner, in the order in which calls become possible. */
const INSTRUCTIONS = [
  'Ask POST /auth/wallet/nonce for a message, sign it with the wallet, and register with POST /auth/agent/register; 10 Cherry are credited.',
  'Read GET /agent/mining/fields/{exchange}/{symbol} and submit metadata with evidence by POST /agent/mining/submit.',
  'Follow reviews with GET /agent/mining/submissions and rewards with GET /agent/mining/balance.',
  'Read GET /board and GET /tokens/{token_id} for grades and risk, GET /alerts/crisis for pairs in crisis, GET /arbitrage for gaps between exchanges.',
  'Buy a tier with POST /subscriptions/cherries/subscribe; GET /subscriptions/cherries/upgrade-preview returns the price beforehand.',
  'With Tier 1 name the pairs that matter to you with POST /agent/targets/add; they are scanned every minute, and GET /agent/targets shows the newest scan.',
  'Read GET /research/pair for a target; make its PDF with POST /reports/pair_pdf and download it with GET /reports/{report_id}.',
  'Choose feeds from GET /feeds/catalog, subscribe with POST /feeds/subscribe, and follow them with GET /feeds/stream/{feed_key} or GET /feeds/data/{feed_key}.',
  'To trade for an owner, pair with it: the owner gets a code from POST /hub/agents/pair-code, and the agent sends it to POST /hub/agents/pair.',
  'The owner drafts a mandate with POST /hub/mandates/draft or POST /hub/mandates, names the agent with POST /hub/mandates/{public_id}/assign, signs what GET /hub/mandates/{public_id}/terms returns with POST /hub/mandates/{public_id}/sign, and creates and funds the vault with the calls of GET /hub/mandates/{public_id}/create-call and GET /hub/mandates/{public_id}/fund.',
  'The agent finds offers with GET /hub/agents/{agent_id}/offers, accepts with POST /hub/mandates/{public_id}/accept, checks a call with POST /hub/mandates/{public_id}/simulate, and gets it ready to send from GET /hub/mandates/{public_id}/execute-call. A call above the approval amount waits for the owner at GET /hub/mandates/{public_id}/approvals.',
  'The agent reports what it did with POST /hub/mandates/{public_id}/events. Both follow GET /hub/mandates/{public_id}/live; GET /hub/mandates/{public_id}/record returns the record, and GET /hub/mandates/{public_id}/record/export returns the file that a verifier reads.',
  'The owner may pause, stop and withdraw at any time with the calls of GET /hub/mandates/{public_id}/pause-call, GET /hub/mandates/{public_id}/stop-call and GET /hub/mandates/{public_id}/withdraw-call.',
]

/** Returns the name in `rate_limits` of the limit that counts a call with a credential. */
function limitOf({ operation }: Route): string | null {
  const rule = operation.limit ?? 'daily'
  const names = {
    daily: 'daily_requests',
    account: 'account',
    hub_read: 'hub.reads_per_minute',
    hub_write: 'hub.writes_per_minute',
    hub_exit: 'hub.exits_per_minute',
    none: null,
  }
  return names[rule]
}

/** Limits of calls, as the documents print them. */
export type RateLimits = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Returns the limits of calls by name. */
export const rateLimitsOf = (
  options: Pick<DocumentOptions, 'dailyLimits' | 'minuteLimits' | 'openLimits'>,
): RateLimits => ({
  daily_requests: { free: options.dailyLimits[0], tier_1: options.dailyLimits[1], tier_2: options.dailyLimits[2] },
  without_key: { per_minute: options.openLimits.perMinute, per_day: options.openLimits.perDay },
  account: { per_minute: options.minuteLimits.account },
  hub: {
    reads_per_minute: options.minuteLimits.hub_read,
    writes_per_minute: options.minuteLimits.hub_write,
    exits_per_minute: options.minuteLimits.hub_exit,
  },
  documents: { per_minute: DOCUMENTS_PER_MINUTE },
  pages: { per_minute: options.openLimits.pagesPerMinute ?? DOCUMENTS_PER_MINUTE },
})

const endpointOf = (route: Route) => ({
  operation: route.operation.key,
  method: route.method,
  path: route.path,
  summary: route.operation.summary,
  auth: route.operation.auth,
  scope: route.operation.auth === 'open' ? null : route.scope,
  tier: route.operation.tier ?? 0,
  limit: limitOf(route),
  idempotency_key: route.operation.idempotent === true,
})

/** A free place is counted as the read of a document; the tools count what they call. */
const endpointOfPlace = ({ key, method, path, summary, costs }: DescribedPlace): ReturnType<typeof endpointOf> => ({
  operation: key,
  method,
  path,
  summary,
  auth: 'open',
  scope: null,
  tier: 0,
  limit: costs === 'free' ? 'documents' : costs,
  idempotency_key: false,
})

/** Returns the machine-readable description of the platform: capabilities, endpoints, limits, instructions. */
export function discovery(options: Omit<DocumentOptions, 'refusals'>): Record<string, unknown> {
  const { contracts, routes, publicUrl, walletLinks = [] } = options
  return {
    name: 'Cherry platform',
    version: options.version,
    base_url: publicUrl,
    capabilities: contracts
      .filter((contract) => Object.values(contract.operations).some((operation) => operation.http !== undefined))
      .map(({ name, title }) => ({ name, title })),
    authentication: {
      api_key: {
        header: 'X-SVC-User-Key',
        obtain: ['POST /auth/wallet/nonce', 'sign the message', 'POST /auth/agent/register'],
      },
      bearer: {
        header: 'Authorization: Bearer <JWT>',
        obtain: ['POST /auth/wallet/nonce with purpose "session"', 'sign the message', 'POST /auth/wallet/session'],
      },
    },
    rate_limits: { ...rateLimitsOf(options), headers: ['RateLimit', 'RateLimit-Policy', 'Retry-After'] },
    instructions: [...INSTRUCTIONS, TEST_MONEY],
    endpoints: [
      ...routes.filter((route) => readersOf(route) === 'public').map(endpointOf),
      ...(options.places ?? []).map(endpointOfPlace),
    ],
    tools: routes.flatMap((route) => {
      const { operation } = route
      return operation.tool === undefined || options.isToolOn?.(route) === false
        ? []
        : [{ name: operation.tool, description: operation.summary, inputSchema: jsonSchema(operation.input, 'input') }]
    }),
    links: {
      openapi: `${publicUrl}/openapi.json`,
      staff: `${publicUrl}/openapi-staff.json`,
      examples: `${publicUrl}/openapi-examples.json`,
      settings: `${publicUrl}/docs/api/settings.md`,
      llms: `${publicUrl}/llms.txt`,
      mcp: `${publicUrl}/mcp?profile=core`,
      problems: `${publicUrl}/problems`,
      deprecations: `${publicUrl}/deprecations`,
      ...(walletLinks.length === 0 ? {} : { wallet: walletLinks }),
    },
  }
}
