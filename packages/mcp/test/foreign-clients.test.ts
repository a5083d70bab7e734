import { readFileSync } from 'node:fs'
import { opened } from '@svc/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { key, openShop, POOR_CALLS, poorKey } from './fixture.ts'
import type { Client, Connect, Seen } from './foreign/client.ts'
import { inspector, NPM_CLIENTS } from './foreign/npm-clients.ts'
import { PYTHON_CLIENTS } from './foreign/python-clients.ts'

const shop = opened(async () => {
  const opening = await openShop()
  return { ...opening, stop: () => opening.close() }
})

const CLIENTS = [
  ...Object.entries(NPM_CLIENTS).map(([name, connect]) => ({ name, connect, lack: null })),
  ...PYTHON_CLIENTS,
]

/** The table of docs/mcp.md: by client and scene, what the client shows. */
const MATRIX = (() => {
  const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Clients that are tested')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '))
  const [[, ...scenes] = [], ...clients] = rows
  const cells = (words: readonly string[]) => Object.fromEntries(scenes.map((scene, at) => [scene, words[at]]))
  return new Map(clients.map(([name = '', ...words]) => [name.replaceAll('`', ''), cells(words)]))
})()

test('docs/mcp.md lists the clients that are tested', () => {
  expect([...MATRIX.keys()]).toEqual(CLIENTS.map(({ name }) => name))
})

const ALL = ['hub_me', 'shop_bake', 'shop_hold', 'shop_order', 'shop_price', 'shop_rare', 'shop_trade']
const SCHEMAS = ['', '&schemas=output', '&schemas=strict']
const TEA = { name: 'tea', count: 1 }
const open: Client[] = []
let connections = 0
const connected = async (connect: Connect, query = '', given: string | null = key) => {
  connections += 1
  // Each connection has an address of its own, so that they do not use up the messages of one another.
  const headers: Record<string, string> = { 'X-Forwarded-For': `192.0.2.${connections}` }
  if (given !== null) headers['X-SVC-User-Key'] = given
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

const TITLED = CLIENTS.map((client) => {
  const { name, lack } = client
  return [lack === null ? name : `${name}, which ${lack}`, client] as const
})

describe.each(TITLED)('%s', (_title, { name, connect, lack }) => {
  beforeEach(({ skip }) => skip(lack !== null, lack ?? ''))

  /** Compares what the client has shown in scenes with the page. */
  const isPrinted = (shown: Readonly<Record<string, string>>) => expect(MATRIX.get(name)).toMatchObject(shown)

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
    isPrinted({ success: 'result', refusal: 'problem', 'held call': 'result' })
  })

  test('hands on that a key is missing, and that a tool was switched off', async () => {
    const nobody = await connected(connect, '', null)
    expect(problemOf(await nobody.call('shop_order', TEA))).toMatchObject({ code: 'unauthenticated', status: 401 })
    const client = await connected(connect)
    shop.show(false)
    try {
      const called = client.call('shop_order', TEA)
      if (connect === inspector) await expect(called).rejects.toThrow("Tool 'shop_order' not found")
      else expect(problemOf(await called)).toMatchObject({ code: 'not_available', status: 404 })
    } finally {
      shop.show(true)
    }
    expect(await client.call('shop_order', TEA)).toMatchObject({ isError: false })
    isPrinted({ 'no key': 'problem', 'tool switched off': connect === inspector ? 'error' : 'problem' })
  })

  test('hands on that an allowance is used up, and when it is whole again', async () => {
    const client = await connected(connect, '', poorKey)
    let problem: Readonly<Record<string, unknown>> = {}
    for (let n = 0; n <= POOR_CALLS; n += 1) {
      const seen = await client.call('shop_order', TEA)
      if (seen.isError) problem = problemOf(seen)
    }
    expect(problem).toMatchObject({ code: 'rate_limited', status: 429, retry_at: expect.stringMatching(/^2/) })
    isPrinted({ 'allowance used up': 'problem' })
  })

  test('does not connect with a key that nobody has', async () => {
    const unknown = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    await expect(connected(connect, '', unknown)).rejects.toThrow(
      connect === inspector ? 'auth_required' : /unauthenticated|401/,
    )
    isPrinted({ 'wrong key': 'error' })
  })

  test('goes on after the server was restarted, and reports a call that it made while nobody answered', async () => {
    const client = await connected(connect)
    expect(await client.call('shop_order', TEA)).toMatchObject({ isError: false })
    // Once another request has found nobody, the client has seen the end of its connections.
    await shop.restart(() => expect(fetch(shop.url)).rejects.toThrow())
    expect(await client.call('shop_order', TEA)).toMatchObject({ isError: false })
    isPrinted({ 'server restarted': 'result' })
    await shop.restart(async () => {
      const missed = await client.call('shop_order', TEA).catch(() => null)
      // An agent may be told instead, in words that are no problem of ours.
      if (missed !== null) expect(() => problemOf(missed)).toThrow(SyntaxError)
    })
    const again = await client.call('shop_order', TEA).catch(() => null)
    if (again === null)
      expect(await (await connected(connect)).call('shop_order', TEA)).toMatchObject({ isError: false })
    else expect(again).toMatchObject({ isError: false })
    isPrinted({ 'call while it is away': again === null ? 'error, until it connects again' : 'error, then results' })
  })
})
