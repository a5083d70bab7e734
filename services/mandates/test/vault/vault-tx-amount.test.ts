import { refusalOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestChain } from '../chain-peer.ts'
import { me, ownerActs, startOnChain } from '../owner-acts.ts'
import { type LifeRig } from '../rigs/life-rig.ts'

let chain: TestChain
let rig: LifeRig
const { attached, deposited, report } = ownerActs(() => ({ chain, rig }))
beforeAll(async () => {
  ;({ chain, rig } = await startOnChain())
})
afterAll(async () => {
  await rig?.stop()
  await chain?.stop()
})

test('a report of a deposit that names another amount than its receipt is refused with both, and stores nothing', async () => {
  const public_id = await attached()
  const tx_hash = await deposited(public_id, '400')
  const saying = (amount_usdc: string) =>
    rig.as(me).recordVaultTransaction({ public_id, kind: 'deposit', tx_hash, amount_usdc })
  const before = await rig.as(me).readMandate({ public_id })
  expect(await refusalOf(saying('1'))).toMatchObject({
    status: 409,
    code: 'amount_mismatch',
    amount_usdc: '1',
    actual_usdc: '400',
  })
  expect(await rig.as(me).readMandate({ public_id })).toEqual(before)
  expect(await saying('400')).toMatchObject({ state: 'working', amount_usdc: '400' })
  expect(await report(public_id, 'deposit', tx_hash)).toMatchObject({ amount_usdc: '400' })
})
