import { createHash } from 'node:crypto'
import { opened } from '@svc/testing'
import { decodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { owner, ownerWallet, startRig } from '../rig.ts'
import { exitPageHtml, injectedWallet, onlyElement, openExitPage } from './exit-page.ts'

const POOL = `0x${'90'.repeat(20)}`
const rig = opened(() => startRig({ environment: { HUB_LEG_FUNDING: 'test', HUB_HL_TEST_POOL_ADDRESS: POOL } }))

test('with the exit kit and its page the wallet alone revokes the key, closes and returns while every service is down', async () => {
  const vault = {
    address: `0x${'Ab'.repeat(20)}`,
    chain_id: 31_337,
    version: 2 as const,
    accounted_usdc: '100',
    leg_out_usdc: '50',
    leg_open: true,
    vault_worth_usdc: null,
    worth_at: null,
  }
  const mandate = rig.mandate(1, { vault })
  const account = ownerWallet(1)
  const { agent_address } = await rig.bind(mandate)
  await rig.trade(account, { asset: 0, side: 'buy', price: '61000', size: '0.01' })
  rig.advance(700_000)
  await rig.run('readLegs')
  await rig.restart({ HUB_HL_LEG_ENABLED: '0' })
  const kit = await rig.as(owner(1)).readExitKit({ public_id: mandate.public_id })
  await rig.end()

  expect(kit.steps.map(({ action, where }) => `${where} ${action}`)).toEqual([
    'chain stop',
    'venue revoke',
    'venue close',
    'venue return',
    'chain unwind',
    'chain withdraw',
  ])
  const callOf = (action: string) => kit.steps.find((step) => step.action === action)?.call
  expect(callOf('stop')).toEqual({ to: vault.address, data: '0x07da68f5', value: '0', chain_id: 31_337 })
  expect(callOf('withdraw')).toMatchObject({ to: vault.address, data: '0x853828b6' })

  const wallet = injectedWallet(account, 1)
  let time = rig.clock.now().getTime() + 5_000
  const page = openExitPage(wallet, () => (time += 1_000))
  expect(await page.choose(JSON.stringify(kit))).toBe('6 steps.')
  expect(page.titles()).toEqual([
    '1. Stop the vault',
    '2. Revoke the key',
    '3. Close the positions',
    '4. Return the leg money',
    '5. Close the positions of the vault',
    '6. Withdraw everything',
  ])
  const call = { from: kit.owner_address, to: vault.address, value: '0x0' }
  expect(await page.press('Stop the vault')).toMatch(/^Sent as 0x(ab){32}\./)
  expect(wallet.sent.pop()).toEqual({ ...call, data: '0x07da68f5' })
  expect(wallet.chainId).toBe(31_337)

  // The first answer is lost after the venue has acted: the same bytes go again, and nothing is signed twice.
  const given = (action: string) => kit.steps.find((step) => step.action === action)?.sign?.typed_data
  const agent = agent_address?.toLowerCase() ?? ''
  rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'approveAgent' })
  expect(rig.venue.state.agents[agent]).toBeDefined()
  expect(await page.press('Revoke the key')).toMatch(/no clear answer .* press again/)
  expect(await page.press('Revoke the key')).toBe('Done: the venue has accepted it.')
  expect(rig.venue.state.agents[agent]).toBeUndefined()
  expect(wallet.signed).toEqual([
    { ...given('revoke'), message: { ...given('revoke')?.message, nonce: expect.any(Number) } },
  ])

  const order = kit.steps.find((step) => step.action === 'close')?.orders?.[0]
  expect(order).toEqual({ market: 'hl:BTC', side: 'sell', size: '0.01', reduce_only: true })
  expect(page.textOf('Close the positions')).toContain('sell 0.01 BTC')
  expect(await page.press('Close the positions')).toMatch(/^Open now: 0\.01 BTC\./)
  await rig.trade(account, { asset: 0, side: 'sell', price: '59000', size: order?.size ?? '0' })
  expect(await page.press('Close the positions')).toMatch(/^Open now: nothing\. Free to send: 9\d\d\.\d+ USDC\.$/)

  page.fill('Return the leg money', 'Amount in USDC', '50')
  expect(await page.press('Return the leg money')).toBe('Done: the venue has accepted it.')
  expect(rig.venue.state.accounts[POOL]?.dexes['']?.raw).toBe('50')
  const message = { ...given('return')?.message, amount: '50', time: expect.any(Number) }
  expect(wallet.signed.at(-1)).toEqual({ ...given('return'), message })

  const data = '0x12345678000102'
  page.fill('Close the positions of the vault', 'Contract of the market', POOL)
  page.fill('Close the positions of the vault', 'Data of the call', data)
  expect(await page.press('Close the positions of the vault')).toMatch(/^Sent as/)
  const sent = wallet.sent.pop() as typeof call & { data: `0x${string}` }
  const abi = parseAbi(['function unwind(address target, bytes data)'])
  expect(sent).toMatchObject(call)
  expect(decodeFunctionData({ abi, data: sent.data }).args).toEqual([POOL, data])
  expect(await page.press('Withdraw everything')).toMatch(/^Sent as/)
  expect(wallet.sent.pop()).toEqual({ ...call, data: '0x853828b6' })
})

/** A kit as a file that anybody may have written. */
const kitOf = (postTo: string) => {
  const call = { to: `0x${'Ab'.repeat(20)}`, data: '0x07da68f5', value: '0', chain_id: 31_337 }
  const head = { signatureChainId: '0x7a69', hyperliquidChain: 'Testnet' }
  return {
    network: 'testnet',
    owner_address: ownerWallet(1).address,
    post_to: postTo,
    written_at: '2026-11-22T10:11:40.000Z',
    steps: [
      { action: 'stop', call },
      { action: 'revoke', sign: { action: { ...head, agentName: 'svc-leg' } } },
      { action: 'close', orders: [{ market: 'hl:BTC', side: 'sell', size: '0.01', reduce_only: true }] },
      { action: 'return', sign: { action: { ...head, destination: POOL } } },
      { action: 'unwind' },
      { action: 'withdraw', call: { ...call, data: '0x853828b6' } },
    ],
  }
}

/** Returns a copy of `of` in which the member at a path such as `steps.0.call` is another. */
function changed(of: unknown, path: string, value: unknown): string {
  const copy = structuredClone(of)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  Reflect.set(
    keys.reduce((at, key) => Reflect.get(at, key) as object, copy as object),
    last,
    value,
  )
  return JSON.stringify(copy)
}

test('the exit page names the field of a file that is no exit kit, shows nothing of it and asks the wallet for nothing', async () => {
  const wallet = { request: () => expect.unreachable('the wallet is asked') }
  const page = openExitPage(wallet, () => 0)
  const kit = kitOf('http://127.0.0.1:8080/exchange')
  expect(await page.choose(JSON.stringify(kit))).toBe('6 steps.')
  const wrong: [path: string, value: unknown, field: string][] = [
    ['network', 'constructor', 'network'],
    ['network', 'mainnet', 'post_to'],
    ['owner_address', '0x12', 'owner_address'],
    ['post_to', 'https://api.hyperliquid-testnet.xyz.example.org/exchange', 'post_to'],
    ['post_to', 'http://localhost:80@example.org/exchange', 'post_to'],
    ['post_to', ['http://127.0.0.1/exchange'], 'post_to'],
    ['written_at', '<b>now</b>', 'written_at'],
    ['steps', [], 'steps'],
    ['steps', null, 'steps'],
    ['steps.0', null, 'steps[0].action'],
    ['steps.0.action', 'transfer', 'steps[0].action'],
    ['steps.0.call', null, 'steps[0].call.to'],
    ['steps.0.call.to', `0x${'cd'.repeat(20)}`, 'call'],
    ['steps.0.call.data', '0xa9059cbb', 'steps[0].call.data'],
    ['steps.0.call.value', '1', 'steps[0].call.data'],
    ['steps.0.call.chain_id', 1.5, 'steps[0].call.chain_id'],
    ['steps.1.sign.action.agentName', '<img src=x>', 'steps[1].agentName'],
    ['steps.1.sign.action.hyperliquidChain', 'Mainnet', 'steps[1].hyperliquidChain'],
    ['steps.1.sign.action.signatureChainId', '0x0', 'steps[1].signatureChainId'],
    ['steps.2.orders.0.side', 'both', 'steps[2].orders'],
    ['steps.2.orders.0.size', '-1', 'steps[2].orders'],
    ['steps.3.sign.action.destination', 'me', 'steps[3].destination'],
  ]
  for (const [path, value, field] of wrong) {
    const said = await page.choose(changed(kit, path, value))
    expect(said, path).toBe(`${field} is not as in an exit kit. Choose another copy of the file.`)
    expect(page.titles(), path).toEqual([])
  }
  for (const text of ['', 'null', '7', '{"steps":'])
    expect(await page.choose(text)).toContain('is not as in an exit kit')
})

test('the exit page tells the fix of what the wallet, the venue or a typed value refuses, and signs nothing wrong', async () => {
  const kit = kitOf(`${rig.venue.url}/exchange`)
  const preflight = await fetch(kit.post_to, { method: 'OPTIONS' })
  expect([preflight.headers.get('access-control-allow-origin'), preflight.status]).toEqual(['*', 204])

  const none = openExitPage(undefined, () => 0)
  await none.choose(JSON.stringify(kit))
  expect(await none.press('Revoke the key')).toContain('No wallet was found')
  const other = openExitPage(injectedWallet(ownerWallet(2), 31_337), () => 0)
  await other.choose(JSON.stringify(kit))
  expect(await other.press('Stop the vault')).toContain(`Choose ${kit.owner_address} in it`)

  const wallet = injectedWallet(ownerWallet(1), 31_337)
  let time = rig.clock.now().getTime() + 100_000
  const page = openExitPage(wallet, () => (time += 1_000))
  await page.choose(JSON.stringify(kit))
  for (const [code, words] of [
    [4001, 'You declined it'],
    [4902, 'does not know this network'],
    [-32_002, 'Open it and answer'],
  ] as const) {
    wallet.failure = { code, message: 'no' }
    expect(await page.press('Stop the vault')).toContain(words)
  }
  for (const amount of ['', '0', '-1', '1e3', '1.2345678', 'all']) {
    page.fill('Return the leg money', 'Amount in USDC', amount)
    expect(await page.press('Return the leg money'), amount).toContain('The amount must be USDC such as')
  }
  page.fill('Close the positions of the vault', 'Contract of the market', POOL)
  expect(await page.press('Close the positions of the vault')).toContain('The data must be 0x')
  expect([wallet.signed, wallet.sent]).toEqual([[], []])

  rig.venue.control('fund', { address: kit.owner_address, amount: '10' })
  page.fill('Return the leg money', 'Amount in USDC', '1000000')
  expect(await page.press('Return the leg money')).toMatch(/refused: Insufficient .*\. Send less/)
  for (const [text, fix] of [
    ['Action disabled when unified account is active', 'standard mode'],
    ['Invalid nonce: nonce too low', 'Set the clock'],
    ['<b>No</b>', 'Use the app of the venue'],
  ] as const) {
    rig.venue.control('fault', { kind: 'refuse', endpoint: 'exchange', text })
    expect(await page.press('Return the leg money')).toMatch(new RegExp(`refused: ${text}.*${fix}`))
  }
  for (const kind of ['status429', 'html502', 'truncated']) {
    rig.venue.control('fault', { kind, endpoint: 'exchange' })
    page.fill('Return the leg money', 'Amount in USDC', '1')
    expect(await page.press('Return the leg money'), kind).toMatch(/no clear answer/)
  }
  const signed = wallet.signed.length
  expect(await page.press('Return the leg money')).toBe('Done: the venue has accepted it.')
  expect(wallet.signed).toHaveLength(signed)
})

test('the exit page runs and shows nothing but its own text, and may ask the venue and this machine only', () => {
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(exitPageHtml)?.[1]?.split('; ')
  const hashOf = (tag: 'script' | 'style') =>
    `${tag}-src 'sha256-${createHash('sha256').update(onlyElement(tag)).digest('base64')}'`
  expect(policy).toEqual([
    "default-src 'none'",
    hashOf('script'),
    hashOf('style'),
    'connect-src https://api.hyperliquid.xyz https://api.hyperliquid-testnet.xyz http://127.0.0.1:* http://localhost:*',
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(exitPageHtml).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Storage|cookie|indexedDB/)
  expect(exitPageHtml).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)=|\son\w+=/)
})
