import { ExchangeClient, HttpTransport, InfoClient } from '@nktkas/hyperliquid'
import ccxt from 'ccxt'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startVenueRig, totalCash, USDC_TOKEN, type VenueRig } from '../src/index.ts'

let rig: VenueRig
let transport: HttpTransport
beforeAll(async () => {
  rig = await startVenueRig()
  transport = new HttpTransport({ isTestnet: true, apiUrl: rig.url })
})
afterAll(() => rig.close())

/** A wallet with so much USDC on the main dex. */
function funded(amount = '1000') {
  const wallet = privateKeyToAccount(generatePrivateKey())
  rig.control('fund', { address: wallet.address, amount })
  return { wallet, client: new ExchangeClient({ transport, wallet }) }
}
const ioc = (asset: number, buy: boolean, price: string, size: string, reduceOnly = false) => ({
  orders: [{ a: asset, b: buy, p: price, s: size, r: reduceOnly, t: { limit: { tif: 'Ioc' as const } } }],
  grouping: 'na' as const,
})

describe('the SDK of another author, unmodified', () => {
  const info = () => new InfoClient({ transport })

  test('reads markets, dexes, tokens and books', async () => {
    const [meta, contexts] = await info().metaAndAssetCtxs()
    expect(meta.universe.map(({ name }) => name)).toContain('BTC')
    expect(contexts).toHaveLength(meta.universe.length)
    expect((await info().perpDexs()).map((dex) => dex?.name ?? null)).toEqual([null, 'xyz'])
    expect((await info().spotMeta()).tokens[0]?.name).toBe('USDC')
    const book = await info().l2Book({ coin: 'xyz:TSLA' })
    expect(Number(book?.levels[0][0]?.px)).toBeLessThan(Number(book?.levels[1][0]?.px))
  })

  test('opens, reads, partly closes and closes a position; money is what fills and fees say', async () => {
    const { wallet, client } = funded()
    await client.order(ioc(0, true, '61000', '0.01'))
    const open = await info().clearinghouseState({ user: wallet.address })
    expect(open.assetPositions[0]?.position).toMatchObject({
      coin: 'BTC',
      szi: '0.01',
      leverage: { type: 'cross', value: 20 },
    })
    await client.order(ioc(0, false, '59000', '0.004', true))
    // A size above the position is capped.
    await client.order(ioc(0, false, '59000', '5', true))
    const flat = await info().clearinghouseState({ user: wallet.address })
    expect(flat.assetPositions).toEqual([])
    const fills = await info().userFills({ user: wallet.address })
    expect(fills.map(({ dir }) => dir)).toEqual(['Close Long', 'Close Long', 'Open Long'])
    const result = fills.reduce((sum, fill) => sum + Number(fill.closedPnl) - Number(fill.fee), 1_000)
    expect(Number(flat.marginSummary.accountValue)).toBeCloseTo(result, 5)
    expect(totalCash(rig.state).toNumber()).toBe(0)
  })

  test.each([
    ['below the minimum', ioc(0, true, '61000', '0.0001'), 'minimum value of $10'],
    ['beside the price grid', ioc(3, true, '150.123', '1'), 'invalid price'],
    ['beside the size grid', ioc(3, true, '150', '1.001'), 'invalid size'],
    [
      'reduce-only without a position',
      ioc(0, true, '61000', '0.01', true),
      'Reduce only order would increase position',
    ],
    ['above the margin', ioc(0, true, '61000', '10'), 'Insufficient margin'],
    ['that meets nothing', ioc(0, true, '50000', '0.01'), 'could not immediately match'],
    ['far from the mark', ioc(0, true, '400000', '0.01'), '80% away'],
    ['of a market that was delisted', ioc(2, true, '1', '20'), 'halted'],
  ])('an order %s is refused in the words of the venue', async (_, order, words) => {
    const { client } = funded()
    await expect(client.order(order)).rejects.toThrow(words)
  })

  test('a resting order is listed, fills when the price comes, and another is cancelled', async () => {
    const { wallet, client } = funded()
    const resting = {
      ...ioc(3, true, '140', '1'),
      orders: [{ ...ioc(3, true, '140', '1').orders[0]!, t: { limit: { tif: 'Gtc' as const } } }],
    }
    await client.order(resting)
    const second = await client.order({ ...resting, orders: [{ ...resting.orders[0]!, p: '120' }] })
    expect(await info().openOrders({ user: wallet.address })).toHaveLength(2)
    rig.control('mark', { coin: 'SOL', price: '138' })
    rig.control('mark', { coin: 'SOL', price: '150' })
    expect((await info().userFills({ user: wallet.address }))[0]).toMatchObject({
      coin: 'SOL',
      px: '140',
      crossed: false,
    })
    const status = second.response.data.statuses[0] as { resting: { oid: number } }
    await client.cancel({ cancels: [{ a: 3, o: status.resting.oid }] })
    expect(await info().openOrders({ user: wallet.address })).toEqual([])
    await expect(client.cancel({ cancels: [{ a: 3, o: status.resting.oid }] })).rejects.toThrow('never placed')
  })

  test('an agent trades for its user, and takes no money out', async () => {
    const { wallet, client } = funded()
    const agent = privateKeyToAccount(generatePrivateKey())
    await client.approveAgent({ agentAddress: agent.address, agentName: 'svc-leg' })
    const acting = new ExchangeClient({ transport, wallet: agent })
    await acting.order(ioc(1, false, '2900', '0.1'))
    const { assetPositions } = await info().clearinghouseState({ user: wallet.address })
    expect(assetPositions[0]?.position.szi).toBe('-0.1')
    expect(await info().userRole({ user: agent.address })).toEqual({
      role: 'agent',
      data: { user: wallet.address.toLowerCase() },
    })
    await expect(acting.usdSend({ destination: agent.address, amount: '1' })).rejects.toThrow('Must deposit')
    const move = { sourceDex: '', destinationDex: 'xyz', token: USDC_TOKEN, amount: '40' } as const
    await expect(acting.agentSendAsset({ ...move, destination: agent.address })).rejects.toThrow('same user')
    await acting.agentSendAsset({ ...move, destination: wallet.address })
    await acting.order(ioc(110_001, true, '330', '0.05'))
    const other = await info().clearinghouseState({ user: wallet.address, dex: 'xyz' })
    expect(other.assetPositions[0]?.position).toMatchObject({ coin: 'xyz:TSLA', szi: '0.05' })
  })

  test('an agent is listed, replaced by its name, removed, and its address is good once', async () => {
    const { wallet, client } = funded()
    const [first, second] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
    const until = Date.now() + 86_400_000
    await client.approveAgent({ agentAddress: first.address, agentName: `svc-leg valid_until ${until}` })
    expect(await info().extraAgents({ user: wallet.address })).toEqual([
      { name: 'svc-leg', address: first.address.toLowerCase(), validUntil: until },
    ])
    await client.approveAgent({ agentAddress: second.address, agentName: 'svc-leg' })
    await expect(new ExchangeClient({ transport, wallet: first }).order(ioc(0, true, '61000', '0.01'))).rejects.toThrow(
      'does not exist',
    )
    await expect(client.approveAgent({ agentAddress: first.address, agentName: 'other' })).rejects.toThrow(
      'already used',
    )
    await client.approveAgent({ agentAddress: `0x${'0'.repeat(40)}`, agentName: 'svc-leg' })
    expect(await info().extraAgents({ user: wallet.address })).toEqual([])
  })

  test('money that is sent arrives; a new account costs its payer one dollar', async () => {
    const { wallet, client } = funded('100')
    const other = privateKeyToAccount(generatePrivateKey()).address
    await client.usdSend({ destination: other, amount: '10' })
    await client.usdSend({ destination: other, amount: '10' })
    expect((await info().clearinghouseState({ user: wallet.address })).withdrawable).toBe('79')
    expect((await info().clearinghouseState({ user: other })).withdrawable).toBe('20')
    const rows = await info().userNonFundingLedgerUpdates({ user: other })
    expect(rows.map(({ delta }) => delta)).toMatchObject([
      { type: 'internalTransfer', usdc: '10', fee: '1' },
      { usdc: '10', fee: '0' },
    ])
    await expect(client.usdSend({ destination: other, amount: '1000' })).rejects.toThrow('Insufficient balance')
    rig.control('mode', { address: wallet.address, mode: 'unifiedAccount' })
    await expect(client.usdSend({ destination: other, amount: '1' })).rejects.toThrow('unified account')
  })

  test('a builder is paid what was approved, and no more', async () => {
    const builder = funded('200').wallet.address
    const { wallet, client } = funded()
    const withFee = { ...ioc(0, true, '61000', '0.01'), builder: { b: builder, f: 100 } }
    await expect(client.order(withFee)).rejects.toThrow('Builder fee has not been approved')
    await client.approveBuilderFee({ maxFeeRate: '0.1%', builder })
    expect(await info().maxBuilderFee({ user: wallet.address, builder })).toBe(100)
    await client.order(withFee)
    const fill = (await info().userFills({ user: wallet.address }))[0]
    expect(Number(fill?.builderFee)).toBeCloseTo(Number(fill?.px) * 0.01 * 0.001, 5)
  })
})

describe('ccxt, unmodified', () => {
  test('loads markets, places, cancels, closes, and reads positions, fills and balance', async () => {
    const key = generatePrivateKey()
    const wallet = privateKeyToAccount(key)
    rig.control('fund', { address: wallet.address, amount: '1000' })
    const exchange = new ccxt.hyperliquid({ walletAddress: wallet.address, privateKey: key })
    exchange.setSandboxMode(true)
    exchange.urls['api'] = { public: rig.url, private: rig.url }
    const markets = await exchange.loadMarkets()
    expect(Object.keys(markets)).toContain('BTC/USDC:USDC')
    await exchange.createOrder('ETH/USDC:USDC', 'market', 'buy', 0.1, 3000)
    const resting = await exchange.createOrder('ETH/USDC:USDC', 'limit', 'buy', 0.1, 2000)
    await exchange.cancelOrder(String(resting.id), 'ETH/USDC:USDC')
    const [position] = await exchange.fetchPositions()
    expect(position).toMatchObject({ symbol: 'ETH/USDC:USDC', side: 'long', contracts: 0.1 })
    await exchange.createOrder('ETH/USDC:USDC', 'market', 'sell', 0.1, 3000, { reduceOnly: true })
    expect(await exchange.fetchPositions()).toEqual([])
    expect(await exchange.fetchMyTrades()).toHaveLength(2)
    const balance = await exchange.fetchBalance()
    expect(balance['USDC']?.total).toBeGreaterThan(999)
    await exchange.close()
  })
})
