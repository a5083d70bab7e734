import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { owner, ownerWallet, signTypedData, startTradeRig } from '../rig.ts'

const rig = opened(() => startTradeRig())

test('an owner links an account, approves the order key and the builder fee with the wallet, and may trade', async () => {
  rig.fund(1)
  const as = rig.as(owner(1))
  expect(await as.readOwnStatus({})).toMatchObject({ wallet: null, can_trade: false })
  const wallet = ownerWallet(1)
  const { message } = await as.challengeLink({ wallet_address: wallet.address })
  const linked = await as.linkOwnAccount({ signature: await wallet.signMessage({ message }) })
  expect(linked).toMatchObject({ ok: true, wallet: wallet.address, order_key: { state: 'offered', epoch: 0 } })
  const { order_key, builder_fee } = linked.approvals
  for (const offer of [order_key, builder_fee]) {
    if (offer === null) throw new Error('nothing to sign')
    await as.relayApproval({ signature: await signTypedData(wallet, offer.typed_data), nonce: offer.nonce })
  }
  const verified = await as.verifyApprovals({})
  expect(verified).toMatchObject({
    can_trade: true,
    order_key: { state: 'enabled', epoch: 0 },
    builder_fee: { configured: true, approved: true, max_fee: 100 },
    approvals: { order_key: null, builder_fee: null, web_key: null },
  })
  expect(verified.checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true, true])
})
