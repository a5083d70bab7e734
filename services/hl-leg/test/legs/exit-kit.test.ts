import { normalizeSignature } from '@svc/hyperliquid'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { owner, ownerWallet, signTypedData, startRig } from '../rig.ts'

const rig = opened(() =>
  startRig({ environment: { HUB_LEG_FUNDING: 'test', HUB_HL_TEST_POOL_ADDRESS: `0x${'90'.repeat(20)}` } }),
)

test('with the exit kit the wallet alone revokes the key, closes and returns while every service is down', async () => {
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
  const wallet = ownerWallet(1)
  const { agent_address } = await rig.bind(mandate)
  await rig.trade(wallet, { asset: 0, side: 'buy', price: '61000', size: '0.01' })
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

  const post = async (action: string, changes: Record<string, string>, time: number) => {
    const given = kit.steps.find((step) => step.action === action)?.sign
    const nonce = Object.fromEntries((given?.nonce_members ?? []).map((member) => [member, time]))
    const typedData = { ...given?.typed_data, message: { ...given?.typed_data.message, ...nonce, ...changes } }
    const signature = normalizeSignature(await signTypedData(wallet, typedData))
    return rig.post('exchange', { action: { ...given?.action, ...nonce, ...changes }, nonce: time, signature })
  }
  const now = rig.clock.now().getTime()
  expect(await post('revoke', {}, now + 5_000)).toMatchObject({ status: 'ok' })
  expect(rig.venue.state.agents[agent_address?.toLowerCase() ?? '']).toBeUndefined()
  const order = kit.steps.find((step) => step.action === 'close')?.orders?.[0]
  expect(order).toEqual({ market: 'hl:BTC', side: 'sell', size: '0.01', reduce_only: true })
  await rig.trade(wallet, { asset: 0, side: 'sell', price: '59000', size: order?.size ?? '0' })
  expect(await post('return', { amount: '50' }, now + 6_000)).toMatchObject({ status: 'ok' })
  expect(rig.venue.state.accounts[`0x${'90'.repeat(20)}`]?.dexes['']?.raw).toBe('50')
})
