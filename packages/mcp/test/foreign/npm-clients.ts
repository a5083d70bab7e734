import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import * as v2 from '@modelcontextprotocol/client'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { seenOf, type Connect, type Given, type Result } from './client.ts'

/** Members of an SDK that a harness uses. */
interface Sdk {
  readonly Client: new (
    about: { name: string; version: string },
    options?: object,
  ) => {
    connect(transport: unknown): Promise<void>
    listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
    callTool(call: { name: string; arguments: Given }): Promise<Result>
    close(): Promise<void>
  }
  readonly Transport: new (url: URL, options: { requestInit: RequestInit }) => unknown
}

const ofSdk =
  (load: () => Promise<Sdk>, options?: v2.ClientOptions): Connect =>
  async (url, headers) => {
    const { Client, Transport } = await load()
    const client = new Client({ name: 'a client', version: '1' }, options)
    await client.connect(new Transport(url, { requestInit: { headers } }))
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, given) => seenOf(await client.callTool({ name, arguments: given })),
      close: () => client.close(),
    }
  }

const second = async () => ({
  Client: v2.Client as unknown as Sdk['Client'],
  Transport: v2.StreamableHTTPClientTransport,
})

const aiSdk: Connect = async (url, headers) => {
  const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } })
  const tools = await client.tools()
  return {
    names: async () => Object.keys(tools),
    call: async (name, given) => {
      return seenOf(
        (await tools[name]?.execute({ ...given }, { toolCallId: 'call-1', messages: [], context: {} })) as Result,
      )
    },
    close: () => client.close(),
  }
}

/** The message with which the SDK gives its model the result of a call. */
interface ReadBack {
  readonly content?: readonly { readonly output: { readonly value: unknown } }[]
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** An agent of the AI SDK. Its model calls the tool that the test names, and ends with the text that it reads back. */
const aiAgent: Connect = async (url, headers) => {
  const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } })
  const tools = await client.tools()
  /** Lets the model take one turn, with a call or without, and returns what it was given in its last turn. */
  const play = async (call?: { readonly name: string; readonly given: Given }) => {
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const calls = call !== undefined && prompt.at(-1)?.role === 'user'
        return {
          content: calls
            ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: call.name, input: JSON.stringify(call.given) }]
            : [{ type: 'text', text: 'done' }],
          finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
          usage: USAGE,
          warnings: [],
        }
      },
    })
    const { steps } = await generateText({ model, tools, prompt: 'go on', stopWhen: isStepCount(2) })
    return { steps, last: model.doGenerateCalls.at(-1) }
  }
  return {
    names: async () => ((await play()).last?.tools ?? []).map(({ name }) => name),
    call: async (name, given) => {
      const { steps, last } = await play({ name, given })
      const outcome = steps[0]?.content.find(({ type }) => type !== 'tool-call')
      if (outcome?.type !== 'tool-result') throw new Error('the call has failed', { cause: outcome })
      const { content: [read] = [] } = (last?.prompt.at(-1) ?? {}) as ReadBack
      return seenOf({ ...(outcome.output as Result), content: read?.output.value })
    },
    close: () => client.close(),
  }
}

const home = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true }))
const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/cli/build/index.js',
)

/** The command line of the Inspector: each command is a client of its own, which lists the tools before it calls one. */
export const inspector: Connect = async (url, headers) => {
  const run = async (...given: string[]): Promise<Result & { readonly tools?: { readonly name: string }[] }> => {
    const named = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [INSPECTOR, url.href, '--transport', 'http', ...named, ...given],
      { env: { PATH: process.env['PATH'], HOME: home } },
    ).catch((error: { readonly code: number; readonly stdout: string }) => {
      // It prints the result of a refused call, and ends with 1.
      if (error.stdout === '') throw error
      return error
    })
    return JSON.parse(stdout) as Result
  }
  return {
    names: async () => ((await run('--method', 'tools/list')).tools ?? []).map(({ name }) => name),
    call: async (name, given) => {
      const values = Object.entries(given).flatMap(([member, value]) => ['--tool-arg', `${member}=${value}`])
      return seenOf(await run('--method', 'tools/call', '--tool-name', name, ...values))
    },
    close: async () => {},
  }
}

/** Clients of npm by their name and version. */
export const NPM_CLIENTS: Readonly<Record<string, Connect>> = {
  '@modelcontextprotocol/sdk 1.12.0': ofSdk(async () => ({
    Client: (await import('mcp-sdk-1-12/client/index.js')).Client as Sdk['Client'],
    Transport: (await import('mcp-sdk-1-12/client/streamableHttp.js')).StreamableHTTPClientTransport,
  })),
  '@modelcontextprotocol/sdk 1.20.0': ofSdk(async () => ({
    Client: (await import('mcp-sdk-1-20/client/index.js')).Client as Sdk['Client'],
    Transport: (await import('mcp-sdk-1-20/client/streamableHttp.js')).StreamableHTTPClientTransport,
  })),
  '@modelcontextprotocol/sdk 1.25.0': ofSdk(async () => ({
    Client: (await import('mcp-sdk-1-25/client/index.js')).Client as Sdk['Client'],
    Transport: (await import('mcp-sdk-1-25/client/streamableHttp.js')).StreamableHTTPClientTransport,
  })),
  '@modelcontextprotocol/sdk 1.32.2': ofSdk(async () => ({
    Client: (await import('mcp-sdk-1-32/client/index.js')).Client as Sdk['Client'],
    Transport: (await import('mcp-sdk-1-32/client/streamableHttp.js')).StreamableHTTPClientTransport,
  })),
  '@modelcontextprotocol/client 2.4.0, revision 2026-07-28': ofSdk(second, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  }),
  '@modelcontextprotocol/client 2.4.0, earlier revisions': ofSdk(second, { versionNegotiation: { mode: 'legacy' } }),
  '@ai-sdk/mcp 2.0.99': aiSdk,
  'ai 7.0.173, with @ai-sdk/mcp 2.0.99': aiAgent,
  '@modelcontextprotocol/inspector 2.12.0, command line': inspector,
}
