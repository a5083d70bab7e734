import type { Admission, EdgeRefusal } from '@svc/edge'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callRoute, type Answer } from './call.ts'
import { isListed, type Choice } from './choice.ts'
import type { FixOf } from './result.ts'
import { withoutNulls } from './strict-schema.ts'
import { ME, type Switched, type Tool } from './tools.ts'

/** Calls a tool for a client that made a choice. */
export type CallTool = (
  app: FastifyInstance,
  request: FastifyRequest,
  tool: Tool,
  choice: Choice,
  given: Readonly<Record<string, unknown>>,
) => Promise<Answer>

/** What decides which tools are locked. */
interface Locks {
  readonly isShown: (one: Switched) => boolean
  readonly fixOf: FixOf
  readonly refusalsOf: Admission['refusalsOf']
}

/**
 * Returns how the tools of a profile are called: as their routes. An answer of `hub_me` gains `locked`, the listed tools for
 * which the account lacks a scope or a tier, each with what opens it.
 */
export const callsOf =
  (tools: ReadonlyMap<string, Tool>, { isShown, fixOf, refusalsOf }: Locks): CallTool =>
  async (app, request, tool, choice, given) => {
    const plain = choice.strict ? withoutNulls(tool.printed.inputSchema, given) : given
    const answer = await callRoute(app, request, tool, plain)
    if (tool.name !== ME || answer.status !== 200) return answer
    const listed = [...tools.values()].filter((one) => isShown(one) && isListed(choice, one))
    const refusals = await refusalsOf(
      request,
      listed.map(({ route }) => route),
    )
    const locked = listed.flatMap(({ name }, at) => lockOf(name, refusals[at] ?? null, fixOf))
    return { ...answer, added: { locked } }
  }

/** Returns what opens a tool; nothing for a tool that no scope and no tier would open. */
function lockOf(tool: string, refused: EdgeRefusal | null, fixOf: FixOf): Readonly<Record<string, unknown>>[] {
  const { required_scope: scope, required_tier: tier, human_action: action, fix } = refused?.members ?? {}
  if (typeof scope === 'string')
    return [{ tool, needs: `scope ${scope}`, ...(action === undefined ? {} : { human_action: action }) }]
  return typeof tier === 'number' ? [{ tool, needs: `Tier ${tier}`, fix: fixOf({ fix }) }] : []
}
