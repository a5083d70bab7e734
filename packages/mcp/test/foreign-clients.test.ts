import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import * as v2 from '@modelcontextprotocol/client'
import { opened } from '@svc/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { key, openShop, POOR_CALLS, poorKey } from './fixture.ts'

const shop = opened(async () => {
  const opening = await openShop()
  return { ...opening, stop: () => opening.close() }
})

type Given = Readonly<Record<string, string | number | boolean>>

/** What a client hands on of the result of a call. */
interface Seen {
  readonly isError: boolean
  readonly text: string
  readonly structured?: unknown
}

/** A client that strangers wrote, as a harness uses it: it lists the tools before it calls one. */
interface Client {
  names(): Promise<string[]>
  call(name: string, given: Given): Promise<Seen>
  close(): Promise<void>
}

/** Connects a client to an address, with a key or without. */
type Connect = (url: URL, headers: Record<string, string>) => Promise<Client>

/** Content of a result, in the words of every generation of the SDK. */
interface Result {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}

const seenOf = ({ content, structuredContent, isError }: Result): Seen => {
  const [first] = content as { readonly text: string }[]
  return { isError: isError === true, text: first?.text ?? '', structured: structuredContent }
}

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
      const tool = tools[name] ?? expect.fail(`no tool ${name}`)
      return seenOf((await tool.execute({ ...given }, { toolCallId: 'call-1', messages: [], context: {} })) as Result)
    },
    close: () => client.close(),
  }
}

const home = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
afterAll(() => rmSync(home, { recursive: true }))
const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/cli/build/index.js',
)

/** The command line of the Inspector: each command is a client of its own, which lists the tools before it calls one. */
const inspector: Connect = async (url, headers) => {
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

const CLIENTS: Readonly<Record<string, Connect>> = {
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
  '@modelcontextprotocol/inspector 2.12.0, command line': inspector,
}

test('docs/mcp.md lists the clients that are tested', () => {
  const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Clients that are tested')
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(listed).toEqual(Object.keys(CLIENTS))
})

const ALL = ['shop_bake', 'shop_hold', 'shop_order', 'shop_price']
const SCHEMAS = ['', '&schemas=output']
const open: Client[] = []
const connected = async (connect: Connect, query = '', given: string | null = key) => {
  const headers: Record<string, string> = given === null ? {} : { 'X-SVC-User-Key': given }
  const client = await connect(new URL(`${shop.url}/mcp?profile=full${query}`), headers)
  open.push(client)
  expect((await client.names()).toSorted()).toEqual(ALL)
  return client
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** Returns the problem that a client hands on; the same stands in its text and, by default, in its structure. */
function problemOf({ isError, text, structured }: Seen): Readonly<Record<string, unknown>> {
  expect(isError).toBe(true)
  const problem = JSON.parse(text) as Record<string, unknown>
  if (structured !== undefined) expect(structured).toEqual(problem)
  return problem
}

describe.each(Object.entries(CLIENTS))('%s', (_name, connect) => {
  test.each(SCHEMAS)('hands on a success, a refusal and a call that is held (%s)', async (query) => {
    const client = await connected(connect, query)
    const ordered = await client.call('shop_order', { name: 'tea', count: 2 })
    expect(ordered).toMatchObject({ isError: false })
    expect(JSON.parse(ordered.text)).toEqual({ ok: true, name: 'tea', count: 2, dry_run: false })
    expect(problemOf(await client.call('shop_order', { name: 'gold', count: 1 }))).toMatchObject({
      code: 'sold_out',
      status: 409,
      detail: 'All gold is gone.',
      fix: 'Choose another.',
    })
    const held = await client.call('shop_hold', { public_id: 'mdt_1' })
    expect(held).toMatchObject({ isError: false })
    expect(JSON.parse(held.text)).toEqual({ status: 'pending_approval', approval_id: 'apr_1' })
  })

  test('hands on that a key is missing, and that a tool was switched off', async () => {
    const nobody = await connected(connect, '', null)
    const order = { name: 'tea', count: 1 }
    expect(problemOf(await nobody.call('shop_order', order))).toMatchObject({ code: 'unauthenticated', status: 401 })
    const client = await connected(connect)
    shop.show(false)
    try {
      const called = client.call('shop_order', order)
      if (connect === inspector) await expect(called).rejects.toThrow("Tool 'shop_order' not found")
      else expect(problemOf(await called)).toMatchObject({ code: 'not_available', status: 404 })
    } finally {
      shop.show(true)
    }
    expect(await client.call('shop_order', order)).toMatchObject({ isError: false })
  })

  test('hands on that an allowance is used up, and when it is whole again', async () => {
    const client = await connected(connect, '', poorKey)
    let problem: Readonly<Record<string, unknown>> = {}
    for (let n = 0; n <= POOR_CALLS; n += 1) {
      const seen = await client.call('shop_order', { name: 'tea', count: 1 })
      if (seen.isError) problem = problemOf(seen)
    }
    expect(problem).toMatchObject({ code: 'rate_limited', status: 429, retry_at: expect.stringMatching(/^2/) })
  })

  test('does not connect with a key that nobody has', async () => {
    await expect(connected(connect, '', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).rejects.toThrow()
  })

  test('goes on after the server was away, and says that it was', async () => {
    const client = await connected(connect)
    await shop.restart(async () => {
      await expect(client.call('shop_order', { name: 'tea', count: 1 })).rejects.toThrow()
    })
    expect(await client.call('shop_order', { name: 'tea', count: 1 })).toMatchObject({ isError: false })
  })
})
