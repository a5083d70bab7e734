import { createRequestStateCodec, McpServer, ResourceTemplate, completable } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { CACHE_HINTS } from '../../src/server.ts'
import { addInputTools } from './input-tools.ts'

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
/** A sound file without a sample. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const STEP_MS = 50

const text = (of: string) => ({ type: 'text' as const, text: of })
const said = (of: string) => ({ content: [text(of)] })
const user = (content: object) => ({ role: 'user' as const, content: content as ReturnType<typeof text> })

/** Returns a server with every tool, resource and prompt that the conformance suite asks a server for. */
export function conformanceServer(): McpServer {
  const codec = createRequestStateCodec({ key: new Uint8Array(32).fill(7) })
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {}, logging: {} },
      cacheHints: CACHE_HINTS,
      requestState: { verify: codec.verify },
    },
  )
  addContentTools(server)
  addInputTools(server, codec)
  addResources(server)
  addPrompts(server)
  return server
}

function addContentTools(server: McpServer): void {
  const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
  const resource = (uri: string, mimeType: string, of: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType, text: of },
  })
  const tool = (name: string, content: object[]) =>
    server.registerTool(name, { description: name }, () => ({ content: content as ReturnType<typeof text>[] }))
  tool('test_simple_text', [text('Text of a tool.')])
  tool('test_image_content', [image])
  tool('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }])
  tool('test_embedded_resource', [resource('test://embedded-resource', 'text/plain', 'Text of a resource.')])
  tool('test_multiple_content_types', [
    text('Three kinds of content.'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"value":1}'),
  ])
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool fails.')
  })
  server.registerTool('test_logging_tool', { description: 'Logs' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'A line of a log.')
    return said('Logged.')
  })
  server.registerTool('test_tool_with_progress', { description: 'Tells its progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    }
    return said('Done.')
  })
}

function addResources(server: McpServer): void {
  const about = (mimeType: string) => ({ description: 'A resource', mimeType })
  server.registerResource('text', 'test://static-text', about('text/plain'), ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Text of a resource.' }],
  }))
  server.registerResource('binary', 'test://static-binary', about('image/png'), ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, about('application/json'), ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }))
}

function addPrompts(server: McpServer): void {
  const prompt = (name: string, ...contents: object[]) =>
    server.registerPrompt(name, { description: name }, () => ({ messages: contents.map(user) }))
  prompt('test_simple_prompt', text('A prompt.'))
  prompt('test_prompt_with_image', { type: 'image', data: PNG, mimeType: 'image/png' }, text('What is it?'))
  const argument = completable(z.string(), (value) => ['paris', 'park'].filter((word) => word.startsWith(value)))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Its text.' } })],
    }),
  )
}
