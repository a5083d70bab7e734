import type { DocumentOptions } from './document-options.ts'
import { readersOf } from './openapi.ts'

/** Returns a description of the platform as one page of plain text, for language models, with the routes of `/openapi.json`. */
export function llmsText(options: Omit<DocumentOptions, 'refusals'>): string {
  const { publicUrl } = options
  const routes = options.routes.filter((route) => readersOf(route) === 'public')
  const lines = options.contracts.flatMap((contract) => {
    const own = routes.filter((route) => route.operation.service === contract.name)
    return own.length === 0
      ? []
      : [
          `## ${contract.title}`,
          '',
          ...own.map(
            (route) =>
              `- ${route.method} ${route.path}: ${route.operation.summary} (${route.operation.auth}${(route.operation.tier ?? 0) > 0 ? `, Tier ${route.operation.tier}` : ''})`,
          ),
          '',
        ]
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
    `- Error codes: ${publicUrl}/problems`,
    `- Old names and when they go: ${publicUrl}/deprecations`,
    '',
    'Start: POST /auth/wallet/nonce, sign the message, POST /auth/agent/register; send the key as X-SVC-User-Key.',
    `Limits: ${options.dailyLimits.join(' / ')} requests a day on Free / Tier 1 / Tier 2; without a key ${options.openLimits.perMinute} a minute. Routes under /hub: ${options.minuteLimits.hub_read} reads and ${options.minuteLimits.hub_write} writes a minute and account instead.`,
    'Bodies are JSON, unknown members are refused, errors are RFC 9457 problem details with a stable "code".',
    '',
    ...lines,
  ].join('\n')
}
