import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequest,
  type InputRequests,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })
const ask = (message: string, member: string, type: z.ZodType = z.string()): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [member]: type }) })
const sample = (text: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 50 })

const askName = () => ask('What is your name?', 'name')
const named = z.object({ name: z.string() })
const allOf = (requests: InputRequests, { mcpReq: { inputResponses = {} } }: ServerContext) =>
  Object.keys(requests).every((key) => Object.hasOwn(inputResponses, key))

/** Adds the tools and the prompt that need an answer of the client before they are done. */
export function addInputTools(server: McpServer, codec: RequestStateCodec): void {
  const tool = (
    name: string,
    call: (context: ServerContext) => Promise<CallToolResult | ReturnType<typeof inputRequired>>,
  ) => server.registerTool(`test_input_required_result_${name}`, { description: name }, call)
  /** Adds a tool that is done once each of its requests is answered. */
  const asking = (name: string, requests: InputRequests, state: string | null, done: string) =>
    tool(name, async (context) => {
      const stated = state === null || context.mcpReq.requestState() === state
      if (stated && allOf(requests, context)) return said(done)
      return inputRequired({
        inputRequests: requests,
        ...(state === null ? {} : { requestState: await codec.mint(state) }),
      })
    })
  tool('elicitation', async ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name', named)
    return answer === undefined
      ? inputRequired({ inputRequests: { user_name: askName() } })
      : said(`Hello, ${answer.name}!`)
  })
  const roots = { client_roots: inputRequired.listRoots() }
  const sampled = { capital_question: sample('What is the capital of France?') }
  asking('sampling', sampled, null, 'Sampled.')
  asking('list_roots', roots, null, 'Rooted.')
  asking('request_state', { confirm: ask('Please confirm', 'ok', z.boolean()) }, 'asked', 'state-ok')
  asking('tampered_state', { confirm: ask('Please confirm', 'ok', z.boolean()) }, 'sealed', 'state-ok')
  asking('multiple_inputs', { user_name: askName(), greeting: sample('Greet'), ...roots }, 'three', 'All three.')
  tool('multi_round', async ({ mcpReq }) => {
    const round = mcpReq.requestState() ?? 'first'
    if (round === 'third') return said('Three rounds.')
    const step = round === 'first' ? { step1: askName() } : { step2: ask('Which color?', 'color') }
    return inputRequired({
      inputRequests: step,
      requestState: await codec.mint(round === 'first' ? 'second' : 'third'),
    })
  })
  tool('capabilities', async ({ mcpReq }) => {
    const envelope = mcpReq.envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
    const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY]
    if (mcpReq.inputResponses !== undefined) return said('Answered.')
    return inputRequired({
      inputRequests: {
        ...(capabilities?.sampling === undefined ? {} : sampled),
        ...(capabilities?.elicitation === undefined ? {} : { user_name: askName() }),
      },
    })
  })
  server.registerTool('test_streaming_elicitation', { description: 'Asks' }, async () =>
    inputRequired({ inputRequests: { user_name: askName() } }),
  )
  addMissingCapability(server)
  const context = { user_context: ask('What context?', 'context') }
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, async (given) =>
    allOf(context, given)
      ? { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'A prompt.' } }] }
      : inputRequired({ inputRequests: context }),
  )
}

/** Adds the tool that needs a capability which the client does not declare. */
function addMissingCapability(server: McpServer): void {
  server.registerTool('test_missing_capability', { description: 'Samples' }, async () =>
    inputRequired({ inputRequests: { question: sample('Why?') } }),
  )
}
