import { opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import type { LocalAccount } from 'viem'
import { bodyAt, owner, ownerWallet, startLifeRig } from '../rigs/life-rig.ts'

const FACTORY = `0x${'5'.repeat(40)}`
const USDC = `0x${'c'.repeat(40)}`
const placed = (venue: string) => ({
  HUB_TEST_VENUE_TARGETS: `0x${venue.repeat(40)}`,
  HUB_MANDATE_FACTORY_ADDRESS: FACTORY,
  HUB_USDC_ADDRESS: USDC,
})
const me = owner(1)
const rig = opened(() => startLifeRig({ environment: { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}` } }))

async function sign(public_id: string): Promise<string> {
  const { typed_data, terms_hash } = await rig.as(me).readTerms({ public_id })
  const signature = await ownerWallet(1).signTypedData(
    typed_data as unknown as Parameters<LocalAccount['signTypedData']>[0],
  )
  return (await rig.as(me).signTerms({ public_id, terms_hash, signature })).terms_hash
}

test('terms signed while no factory is configured must be signed again once one is, and create-call says so', async () => {
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: 7 }) as never)
  const { public_id } = mandate
  expect(await rig.as(me).readTerms({ public_id })).toMatchObject({
    factory_configured: false,
    typed_data: { domain: { verifyingContract: `0x${'0'.repeat(40)}`, chainId: 31_337 } },
  })
  const first = await sign(public_id)
  const unconfigured = await rig.as(me).prepareCreation({ public_id })
  expect(unconfigured).toMatchObject({ configured: false, call: null, factory: null, terms_hash: first })
  expect(unconfigured.detail).toContain('signed again')
  expect(await refusalOf(rig.as(me).exportMandate({ public_id, standard: 'spend-permission' }))).toMatchObject({
    status: 409,
    code: 'hub_sign_again',
  })

  // Without USDC it would make no vault.
  const { HUB_USDC_ADDRESS: _unset, ...withoutUsdc } = placed('4')
  await rig.restart(withoutUsdc)
  expect(await rig.as(me).prepareCreation({ public_id })).toEqual(unconfigured)

  await rig.restart(placed('4'))
  expect(await refusalOf(rig.as(me).prepareCreation({ public_id }))).toMatchObject({
    status: 409,
    code: 'hub_sign_again',
  })
  expect(await rig.as(me).readTerms({ public_id })).toMatchObject({ signed: false, factory_configured: true })
  const second = await sign(public_id)
  expect(second).not.toBe(first)
  const created = await rig.as(me).prepareCreation({ public_id })
  expect(created).toMatchObject({ configured: true, call: { to: FACTORY, chain_id: 31_337 }, terms_hash: second })
  expect(created.call?.data).toMatch(/^0x7eac2ff0/)

  const detail = await rig.as(me).readMandate({ public_id })
  expect(detail).toMatchObject({ state: 'signed', terms_hash: second })
  expect(detail.events.map(({ kind, body }) => [kind, body['from'], body['to']]).toReversed()).toEqual([
    ['drafted', undefined, undefined],
    ['terms_signed', undefined, undefined],
    ['state_changed', 'draft', 'signed'],
    ['terms_signed', undefined, undefined],
    ['state_changed', 'signed', 'signed'],
  ])
})

test('signed terms keep their hash and texts when the catalogue changes', async () => {
  await rig.restart(placed('4'))
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: 7 }) as never)
  const { public_id } = mandate
  const hash = await sign(public_id)
  const before = await rig.as(me).prepareCreation({ public_id })
  await rig.restart(placed('6'))
  expect(await rig.as(me).prepareCreation({ public_id })).toEqual(before)
  expect(await rig.as(me).readTerms({ public_id })).toMatchObject({ signed: true, terms_hash: hash })
})

test('clause 6 is in force only while approvals are switched on', async () => {
  await rig.restart({
    HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}`,
    HUB_APPROVAL_ENABLED: '0',
  })
  const { mandate } = await rig.as(me).createMandate(bodyAt(rig, { agent_id: 7 }) as never)
  const { clauses } = await rig.as(me).readMandate({ public_id: mandate.public_id })
  expect(clauses.map(({ state }) => state).at(5)).toBe('stored_pending')
})
