import type { Refusal } from '@svc/contract'
import { jsonSchema, type Route } from '@svc/edge'
import type { Tool } from '../tools.ts'
import { stepsOf, type Step } from './steps.ts'

/** What the door tells about the deployment. */
export interface DoorOptions {
  /** Address of the API. */
  readonly apiBase: string
  /** Address of the human pages. */
  readonly webBase: string
  readonly routes: readonly Route[]
  readonly refusals: ReadonlyMap<string, Refusal>
  /** Calls per minute and day, by name. */
  readonly rateLimits: Readonly<Record<string, unknown>>
  readonly chainId: number
  /** Test USDC or USDC of the chain; null while no chain is configured. */
  readonly usdc: string | null
}

const MANDATE = 'POST /hub/mandates'
/** Refusal kinds that the vault and the service put on a call. */
const ASKED = new Set(['mandates', 'hl-leg', 'gallery', 'identity', 'keeper'])

/** Body of the door. */
export interface Door {
  readonly door: 'mandate'
  readonly title: string
  readonly detail: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly steps: readonly Step[]
  readonly refusals: readonly Readonly<Record<'code' | 'meaning' | 'fix', string> & { readonly status: number }>[]
  readonly rate_limits: Readonly<Record<string, unknown>>
  readonly client_config: Readonly<Record<string, unknown>>
  readonly docs: Readonly<Record<string, string>>
}

/** Returns the door: all that an agent needs to start inside limits. Nothing is charged. */
export function doorBody({ apiBase, webBase, routes, refusals, rateLimits }: DoorOptions): Door {
  const mandate = routes.find(({ operation }) => operation.http === MANDATE)
  if (mandate === undefined) throw new Error(`no contract declares ${MANDATE}`)
  const codes = new Set(
    routes.flatMap(({ operation }) =>
      ASKED.has(operation.service) ? (operation.refusals ?? []).map(({ code }) => code) : [],
    ),
  )
  return {
    door: 'mandate',
    title: 'A mandate opens this door',
    detail: 'An owner signs limits for you; a vault enforces them. Nothing is charged here.',
    schema: jsonSchema(mandate.operation.input, 'input'),
    steps: stepsOf(routes),
    refusals: [...refusals.values()]
      .filter(({ code }) => codes.has(code))
      .map(({ code, status, meaning, fix }) => ({ code, status, meaning, fix })),
    rate_limits: rateLimits,
    client_config: {
      mcpServers: {
        platform: {
          type: 'http',
          url: `${apiBase}/mcp?profile=hub`,
          headers: { 'X-SVC-User-Key': '<your key>' },
        },
      },
    },
    docs: {
      openapi: `${apiBase}/openapi.json`,
      skill: `${apiBase}/hub/skill.md`,
      tools: `${apiBase}/hub/mcp-tools`,
      guides: `${apiBase}/ui/docs`,
      llms: `${webBase}/ui/llms.txt`,
    },
  }
}

const NOBODY = '0x0000000000000000000000000000000000000000'

/**
 * Returns the value of the header PAYMENT-REQUIRED: an offer of x402 version 2 that costs nothing and whose scheme only
 * a mandate pays, so that a client that pays automatically declines it without signing anything.
 */
export function paymentRequired({ apiBase, chainId, usdc }: DoorOptions): string {
  const offer = {
    x402Version: 2,
    error: 'A mandate is required; no payment is.',
    resource: {
      url: `${apiBase}/hub/door`,
      description: 'How an owner gives you a mandate',
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme: 'svc-mandate',
        network: `eip155:${chainId}`,
        amount: '0',
        asset: usdc ?? NOBODY,
        payTo: NOBODY,
        maxTimeoutSeconds: 60,
        extra: { terms_version: 2 },
      },
    ],
  }
  return Buffer.from(JSON.stringify(offer)).toString('base64')
}

/** Returns the tools that are shown now, as `GET /hub/mcp-tools` prints them. */
export const toolList = (tools: readonly Tool[]) => ({
  items: tools.map(({ route, profile, printed: { name, title, description, annotations, inputSchema, _meta } }) => ({
    name,
    title,
    description,
    profile,
    hints: annotations,
    scope: route.operation.auth === 'open' ? null : route.scope,
    money_moving: _meta['svc/money_moving'] === true,
    may_lose: _meta['svc/may_lose'] ?? null,
    approval: _meta['svc/approval'] ?? null,
    input_schema: inputSchema,
  })),
})
