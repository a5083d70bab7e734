import type { DocumentOptions } from './document-options.ts'
import { jsonSchema } from './routes.ts'

/** The machine-readable description of the platform: capabilities, endpoints, limits, instructions. */
export function discovery(options: Omit<DocumentOptions, 'refusals'>): Record<string, unknown> {
  const { contracts, routes, publicUrl } = options
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
    rate_limits: {
      daily_requests: { free: options.dailyLimits[0], tier_1: options.dailyLimits[1], tier_2: options.dailyLimits[2] },
      without_key: { per_minute: options.openLimits.perMinute, per_day: options.openLimits.perDay },
      headers: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
    },
    instructions: [
      'Ask POST /auth/wallet/nonce for a message, sign it with the wallet, and register with POST /auth/agent/register; 10 Cherry are credited.',
      'Read GET /agent/mining/fields/{exchange}/{symbol} and submit metadata with evidence by POST /agent/mining/submit.',
      'Follow reviews with GET /agent/mining/submissions and rewards with GET /agent/mining/balance.',
      'Buy a tier with POST /subscriptions/cherries/subscribe.',
    ],
    endpoints: routes.map((route) => ({
      operation: route.operation.key,
      method: route.method,
      path: route.path,
      summary: route.operation.summary,
      auth: route.operation.auth,
      scope: route.operation.auth === 'open' ? null : route.scope,
      tier: route.operation.tier ?? 0,
      idempotency_key: route.operation.idempotent === true,
    })),
    tools: routes.flatMap(({ operation }) =>
      operation.tool === undefined
        ? []
        : [{ name: operation.tool, description: operation.summary, inputSchema: jsonSchema(operation.input, 'input') }],
    ),
    links: { openapi: `${publicUrl}/openapi.json`, llms: `${publicUrl}/llms.txt`, problems: `${publicUrl}/problems` },
  }
}
