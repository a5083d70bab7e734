import type { Operation, SettingDeclaration } from '@svc/contract'
import type { Route } from '@svc/edge'
import { hintsOf, moneyOf, type Hints } from './hints.ts'
import { inputSchemaOf } from './input-schema.ts'
import { quoteOf, type Quote } from './quote.ts'
import { outputSchemaOf, type JsonObjectSchema } from './output-schema.ts'
import { namesOf, refusalsText, type ToolNames } from './refusals.ts'

/** Sets of tools that a client chooses from, each with the tools of those before it. */
export const PROFILES = ['core', 'hub', 'full'] as const
export type Profile = (typeof PROFILES)[number]

/** Services whose tools a profile adds to those before it; `full` has all. */
const ADDED: Readonly<Record<Profile, readonly string[] | null>> = {
  core: ['identity', 'market-data', 'mining', 'research-reports', 'subscriptions'],
  hub: ['gallery', 'hl-leg', 'keeper', 'mandates'],
  full: null,
}

/** What switches show and hide. */
export interface Switched {
  readonly route: Route
  /** True if the switch of the door hides it. */
  readonly behindDoor: boolean
}

/** A tool: an operation as MCP shows it. */
export interface Tool extends Switched {
  readonly name: string
  /** First profile that has the tool. */
  readonly profile: Profile
  /** Quotes texts of strangers in its answers. */
  readonly quote: Quote
  /** Work that its calls may begin; null for a tool whose calls end with their answer. */
  readonly task: TaskKind | null
  /** As `tools/list` prints it. */
  readonly printed: PrintedTool
}

/** A kind of work that outlives the call of its tool. */
export interface TaskKind {
  /** Member of the answer that names the work, and of the input of `reads`. */
  readonly id: string
  readonly keptMs: number
  /** Route that reads the work. */
  readonly reads: Route
}

export interface PrintedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObjectSchema
  readonly outputSchema: JsonObjectSchema
  readonly annotations: Hints
  readonly _meta: Readonly<Record<string, unknown>>
}

/** Returns the tools of all routes, sorted by name. Throws if two operations name the same tool. */
export function toolsOf(routes: readonly Route[]): Tool[] {
  const known = namesOf(routes)
  const tools = routes.flatMap((route) => {
    const name = route.operation.tool
    return name === undefined ? [] : [toolOf(name, route, routes, known)]
  })
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) throw new Error(`two operations name the tool ${name}`)
    names.add(name)
  }
  return tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function toolOf(name: string, route: Route, routes: readonly Route[], known: ToolNames): Tool {
  const profile = PROFILES.find((one) => ADDED[one]?.includes(route.operation.service) !== false) ?? 'full'
  return {
    name,
    route,
    profile: name.startsWith('opvault_') ? 'full' : profile,
    quote: quoteOf(route.operation),
    task: taskOf(route, routes),
    behindDoor: isBehindDoor(route),
    printed: describeTool(name, route, known),
  }
}

/** Returns the kind of work that calls of a route may begin. Throws if the operation that reads it has no route. */
function taskOf({ operation: { task, service } }: Route, routes: readonly Route[]): TaskKind | null {
  if (task === undefined) return null
  const { id, keptMs, readBy } = task
  const reads = routes.find((one) => one.operation.service === service && one.operation.key === readBy)
  if (reads === undefined) throw new Error(`${service} has no route ${readBy}`)
  return { id, keptMs, reads }
}

/** Returns true if the switch of the door hides the tool of a route. */
export const isBehindDoor = ({ operation }: Pick<Route, 'operation'>): boolean =>
  operation.tool?.startsWith('mandate_') === true

/** Tool that says who calls; as a tool it also names the listed tools that the account may not use yet. */
export const ME = 'hub_me'
const LOCKED = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      tool: { type: 'string' },
      needs: { type: 'string' },
      fix: { type: ['string', 'null'] },
      human_action: { type: 'object' },
    },
    required: ['tool', 'needs'],
  },
} as const

/** Returns what a schema of answers says of a tool, with what the tool adds to the answer of its route. */
function answersOf(name: string, operation: Operation): JsonObjectSchema {
  const schema = outputSchemaOf(operation)
  return name === ME ? { ...schema, properties: { ...(schema['properties'] as object), locked: LOCKED } } : schema
}

/** Returns a tool as `tools/list` prints it. */
function describeTool(name: string, { operation, scope }: Route, known: ToolNames): PrintedTool {
  const title = operation.toolTitle ?? titleOf(name)
  return {
    name,
    title,
    description: descriptionOf(operation, scope, known),
    inputSchema: inputSchemaOf(operation),
    outputSchema: answersOf(name, operation),
    annotations: hintsOf(operation),
    _meta: {
      ...(operation.auth === 'open' || scope === 'read' ? {} : { 'svc/scope': scope }),
      ...(operation.tier === undefined || operation.tier === 0 ? {} : { 'svc/tier': operation.tier }),
      ...moneyOf(operation),
    },
  }
}

/** Returns the title of a tool from its name: `mandate_execute_call` is "Mandate execute call". */
function titleOf(name: string): string {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns what a tool does, what it needs, and what each refusal means and which tool to call next. */
function descriptionOf(
  { summary, auth, tier = 0, refusals = [] }: Operation,
  scope: Route['scope'],
  known: ToolNames,
): string {
  const needs = [
    ...(auth === 'owner' ? ['the session of an owner'] : []),
    ...(auth !== 'open' && auth !== 'owner' && scope === 'tx' ? ['scope tx, granted by your owner'] : []),
    ...(tier > 0 ? [`Tier ${tier}`] : []),
  ]
  return [
    `${summary}.`,
    ...(needs.length === 0 ? [] : [`Needs ${needs.join(' and ')}.`]),
    ...(refusals.length === 0 ? [] : [`Refusals: ${refusalsText(refusals, known)}.`]),
  ].join(' ')
}

/** Returns true if a tool is in a profile. */
export const isIn = (profile: Profile, tool: Tool): boolean =>
  PROFILES.indexOf(tool.profile) <= PROFILES.indexOf(profile)

/** Returns the switches without which a tool is not to be had, beside that of the door. */
export const switchesOfTool = ({ route: { operation } }: Pick<Switched, 'route'>): readonly SettingDeclaration[] => [
  ...(operation.flag === undefined ? [] : [operation.flag.setting]),
  ...(operation.toolSwitches ?? []),
]
