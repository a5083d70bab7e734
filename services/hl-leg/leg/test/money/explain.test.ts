import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { ownerWallet } from '../rig.ts'
import { startMoneyRig } from './money-rig.ts'

const money = opened(() => startMoneyRig())

test('the equation of leg money holds over trades, fees, funding and foreign payments, and a gap withholds the mark', async () => {
  const mandate = await money.leg(1, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.rig.trade(ownerWallet(1), { asset: 0, side: 'buy', price: '60300', size: '0.002' })
  money.rig.venue.control('mark', { coin: 'BTC', price: '61000' })
  money.rig.advance(3_600_000)
  await money.rig.trade(ownerWallet(1), { asset: 0, side: 'sell', price: '60500', size: '0.001' })
  money.rig.venue.control('fund', { address: ownerWallet(1).address, amount: '7.5' })
  money.rig.advance(31_000)
  expect(await money.rig.run('explainLegs')).toEqual({ done: 1, unexplained: 0 })
  const { equation, foreign_usdc } = await money.as(1).readLegMoney({ public_id })
  expect(foreign_usdc).toBe('307.5')
  expect(equation).toMatchObject({ holds: true })
  expect(Number(equation?.left)).toBeCloseTo(Number(equation?.right), 2)

  const account = money.rig.venue.state.accounts[ownerWallet(1).address.toLowerCase()]
  const main = account?.dexes[''] ?? expect.fail()
  main.raw = String(Number(main.raw) + 0.4)
  money.rig.advance(301_000)
  await money.read()
  expect(await money.rig.run('explainLegs')).toEqual({ done: 1, unexplained: 1 })
  const [leg] = (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs
  expect(leg).toMatchObject({ withheld_reason: 'leg_unexplained' })
  main.raw = String(Number(main.raw) - 0.4)
  money.rig.advance(301_000)
  await money.read()
  await money.rig.run('explainLegs')
  const [explained] = (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs
  expect(explained).toMatchObject({ withheld_reason: null })
})

test('the equation is shown from the first reading on, and fills of spot and of dexes that are not read do not enter', async () => {
  const mandate = await money.leg(3, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.read()
  const account = money.rig.venue.state.accounts[ownerWallet(3).address.toLowerCase()] ?? expect.fail()
  await money.rig.trade(ownerWallet(3), { asset: 0, side: 'buy', price: '61600', size: '0.002' })
  const own = money.rig.venue.state.accounts[ownerWallet(3).address.toLowerCase()]?.fills.at(-1)
  if (own === undefined) expect.fail()
  for (const [coin, fee, feeToken] of [
    ['@107', '0.7', 'HYPE'],
    ['flx:GOLD', '0.3', 'USDC'],
  ] as const)
    account.fills.push({ ...own, coin, fee, feeToken, closedPnl: '5', tid: own.tid + 1 } as typeof own)
  money.rig.advance(31_000)
  await money.rig.run('readLegs')
  expect((await money.as(3).readLegMoney({ public_id })).equation).toMatchObject({ holds: true })
})
