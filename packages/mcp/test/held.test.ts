import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { key, openShop } from './fixture.ts'

const shop = opened(async () => {
  const opening = await openShop()
  return { ...opening, stop: () => opening.close() }
})

async function connected(capabilities: object) {
  const client = new Client(
    { name: 'a client', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const url = new URL(`${shop.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-svc-user-key': key } } }))
  return client
}
const held = { name: 'shop_hold', arguments: { public_id: 'mdt_1' } }

test('a held call answers pending_approval to a client that cannot open pages', async () => {
  const client = await connected({})
  expect((await client.callTool(held)).structuredContent).toEqual({ status: 'pending_approval', approval_id: 'apr_1' })
  await client.close()
})

test('a held call shows the page of the mandate to a client that opens pages, and answers what was decided by then', async () => {
  const client = await connected({ elicitation: { url: {} } })
  const opened: unknown[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    opened.push(params)
    return { action: 'accept' as const }
  })
  const result = await client.callTool(held)
  expect(opened).toMatchObject([{ mode: 'url', url: `${shop.url}/ui/mandates/mdt_1` }])
  expect(result.structuredContent).toEqual({ status: 'pending_approval', approval_id: 'apr_1' })
  await client.close()
})
