import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { toolsOf, type Tool } from '@svc/mcp'
import { expect } from 'vitest'
import { viaRoute, type Input } from './contract/tool-calls.ts'
import type { World } from './contract/world.ts'

// Answers are read by member, as an agent reads them.
type Body = any

/** What an agent does with a call besides the input: which members hold a choice of its own, and the answer that it expects. */
export interface Expected {
  /** Members, at any depth, whose values are the agent's own choice: amounts, names, notes, times. */
  readonly chosen?: readonly string[]
  /** The `code` of the refusal; absent: the call succeeds. */
  readonly refused?: string
}

/** The product as an agent sees it, which knows nothing but what earlier answers said. */
export interface AgentDoor {
  /**
   * Calls the operation of a tool. Throws unless every value of the input stood in an earlier answer or is chosen, and unless
   * the call ends as expected.
   */
  call(tool: string, input: Input, expected?: Expected): Promise<Body>
  /** Adds what a person told the agent, such as a pair code. */
  hear(told: string): void
  close(): Promise<void>
}

/** Texts that an agent has read. */
class Memory {
  #text = ''

  read(text: string): void {
    this.#text += `\n${text}`
  }

  /** Throws if a value of the input neither stood in a text nor is chosen. */
  mustKnow(tool: string, value: unknown, chosen: ReadonlySet<string>, member = ''): void {
    if (chosen.has(member) || value === null || typeof value === 'boolean') return
    if (typeof value === 'object') {
      for (const [name, one] of Object.entries(value as object))
        this.mustKnow(tool, one, chosen, Array.isArray(value) ? member : name)
      return
    }
    if (!this.#text.includes(typeof value === 'string' ? value : JSON.stringify(value)))
      throw new Error(`${tool}: no earlier answer gave the ${member} ${JSON.stringify(value)}`)
  }
}

const mustEndAs = (tool: string, body: Body, status: string, expected: Expected): Body => {
  const code = body?.ok === false || body?.code !== undefined ? (body.code as string) : undefined
  expect(code, `${tool} ${status}: ${JSON.stringify(body).slice(0, 1_500)}`).toBe(expected.refused)
  return body
}

/** Opens the door of tools: an unmodified MCP client with the key of the agent. */
export async function doorOfTools({ url }: Pick<World, 'url'>, key: string): Promise<AgentDoor> {
  const memory = new Memory()
  const client = new Client(
    { name: 'a harness', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp?profile=full`), {
      requestInit: { headers: { 'x-svc-user-key': key } },
    }),
  )
  memory.read(client.getInstructions() ?? '')
  memory.read(JSON.stringify(await client.listTools()))
  return {
    hear: (told) => memory.read(told),
    call: async (name, input, expected = {}) => {
      memory.mustKnow(name, input, new Set(expected.chosen))
      const { structuredContent, content } = await client.callTool({ name, arguments: { ...input } })
      memory.read(JSON.stringify(structuredContent ?? content))
      return mustEndAs(name, structuredContent, 'over MCP', expected)
    },
    close: () => client.close(),
  }
}

/** Opens the door of HTTP: an agent that read `/hub/door` and `/hub/skill.md`, and calls routes that they name. */
export async function doorOfHttp(world: Pick<World, 'send' | 'routes'>, key: string): Promise<AgentDoor> {
  const memory = new Memory()
  const documents = await Promise.all(
    ['/hub/door', '/hub/skill.md', '/openapi.json'].map(
      async (path) => (await world.send({ method: 'GET', path })).text,
    ),
  )
  const [door = '', skill = '', openapi = ''] = documents
  // The skill names the OpenAPI document for the inputs of its routes.
  expect(skill).toContain('/openapi.json')
  for (const text of [door, skill, openapi]) memory.read(text)
  const tools = new Map<string, Tool>(toolsOf(world.routes).map((tool) => [tool.name, tool]))
  return {
    hear: (told) => memory.read(told),
    close: async () => {},
    call: async (name, input, expected = {}) => {
      const tool = tools.get(name) ?? expect.fail(`no operation names the tool ${name}`)
      const { method, path } = tool.route
      if (![door, skill].some((text) => text.includes(`${method} ${path}`)))
        throw new Error(`neither document names ${method} ${path}`)
      memory.mustKnow(name, input, new Set(expected.chosen))
      const answer = await viaRoute(world, tool, { credential: { 'x-svc-user-key': key }, input }, crypto.randomUUID())
      memory.read(answer.text)
      return mustEndAs(name, answer.json, String(answer.status), expected)
    },
  }
}
