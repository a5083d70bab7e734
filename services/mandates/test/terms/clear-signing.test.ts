import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { CHAIN_ID, owner, startSeededRig } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())

test('anybody can read the descriptors by which wallets show the terms and calls of this deployment', async () => {
  const { items } = await rig.as(owner(1)).listClearSigning({})
  expect(items.map(({ name }) => name)).toEqual([
    'eip712-MandateTerms.json',
    'calldata-MandateVaultFactory.json',
    'calldata-MandateVault.json',
  ])
  expect(items[0]?.descriptor).toMatchObject({
    context: { eip712: { deployments: [{ chainId: CHAIN_ID, address: `0x${'55'.repeat(20)}` }] } },
  })
})
