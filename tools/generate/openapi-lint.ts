import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

const { Document, Ruleset, Spectral } = spectralCore

/**
 * Rules that are wrong for this API, each with the reason. Everything else of `spectral:oas` and the
 * OWASP set is in force.
 */
const NOT_FOR_US = {
  // The platform is reached through its API; no setting names a mail address that could be printed.
  'contact-properties': 'off',
} as const

/** Returns true for a finding that is right about other APIs and wrong about this one. */
function isOurs(code: string, path: string, message: string, parameter: string): boolean {
  // The answer of the feed catalogue contains schemas of items, so its example does: values, no schemas of this API.
  if (/\.content\..*\.example\./.test(path)) return true
  // Account ids are integers by the API documents; whoever guesses one is told that the agent is not theirs, or reads what is public.
  if (code === 'owasp:api1:2023-no-numeric-ids') return path.includes('/{agent_id}') || parameter === 'agent_id'
  // The rule is about the headers of responses, and also reads their definitions as if these were a response.
  if (code === 'owasp:api8:2023-define-cors-origin' && path === 'components.headers') return true
  // The documents of the door read neither a credential nor an input, and the door itself answers 402 by the API documents.
  if (/^paths\.\/hub\/(door|skill\.md|mcp-tools)\.get\.responses$/.test(path))
    return /define-error-(responses-401|validation)$/.test(code) || code === 'operation-success-response'
  // A token of the board is a traded asset, not a secret.
  return code === 'owasp:api2:2023-no-credentials-in-url' && message.endsWith('token_id.')
}

/** Returns the name of the parameter at a path like `paths./reports.get.parameters.4.schema`; the empty string elsewhere. */
function parameterAt(document: unknown, path: readonly (string | number)[]): string {
  const parent = path.slice(0, path.indexOf('parameters') + 2)
  const found = parent.reduce<unknown>(
    (node, key) => (node as Record<string | number, unknown> | undefined)?.[key],
    document,
  )
  return String((found as { name?: string } | undefined)?.name ?? '')
}

/**
 * Rules that compile a schema in every place that names it, which takes more than all others. Redocly judges the same examples
 * in every run, once each; only these rules judge the values of `default`.
 */
const EXAMPLES_IN_EVERY_PLACE = ['oas3-valid-schema-example', 'oas3-valid-media-example'] as const

/**
 * Returns the findings of Spectral with `spectral:oas` and the OWASP rules, one line each, any severity; without its rules on
 * examples and defaults unless `examples`.
 */
export async function spectralFindings(document: unknown, examples = true): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(
    new Ruleset({
      extends: [
        [rulesets.oas, 'all'],
        [owasp, 'all'],
      ],
      rules: {
        ...NOT_FOR_US,
        ...(examples ? {} : Object.fromEntries(EXAMPLES_IN_EVERY_PLACE.map((rule) => [rule, 'off' as const]))),
      },
    }),
  )
  const results = await spectral.run(new Document(JSON.stringify(document), parsers.Json, 'openapi.json'))
  const ours = results.filter(
    ({ code, path, message }) => !isOurs(String(code), path.join('.'), message, parameterAt(document, path)),
  )
  return ours.map((result) => `${result.code} ${result.path.join('.')}: ${result.message}`)
}

/** Findings of Redocly's recommended rules, one line each, any severity. */
export async function redoclyFindings(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  const ours = problems.filter(
    ({ ruleId, location }) =>
      ruleId !== 'operation-2xx-response' || location[0]?.pointer !== '#/paths/~1hub~1door/get/responses',
  )
  return ours.map((problem) => `${problem.ruleId} ${problem.location[0]?.pointer ?? ''}: ${problem.message}`)
}

/** Findings of Spectral's rules for Arazzo, one line each, any severity. */
export async function arazzoFindings(document: unknown): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [[rulesets.arazzo, 'all']] }))
  const results = await spectral.run(new Document(JSON.stringify(document), parsers.Json, 'arazzo.json'))
  return results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

/** Findings of Spectral's rules for AsyncAPI, one line each, any severity; without the mail address, as above. */
export async function asyncApiFindings(document: unknown): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(
    new Ruleset({
      extends: [[rulesets.asyncapi, 'recommended']],
      rules: { 'asyncapi-info-contact-properties': 'off' },
    }),
  )
  const results = await spectral.run(new Document(JSON.stringify(document), parsers.Json, 'asyncapi.json'))
  return results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}
