import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totalCash, USDC_TOKEN } from '../src/index.ts'
import { ioc, newAddress, newWallet, startSdk } from './sdk.ts'

let at: Awaited<ReturnType<typeof startSdk>>
beforeAll(async () => {
  at = await startSdk()
})
afterAll(() => at.rig.close())

const HYPE_TOKEN = 'HYPE:0x0d01dc56dcaaca66ad901c959b4011ec'

describe('an account that becomes unified', () => {
  test.each(['unifiedAccount', 'portfolioMargin'] as const)(
    'by its own signature as %s has its cash in spot, and its dexes show what positions need',
    async (abstraction) => {
      const { user, client } = at.funded('977.58')
      await client.agentSendAsset({
        destination: user,
        sourceDex: '',
        destinationDex: 'xyz',
        token: USDC_TOKEN,
        amount: '100',
      })
      await client.order(ioc(3, true, '155', '3'))
      const before = await at.cashOf(user)
      await client.userSetAbstraction({ user, abstraction })
      expect(await at.info.userAbstraction({ user })).toBe(abstraction)
      const after = await at.cashOf(user)
      // 3 SOL at 150 with leverage 20 need 22.5; the rest is in spot, with what lay on the other dex.
      expect([after.used, after.hold]).toEqual([22.5, 22.5])
      expect(after.value).toBeCloseTo(22.5, 0)
      expect(after.spot + after.value - after.hold).toBeCloseTo(before.value + 100, 5)
      expect((await at.cashOf(user, 'xyz')).value).toBe(0)
      expect(totalCash(at.rig.state).abs().toNumber()).toBeLessThan(1e-12)
    },
  )

  test('trades on from spot on every dex, keeps what its positions earn, and has it back in the standard mode', async () => {
    const { user, client } = at.funded('500')
    await client.userSetAbstraction({ user, abstraction: 'unifiedAccount' })
    await client.order(ioc(3, true, '155', '10'))
    await client.order(ioc(110_000, false, '24500', '0.01'))
    at.rig.control('mark', { coin: 'SOL', price: '160' })
    expect((await at.cashOf(user)).value).toBeCloseTo(80 + 100, 0)
    expect((await at.cashOf(user)).spot).toBeLessThan(500)
    await client.order(ioc(3, false, '150', '10', true))
    await client.order(ioc(110_000, true, '25500', '0.01', true))
    at.rig.control('mark', { coin: 'SOL', price: '150' })
    const { spot, value } = await at.cashOf(user)
    expect(value).toBe(0)
    expect(spot).toBeGreaterThan(590)
    await client.userSetAbstraction({ user, abstraction: 'disabled' })
    expect(await at.info.userAbstraction({ user })).toBe('disabled')
    expect(await at.cashOf(user)).toMatchObject({ value: spot, withdrawable: spot, spot: 0, hold: 0 })
  })

  test('by the control plane moves the same, both ways; what lay in spot before stays there', async () => {
    const { user, client } = at.funded('400')
    await client.usdClassTransfer({ amount: '50', toPerp: false })
    at.rig.control('mode', { address: user, mode: 'unifiedAccount' })
    expect(await at.cashOf(user)).toMatchObject({ value: 0, withdrawable: 0, spot: 400 })
    at.rig.control('mode', { address: user, mode: 'default' })
    expect(await at.cashOf(user)).toMatchObject({ value: 350, spot: 50 })
    at.rig.control('mode-return', { to: 'spot' })
    at.rig.control('mode', { address: user, mode: 'unifiedAccount' })
    at.rig.control('mode', { address: user, mode: 'default' })
    at.rig.control('mode-return', { to: 'perps' })
    expect(await at.cashOf(user)).toMatchObject({ value: 0, spot: 400 })
  })

  test('is refused the payments of the standard mode, may pay from spot, and may withdraw', async () => {
    const { user, client } = at.funded('400')
    const other = at.funded('10').user
    at.rig.control('mode', { address: user, mode: 'unifiedAccount' })
    const words = 'Action disabled when unified account is active'
    await expect(client.usdSend({ destination: other, amount: '1' })).rejects.toThrow(words)
    await expect(client.usdClassTransfer({ amount: '1', toPerp: true })).rejects.toThrow(words)
    await expect(client.spotSend({ destination: other, amount: '1', token: USDC_TOKEN })).rejects.toThrow(words)
    const send = { destination: other, destinationDex: '', token: USDC_TOKEN, amount: '5' }
    await expect(client.sendAsset({ ...send, sourceDex: '' })).rejects.toThrow('through spot')
    await client.sendAsset({ ...send, sourceDex: 'spot' })
    expect(await at.cashOf(other)).toMatchObject({ value: 15 })
    await client.withdraw3({ destination: user, amount: '20' })
    expect(await at.cashOf(user)).toMatchObject({ value: 0, spot: 375 })
  })

  test('may be made so by an agent from the default mode only', async () => {
    const { user, client } = at.funded()
    const agent = newWallet()
    await client.approveAgent({ agentAddress: agent.address, agentName: 'svc-leg' })
    await at.clientOf(agent).agentSetAbstraction({ abstraction: 'u' })
    expect(await at.cashOf(user)).toMatchObject({ value: 0, spot: 1_000 })
    await expect(at.clientOf(agent).agentSetAbstraction({ abstraction: 'i' })).rejects.toThrow(
      'Abstraction transition not allowed',
    )
    await expect(at.clientOf(newWallet()).userSetAbstraction({ user, abstraction: 'disabled' })).rejects.toThrow(
      'Must deposit',
    )
  })

  test('is liquidated when all it has no longer covers its positions', async () => {
    const { user, client } = at.funded('100')
    at.rig.control('mode', { address: user, mode: 'unifiedAccount' })
    await client.updateLeverage({ asset: 1, isCross: true, leverage: 25 })
    await client.order(ioc(1, true, '3100', '0.8'))
    at.rig.control('mark', { coin: 'ETH', price: '2900' })
    const { assetPositions } = await at.info.clearinghouseState({ user })
    at.rig.control('mark', { coin: 'ETH', price: '3000' })
    expect(assetPositions).toEqual([])
    expect((await at.info.userNonFundingLedgerUpdates({ user, startTime: 0 })).at(-1)?.delta).toMatchObject({
      type: 'liquidation',
      leverageType: 'Cross',
      liquidatedPositions: [{ coin: 'ETH', szi: '0.8' }],
    })
  })
})

describe('money between spot and the perpetuals account', () => {
  test('moves by usdClassTransfer with a row that names the direction', async () => {
    const { user, client } = at.funded('100')
    await client.usdClassTransfer({ amount: '40', toPerp: false })
    await client.usdClassTransfer({ amount: '15.5', toPerp: true })
    expect(await at.cashOf(user)).toMatchObject({ value: 75.5, spot: 24.5 })
    await expect(client.usdClassTransfer({ amount: '25', toPerp: true })).rejects.toThrow('Insufficient balance')
    const rows = await at.info.userNonFundingLedgerUpdates({ user, startTime: 0 })
    expect(rows.map(({ delta }) => delta)).toMatchObject([
      { type: 'deposit', usdc: '100' },
      { type: 'accountClassTransfer', usdc: '40', toPerp: false },
      { type: 'accountClassTransfer', usdc: '15.5', toPerp: true },
    ])
  })

  test('moves to the spot of another by spotSend; both see the row, and a new account costs one dollar', async () => {
    const { user, client } = at.funded('100')
    await client.usdClassTransfer({ amount: '50', toPerp: false })
    const destination = newAddress()
    await client.spotSend({ destination, amount: '10', token: USDC_TOKEN })
    expect(await at.cashOf(user)).toMatchObject({ value: 50, spot: 39 })
    expect(await at.cashOf(destination)).toMatchObject({ value: 0, spot: 10 })
    const rows = await at.info.userNonFundingLedgerUpdates({ user: destination, startTime: 0 })
    expect(rows.map(({ delta }) => delta)).toMatchObject([
      { type: 'spotTransfer', token: 'USDC', amount: '10', usdcValue: '10', fee: '1', feeToken: 'USDC' },
    ])
    await expect(client.spotSend({ destination, amount: '40', token: USDC_TOKEN })).rejects.toThrow('Insufficient')
  })

  test('buys a token in spot with a fee in that token, which stands among the fills and can be sent on', async () => {
    const { user, client } = at.funded('100')
    await client.usdClassTransfer({ amount: '70', toPerp: false })
    at.rig.control('spot-fill', {
      address: user,
      coin: '@107',
      side: 'B',
      px: '32.5',
      sz: '2',
      fee: '0.0014',
      fee_token: 'HYPE',
    })
    const fills = await at.info.userFills({ user })
    expect(fills).toMatchObject([{ coin: '@107', dir: 'Buy', fee: '0.0014', feeToken: 'HYPE', sz: '2' }])
    expect(await at.info.userFillsByTime({ user, startTime: 0 })).toEqual(fills)
    const { balances } = await at.info.spotClearinghouseState({ user })
    expect(balances.map(({ coin, total }) => [coin, total])).toEqual([
      ['USDC', '5'],
      ['HYPE', '1.9986'],
    ])
    const other = at.funded().user
    await client.spotSend({ destination: other, amount: '1', token: HYPE_TOKEN })
    expect((await at.info.spotClearinghouseState({ user: other })).balances[1]).toMatchObject({
      coin: 'HYPE',
      total: '1',
    })
    expect(totalCash(at.rig.state).abs().toNumber()).toBeLessThan(1e-12)
  })
})

test('trades, funding and payments on a dex that nobody else reads stand in the history of an account', async () => {
  const { user } = at.funded('100')
  at.rig.control('dex', { name: 'flx', full_name: 'Felix' })
  const market = { dex: 'flx', name: 'COPPER', sizeDecimals: 2, maxLeverage: 10, price: '5', size: '1000', volume: '1' }
  at.rig.control('market', market)
  at.rig.control('fund', { address: user, amount: '200', place: 'flx' })
  at.rig.control('trade', { address: user, coin: 'flx:COPPER', side: 'buy', size: '20' })
  at.rig.control('time', { advance_ms: 3_600_000 })
  expect((await at.info.perpDexs()).at(-1)?.name).toBe('flx')
  expect(await at.info.userFillsByTime({ user, startTime: 0 })).toMatchObject([{ coin: 'flx:COPPER', sz: '20' }])
  expect((await at.info.userFunding({ user }))[0]?.delta).toMatchObject({ coin: 'flx:COPPER', szi: '20' })
  expect((await at.info.userNonFundingLedgerUpdates({ user, startTime: 0 })).at(-1)?.delta).toMatchObject({
    type: 'send',
    destinationDex: 'flx',
    amount: '200',
  })
  expect((await at.cashOf(user)).value).toBe(100)
})
