import { common } from '@svc/contracts'
import type { DescribedPlace } from '@svc/edge'
import { z } from 'zod'
import { query } from '../choice.ts'

const text = (max: number) => z.string().max(max)
const members = z.looseObject({})

const door = z.object({
  door: z.literal('mandate'),
  title: text(200),
  detail: text(400),
  schema: members.meta({ description: 'JSON Schema of the body of POST /hub/mandates' }),
  steps: z
    .array(
      z.object({
        n: z.int().min(1).max(50),
        what: text(600),
        call: text(200).meta({ description: 'Route', example: 'POST /auth/wallet/nonce' }),
        needs: z.array(text(100)).max(50).meta({ description: 'Members that the call cannot do without' }),
        tool: text(128).nullable(),
      }),
    )
    .max(50)
    .meta({ description: 'From registration to the first trade, in order' }),
  refusals: z
    .array(z.object({ code: text(64), status: z.int().min(200).max(599), meaning: text(600), fix: text(600) }))
    .max(500),
  rate_limits: members,
  client_config: members.meta({ description: 'Configuration of an MCP client; put your key in it' }),
  docs: z.object({ openapi: text(400), skill: text(400), tools: text(400), guides: text(400), llms: text(400) }),
})

const toolList = z.object({
  items: z
    .array(
      z.object({
        name: text(128),
        title: text(128),
        description: text(8_000),
        profile: z.enum(['core', 'hub', 'full']),
        hints: members,
        scope: z.enum(['read', 'write', 'tx']).nullable(),
        money_moving: z.boolean(),
        may_lose: text(600).nullable(),
        approval: z.literal('owner').nullable(),
        input_schema: members,
      }),
    )
    .max(500),
})

const id = z.union([text(200), z.int()]).nullable()
/** More messages than this do not fit into a body. */
const BATCH_MAX = 2_000
/** A request, a notification, or an answer to the server, with whatever a client adds. */
const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional(),
    method: text(100).optional().meta({ description: 'Absent in an answer to the server' }),
    params: members.optional().meta({ description: 'What the method takes' }),
  })
  .meta({ title: 'McpMessage' })
const messages = z
  .union([message, z.array(message).min(1).max(BATCH_MAX)])
  .meta({ example: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'board', arguments: {} } } })
const answer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id,
    result: members.optional(),
    error: z
      .looseObject({ code: z.int(), message: text(2_000), data: members.optional() })
      .optional()
      .meta({ description: 'Of a refused message; data is the problem' }),
  })
  .meta({ title: 'McpAnswer' })
const answers = z.union([answer, z.array(answer).min(1).max(BATCH_MAX)])
const refused = { description: 'A JSON-RPC error; its data is the problem', content: { 'application/json': answer } }

const whileOpen = 'The switch HUB_DOOR_ENABLED opens it; while it is off the answer is 404.'

/** Places of agents that no operation declares, as the documents describe them. */
export const agentPlaces: readonly DescribedPlace[] = [
  {
    service: 'gateway',
    key: 'readDoor',
    method: 'GET',
    costs: 'free',
    path: '/hub/door',
    summary: 'Read how an agent gets a mandate: the steps, the refusals, the limits',
    description: `Answers 402 because a mandate opens what is behind it; nothing is charged. The header PAYMENT-REQUIRED has an offer of x402 that costs 0 and that payers decline. ${whileOpen}`,
    answers: {
      402: {
        description: 'The door. X-Hub-Door says what opens it.',
        headers: ['PAYMENT-REQUIRED'],
        content: { 'application/json': door },
      },
    },
    refusals: [common.notFound],
  },
  {
    service: 'gateway',
    key: 'readSkill',
    method: 'GET',
    costs: 'free',
    path: '/hub/skill.md',
    summary: 'Read the skill of agents: one page that starts an agent',
    description: whileOpen,
    answers: {
      200: { description: 'Markdown with a front matter', content: { 'text/markdown': text(6_144) } },
    },
    refusals: [common.notFound],
  },
  {
    service: 'gateway',
    key: 'listTools',
    method: 'GET',
    costs: 'free',
    path: '/hub/mcp-tools',
    summary: 'List the tools of agents that are shown now',
    description: `Tools whose switch is off are left out. ${whileOpen}`,
    answers: { 200: { description: 'Done', content: { 'application/json': toolList } } },
    refusals: [common.notFound],
  },
  {
    service: 'gateway',
    key: 'sendMessage',
    method: 'POST',
    costs: 'as its route',
    path: '/mcp',
    summary: 'Send a message of the Model Context Protocol, such as the call of a tool',
    description: 'Streamable HTTP. Revision 2025-03-26 may send an array of messages.',
    query,
    body: messages,
    answers: {
      200: {
        description: 'The answer to the message. Clients that accept it get events where the method has several.',
        content: { 'application/json': answers, 'text/event-stream': text(2 ** 31 - 1) },
      },
      202: { description: 'A notification was taken; the answer has no body', content: {} },
      400: {
        description: 'invalid_request: a wrong member of the query; as a JSON-RPC error: a wrong message',
        content: { 'application/problem+json': members, 'application/json': answer },
      },
      401: { ...refused, headers: ['WWW-Authenticate'] },
      429: { ...refused, headers: ['Retry-After'] },
    },
    refusals: [common.originRefused, common.bodyTooLarge, common.unsupportedMediaType],
  },
]
