import { expect, test } from 'vitest'
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

/** The owner of the first demo wallet, who signs in the wallet of the page. */
async function demoOwner() {
  const [account = ''] = (await rpc('eth_accounts')) as string[]
  const nonce = await post('/auth/wallet/nonce', { wallet_address: account, purpose: 'session' })
  const message = String(nonce.body['message'])
  const text = `0x${Buffer.from(message).toString('hex')}`
  const signature = await rpc('personal_sign', [text, account])
  const session = await post('/auth/wallet/session', { wallet_address: account, message, signature })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${String(session.body['token'])}` }
  const ask = async (path: string, body?: object, wanted = [200, 201]) => {
    const answer = await fetch(new URL(path, world.url), {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const said = (await answer.json()) as Body
    expect(wanted, `${path}: ${JSON.stringify(said)}`).toContain(answer.status)
    return said
  }
  const send = async (call: unknown): Promise<string> => {
    const { to, data } = call as { to: string; data: string }
    const hash = await rpc('eth_sendTransaction', [{ from: account, to, data, value: '0x0' }])
    await eventually(async () => {
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as Body | null
      if (receipt !== null) expect(receipt['status']).toBe('0x1')
      return receipt !== null
    })
    return String(hash)
  }
  return { account, ask, send }
}

async function eventually(holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('waited too long')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

interface Work {
  readonly status: string
  readonly problem: string | null
  readonly steps: readonly { readonly key: string; readonly detail: string }[]
}

test('under a mandate that the demo owner has just signed, the demo agent trades, is refused, asks, and acts on the decision', async () => {
  const { account, ask, send } = await demoOwner()
  const ends = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * 86_400_000).toISOString()
  const draft = {
    name: 'Demo day',
    agent_id: world.demoAgent,
    budget_usdc: '500',
    per_tx_cap_usdc: '60',
    daily_cap_usdc: '150',
    stop_line_usdc: '100',
    approval_above_usdc: '40',
    markets: ['testvenue'],
    ends_at: ends,
    fee_bps: 1000,
  }
  const { mandate } = (await ask('/hub/mandates', draft)) as { mandate: { public_id: string } }
  const id = mandate.public_id
  const path = `/hub/mandates/${id}`
  const read = async (): Promise<Work> =>
    (await (await fetch(new URL(`/dev/agent/work?public_id=${id}`, world.url))).json()) as Work
  expect((await post('/dev/agent/work', { public_id: id })).body).toMatchObject({ status: 'working', steps: [] })

  const { typed_data, terms_hash } = await ask(`${path}/terms`)
  const signature = await rpc('eth_signTypedData_v4', [account, JSON.stringify(typed_data)])
  await ask(`${path}/sign`, { terms_hash, signature })
  const created = await send((await ask(`${path}/create-call`))['call'])
  await ask(`${path}/vault`, { tx_hash: created })
  const { calls } = (await ask(`${path}/fund?amount_usdc=400`)) as { calls: { approve: unknown; deposit: unknown } }
  await send(calls.approve)
  const deposit = await send(calls.deposit)
  await ask(`${path}/vault-tx`, { kind: 'deposit', tx_hash: deposit })

  const did = async () => (await read()).steps.map(({ key }) => key)
  await eventually(async () => {
    const { status, problem } = await read()
    expect([status, problem]).toEqual(['working', null])
    return (await did()).includes('asks_approval')
  })
  const { items } = (await ask(`${path}/approvals?status=pending`)) as { items: { approval_id: string }[] }
  await ask(`${path}/approvals/${items[0]?.approval_id}`, { decision: 'approve' })
  await eventually(async () => (await read()).status === 'done')
  expect(await did()).toEqual([
    'accepts',
    'waits_for_money',
    'trades',
    'is_refused',
    'asks_approval',
    'acts_on_decision',
  ])
  await eventually(async () => {
    const { usage, refusals_7d } = (await ask(`${path}/live`)) as {
      usage: { used_usdc: string }
      refusals_7d: { total: number }
    }
    return usage.used_usdc === '70' && refusals_7d.total === 1
  })
})

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
