import { common } from '@svc/contracts'
import { EdgeRefusal, queryOf } from '@svc/edge'
import { fieldErrors } from '@svc/service'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ProblemPlace } from './result.ts'
import { statedHints, type Hints } from './hints.ts'
import { strictSchemaOf } from './strict-schema.ts'
import { PROFILES, type PrintedTool, type Profile, type Tool } from './tools.ts'

/** What a client chooses by the query of `/mcp`, and the kind of account whose credential it brings. */
export interface Choice {
  readonly profile: Profile
  /** True if tool lists include output schemas. A refusal is then returned only in the text and in `_meta`. */
  readonly outputs: boolean
  /** True if every member of an input is listed as required; null then stands for an absent one. */
  readonly strict: boolean
  /** Names of the tools that the client wants; null means all of the profile. */
  readonly tools: ReadonlySet<string> | null
  /** True if the client wants only tools that change nothing. */
  readonly readonly: boolean
  /** Whose credential came with the message; null without one. */
  readonly caller: 'agent' | 'owner' | null
  /** The same as text, by which answers are kept. */
  readonly text: string
}

/** Most tools that a client may name. */
const NAMED_MAX = 100
/** Queries that were read before. */
const KEPT_MAX = 256

/** Members of the query of `/mcp`. */
export const query = z.strictObject({
  profile: z.enum(PROFILES).default('core').meta({ description: 'Set of tools; each has those before it' }),
  schemas: z.enum(['output', 'strict']).optional().meta({
    description: 'output: lists have the schemas of answers; strict: every member is required, null means absent',
  }),
  tools: z
    .string()
    .max(2_000)
    .transform((names) => names.split(',').filter((name) => name !== ''))
    .pipe(z.array(z.string().max(128)).min(1).max(NAMED_MAX))
    .optional()
    .meta({ description: 'Only these tools, separated by commas', example: 'board,token' }),
  readonly: z.enum(['0', '1']).default('0').meta({ description: '1: only tools that change nothing' }),
})

/** Returns how a query is read, with the tools of each profile. */
export function choices(tools: Readonly<Record<Profile, ReadonlyMap<string, Tool>>>) {
  const shape = query.superRefine(({ profile, tools: named = [] }, context) => {
    for (const name of named)
      if (!tools[profile].has(name))
        context.addIssue({
          code: 'custom',
          path: ['tools'],
          message: tools.full.has(name)
            ? `The tool ${name} is not in profile ${profile}; it is in ${PROFILES.find((one) => tools[one].has(name))}.`
            : `There is no tool ${name}.`,
        })
  })
  const kept = new LRUCache<string, Choice>({ max: KEPT_MAX })
  /** Returns the choice of a request. Throws a refusal that names each wrong member of the query. */
  return (request: FastifyRequest): Choice => {
    const key = `${callerOf(request)} ${request.url}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const parsed = shape.safeParse(queryOf(request))
    if (!parsed.success) throw new EdgeRefusal(common.invalidRequest, { errors: fieldErrors(parsed.error, 'query') })
    const { profile, schemas, tools: named, readonly } = parsed.data
    const caller = callerOf(request)
    const choice = {
      profile,
      outputs: schemas === 'output',
      strict: schemas === 'strict',
      tools: named === undefined ? null : new Set(named),
      readonly: readonly === '1',
      caller,
      text: [profile, schemas, named?.toSorted(), readonly, caller].join(' '),
    }
    kept.set(key, choice)
    return choice
  }
}

const callerOf = ({ headers }: FastifyRequest): Choice['caller'] =>
  headers['x-svc-user-key'] === undefined ? (headers.authorization === undefined ? null : 'owner') : 'agent'

/** Returns true if a client may call a tool. */
export const isChosen = (
  { tools, readonly }: Pick<Choice, 'tools' | 'readonly'>,
  { name, printed }: Pick<Tool, 'name' | 'printed'>,
): boolean => (tools === null || tools.has(name)) && (!readonly || printed.annotations.readOnlyHint)

/** Returns true if a list contains a tool: a kind of account that never may call it is not shown it. */
export const isListed = (
  choice: Pick<Choice, 'caller' | 'tools' | 'readonly'>,
  tool: Pick<Tool, 'name' | 'printed' | 'route'>,
): boolean => {
  const { auth } = tool.route.operation
  const isOfOthers = choice.caller === 'agent' ? auth === 'owner' : choice.caller === 'owner' && auth === 'agent'
  return !isOfOthers && isChosen(choice, tool)
}

/** What a choice says about the form of a list. */
type ListForm = Pick<Choice, 'outputs' | 'strict'>

/** Returns a tool as the list of a client prints it. */
export function printedFor({ outputs, strict }: ListForm, { printed }: Pick<Tool, 'printed'>): ListedTool {
  const { outputSchema, annotations, inputSchema, _meta, ...rest } = printed
  return {
    ...rest,
    inputSchema: strict ? strictSchemaOf(inputSchema) : inputSchema,
    annotations: statedHints(annotations),
    ...(outputs ? { outputSchema } : {}),
    ...(Object.keys(_meta).length === 0 ? {} : { _meta }),
  }
}

/** A tool in a list: without what a client assumes. */
type ListedTool = Omit<PrintedTool, 'annotations' | 'outputSchema' | '_meta'> &
  Partial<Pick<PrintedTool, 'outputSchema' | '_meta'>> & { readonly annotations: Partial<Hints> }

/** Returns the members of a tool result that carry the problem of a refusal. */
export const problemPlaceOf = ({ outputs }: Choice): ProblemPlace => (outputs ? '_meta' : 'structuredContent')
