import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { openFed } from '../states/feed.ts'
import { world } from '../rig.ts'

const OWN = { origin: world.url, 'content-type': 'application/json' }
type Body = Record<string, unknown>

const post = async (path: string, body: object, headers: Record<string, string> = OWN) => {
  const answer = await fetch(new URL(path, world.url), { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Body }
}
const rpc = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
  const { body } = await post('/dev/rpc', { jsonrpc: '2.0', id: 1, method, params })
  if (body['error'] !== undefined) throw new Error(JSON.stringify(body['error']))
  return body['result']
}

async function eventually(holds: () => Promise<boolean>, timeoutMs = 600_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('waited too long')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

interface Work {
  readonly status: string
  readonly problem: string | null
}

test('the demo wallet answers the page of this machine alone, and signs for the demo wallets alone', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] }
  const without = { 'content-type': 'application/json' }
  expect((await post('/dev/rpc', call, without)).status).toBe(404)
  for (const origin of ['https://evil.example', 'null', world.url.replace('127.0.0.1', 'localhost')]) {
    expect((await post('/dev/rpc', call, { ...without, origin })).status).toBe(404)
    expect((await post('/dev/agent/work', { public_id: `mdt_${'0'.repeat(32)}` }, { ...without, origin })).status).toBe(
      404,
    )
  }
  const elsewhere = await fetch(new URL('/dev/rpc', world.url.replace('127.0.0.1', 'localhost')), {
    method: 'POST',
    headers: OWN,
    body: JSON.stringify(call),
  })
  expect(elsewhere.status).toBe(404)
  const admin = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  await expect(rpc('personal_sign', ['0x00', admin])).rejects.toThrow('4100')
  await expect(rpc('eth_sendTransaction', [{ from: admin, to: admin, value: '0x1' }])).rejects.toThrow('4100')
  await expect(rpc('anvil_setBalance', [admin, '0x0'])).rejects.toThrow('4200')
})

test('the demo agent says why it cannot work under a mandate that is not its own', async () => {
  const publicId = `mdt_${'f'.repeat(32)}`
  await post('/dev/agent/work', { public_id: publicId })
  await eventually(async () => {
    const answer = await fetch(new URL(`/dev/agent/work?public_id=${publicId}`, world.url))
    const { status, problem } = (await answer.json()) as Work
    return status === 'failed' && String(problem).includes('404')
  })
})

test('with recordings the first page plays the day that happened, and says where it comes from', async () => {
  const kept = readFileSync(new URL('../../src/stories/crash.json', import.meta.url), 'utf8')
  const story = { ...(JSON.parse(kept) as Body), symbol: 'FALLEN/USDT', starts_at: '2022-11-09T01:47:00.000Z' }
  const tab = await openFed({}, { viewport: { width: 1440, height: 4000 } })
  await tab.page.route('**/dev/story.json', (route) => route.fulfill({ json: story }))
  await tab.go('/ui')
  const main = tab.page.getByRole('main')
  await main.getByText('made up', { exact: true }).waitFor()
  expect(await main.innerText()).not.toContain('FALLEN/USDT')
  await main.getByText('recorded', { exact: true }).click()
  await main.getByText(/^Recorded prices, played from your own copy/).waitFor()
  expect(await main.innerText()).toContain('FALLEN/USDT')
  await main.getByRole('button', { name: 'Play the day' }).click()
  await tab.passed(60_000)
  await main.getByText('the vault shuts the agent out for good').waitFor()
})
