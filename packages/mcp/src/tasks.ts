import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { callRoute, type Answer } from './call.ts'
import { isChosen, problemPlaceOf, type Choice } from './choice.ts'
import { resultOf, type FixOf } from './result.ts'
import type { Switched, Tool } from './tools.ts'

/** What servers and clients that know tasks declare among their extensions. */
export const TASKS = { 'io.modelcontextprotocol/tasks': {} }
/** How often a client should look at a task. */
const POLL_MS = 2_000

/** Made once: a server is made for each message. */
const NAMING = { params: z.looseObject({ taskId: z.string().max(200) }) }

interface Reading {
  readonly app: FastifyInstance
  readonly request: FastifyRequest
  readonly tools: ReadonlyMap<string, Tool>
  readonly isShown: (one: Switched) => boolean
  readonly fixOf: FixOf
  readonly choice: Choice
}

/** The SDK types only the names of the envelope that it reads itself. */
type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined

/** Returns what the client of a message declares that it can do. */
export const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities =>
  (mcpReq.envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}

const knowsTasks = (context: ServerContext): boolean =>
  Object.keys(TASKS).every((name) => capabilitiesOf(context).extensions?.[name] !== undefined)

/**
 * Returns the task of work that outlives the call of a tool; null for a call that ended with its answer, and for a client
 * that knows no tasks. The id of the task is that of the work, which its service stores.
 */
export function taskOfCall({ task }: Tool, { status, body }: Answer, context: ServerContext): CallToolResult | null {
  if (task === null || status !== 202 || body === null || !knowsTasks(context)) return null
  const started = { resultType: 'task', ...describe(String(body[task.id]), task, body), status: 'working' }
  // The SDK types only results that end a call, and hands this one on.
  return started as unknown as CallToolResult
}

/** Lets a server read the tasks that its tools began, each by its route. Work that was begun is not stopped. */
export function serveTasks(server: Server, reading: Reading): void {
  const read = async (taskId: string, context: ServerContext) => {
    if (!knowsTasks(context))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: TASKS } })
    return readTask(taskId, reading)
  }
  server.setRequestHandler('tasks/get', NAMING, ({ taskId }, context) => read(taskId, context))
  // No task of this server asks for anything, and none is stopped: both are answered as soon as the task is known.
  for (const method of ['tasks/update', 'tasks/cancel'])
    server.setRequestHandler(method, NAMING, async ({ taskId }, context) => {
      await read(taskId, context)
      return {}
    })
}

/** Returns a task as it stands; a refusal that ends the work is its result. Throws for any other, with its problem. */
async function readTask(taskId: string, { app, request, tools, isShown, fixOf, choice }: Reading) {
  const tool = [...tools.values()].find((one) => isShown(one) && isChosen(choice, one) && isTaskOf(one, taskId))
  if (tool === undefined || tool.task === null) throw noTask(taskId)
  const answer = await callRoute(app, request, { route: tool.task.reads }, { [tool.task.id]: taskId })
  const { status, body } = answer
  if (status === 404) throw noTask(taskId)
  if (status >= 400 && status !== 409)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${String(body?.['code'])}: ${String(body?.['detail'])}`, {
      problem: body,
    })
  const described = describe(taskId, tool.task, body ?? {})
  if (status === 202) return { ...described, status: 'working' }
  return {
    ...described,
    status: 'completed',
    result: { ...resultOf(answer, tool.quote, fixOf, problemPlaceOf(choice)), resultType: 'complete' },
  }
}

const isTaskOf = ({ task }: Tool, taskId: string): boolean =>
  task !== null && task.reads.operation.input.safeParse({ [task.id]: taskId }).success

const noTask = (taskId: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId.slice(0, 64)} of yours.`)

/** Returns what every state of a task says; `body` is the answer that it follows from. */
function describe(taskId: string, { keptMs }: NonNullable<Tool['task']>, body: NonNullable<Answer['body']>) {
  const now = new Date().toISOString()
  const { created_at: createdAt = now } = body
  return { taskId, createdAt, lastUpdatedAt: now, ttlMs: keptMs, pollIntervalMs: POLL_MS }
}
