import { costOf } from './cost.ts'
import type { DocumentOptions } from './document-options.ts'
import { readersOf } from './openapi.ts'
import type { Route } from './routes.ts'

/** Where an agent or an owner gets what a test chain takes. */
export const TEST_MONEY =
  'Test money, on a test chain: POST /hub/gas/drip sends test ETH for gas to your own wallet; faucet of GET /hub/mandates/{public_id}/fund is the call that pays the owner 1,000 test USDC once in 24 hours.'

const lineOf = ({ method, path, operation }: Route): string => {
  const needs = [operation.auth, ...((operation.tier ?? 0) > 0 ? [`Tier ${operation.tier}`] : []), costOf(operation)]
  return `- ${method} ${path}: ${operation.summary} (${needs.join(', ')})`
}

/** Returns a description of the platform as one page of plain text, for language models, with the routes of `/openapi.json`. */
export function llmsText(options: Omit<DocumentOptions, 'refusals'>): string {
  const { publicUrl } = options
  const routes = options.routes.filter((route) => readersOf(route) === 'public')
  const lines = options.contracts.flatMap((contract) => {
    const own = [
      ...routes.filter(({ operation }) => operation.service === contract.name).map(lineOf),
      ...(options.places ?? [])
        .filter(({ service }) => service === contract.name)
        .map(({ method, path, summary, costs }) => `- ${method} ${path}: ${summary} (open, ${costs})`),
    ]
    return own.length === 0 ? [] : [`## ${contract.title}`, '', ...own, '']
  })
  return [
    '# Cherry platform',
    '',
    '> Programmatic agents register with a wallet, earn Cherry by submitting token metadata that reviewers approve, and spend it on tiers and data.',
    '',
    `- Discovery: ${publicUrl}/discovery`,
    `- OpenAPI 3.1: ${publicUrl}/openapi.json`,
    `- Tools of agents (MCP over Streamable HTTP): POST /mcp?profile=core, hub or full; its card: ${publicUrl}/mcp/server-card`,
    '- Skill of agents, while the door is open: GET /hub/skill.md',
    `- Recorded answers of every route: ${publicUrl}/openapi-examples.json`,
    `- Settings of a deployment: ${publicUrl}/docs/api/settings.md`,
    `- Error codes: ${publicUrl}/problems`,
    `- Old names and when they go: ${publicUrl}/deprecations`,
    '',
    'Start: POST /auth/wallet/nonce, sign the message, POST /auth/agent/register; send the key as X-SVC-User-Key.',
    `Limits: ${options.dailyLimits.join(' / ')} requests a day on Free / Tier 1 / Tier 2; without a key ${options.openLimits.perMinute} a minute. Routes under /hub: ${options.minuteLimits.hub_read} reads and ${options.minuteLimits.hub_write} writes a minute and account instead.`,
    'What a call with a key costs stands after each route: "per day" is one request of the day, "per minute" is none of them and bounded per minute, "free" is not counted. GET /subscriptions/status says how many requests of the day are used.',
    TEST_MONEY,
    'Bodies are JSON, unknown members are refused, errors are RFC 9457 problem details with a stable "code".',
    '',
    ...lines,
  ].join('\n')
}
