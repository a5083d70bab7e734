import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import { opened } from '@svc/testing'
import { afterAll, expect, test } from 'vitest'
import { key, openShop } from './fixture.ts'

const shop = opened(async () => {
  const opening = await openShop()
  return { ...opening, stop: () => opening.close() }
})

const home = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
afterAll(() => rmSync(home, { recursive: true }))
const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')),
  'clients/cli/build/index.js',
)

/** Runs the command line of the Inspector; returns what it printed, parsed. */
async function inspect(...given: string[]): Promise<unknown> {
  const target = [`${shop.url}/mcp?profile=full`, '--transport', 'http', '--header', `X-SVC-User-Key: ${key}`]
  const answer = await promisify(execFile)(process.execPath, [INSPECTOR, ...target, ...given], {
    env: { PATH: process.env['PATH'], HOME: home },
  })
  return JSON.parse(answer.stdout) as unknown
}

test('the command line of the MCP Inspector lists the tools and calls one', async () => {
  const [listed, called] = await Promise.all([
    inspect('--method', 'tools/list'),
    inspect('--method', 'tools/call', '--tool-name', 'shop_order', '--tool-arg', 'name=tea', '--tool-arg', 'count=2'),
  ])
  expect(listed).toMatchObject({
    tools: [{ name: 'shop_bake' }, { name: 'shop_hold' }, { name: 'shop_order' }, { name: 'shop_price' }],
  })
  expect(called).toMatchObject({ structuredContent: { ok: true, name: 'tea', count: 2, dry_run: false } })
})

test('the MCP client of the AI SDK makes tools of ours that a model can call, and reads refusals', async () => {
  const client = await createMCPClient({
    transport: { type: 'http', url: `${shop.url}/mcp?profile=full`, headers: { 'x-svc-user-key': key } },
  })
  try {
    const tools = await client.tools()
    expect(Object.keys(tools).toSorted()).toEqual(['shop_bake', 'shop_hold', 'shop_order', 'shop_price'])
    const call = { toolCallId: 'call-1', messages: [], context: {} }
    const order = tools['shop_order'] ?? expect.fail()
    expect(await order.execute({ name: 'tea', count: 1, dry_run: true }, call)).toMatchObject({
      structuredContent: { ok: true, name: 'tea', dry_run: true },
    })
    expect(await order.execute({ name: 'gold', count: 1 }, call)).toMatchObject({
      isError: true,
      structuredContent: { code: 'sold_out' },
    })
  } finally {
    await client.close()
  }
})
