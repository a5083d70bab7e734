import { prepare, read } from '@svc/chain'
import type { Address } from 'viem'
import type { PreparedCall } from '@svc/chain'
import { USDC } from '../vault/cast.ts'
import type { Scene } from './scene.ts'

/** What is paid in. */
export const DEPOSIT = 400n * USDC

/** A call as the API answers it, ready for a wallet. */
export const walletCall = (call: { to: string; data: string }): Pick<PreparedCall, 'to' | 'data'> => ({
  to: call.to as Address,
  data: call.data as PreparedCall['data'],
})

/** Creates the vault that the signed terms describe and pays in; the mandate works from then on. */
export async function createAndFund(scene: Scene, path: string): Promise<Address> {
  const { stage, walk, owner, venueOwner, market, asOwner } = scene
  walk.chapter('Create the vault, deposit test USDC')
  walk.say('The service prepares calls and never sends one: each is signed and sent by the wallet it is for.')
  const creation = await asOwner(`${path}/create-call`, 200, { show: ['configured', 'call', 'factory'] })
  const created = await stage.send(owner, walletCall(creation.call), 'factory.createVault(signed terms)')
  const attached = await asOwner(`${path}/vault`, 200, {
    body: { tx_hash: created.hash },
    show: ['ok', 'vault', 'chain_id', 'factory', 'state'],
  })
  const vault = attached.vault as Address
  const factory = read(stage.chain).factory(attached.factory)
  walk.expect('the word of the factory for the vault', await factory.isVault({ vault }), true)

  const { calls } = await asOwner(`${path}/fund?amount_usdc=${DEPOSIT / USDC}`, 200, {
    show: ['vault', 'room_usdc', 'best_way_in', 'calls'],
  })
  await stage.send(owner, walletCall(calls.approve), `usdc.approve(vault, ${DEPOSIT / USDC} USDC)`)
  const deposit = await stage.send(owner, walletCall(calls.deposit), `vault.deposit(${DEPOSIT / USDC} USDC)`)
  const deposited = await recordOwn(scene, path, 'deposit', deposit.hash)
  walk.expect('the amount of the receipt', deposited.amount_usdc, String(DEPOSIT / USDC))
  walk.expect('the state', deposited.state, 'working')

  const { venue } = stage.deployment.contracts
  const open = prepare(stage.chain.id)
    .venue(venue.address)
    .setPrice({ m: market, price: 100n * USDC })
  await stage.send(venueOwner, open, 'venue.setPrice(100 USDC): the market opens')
  return vault
}

/** Tells the service of a transaction that the owner sent; it reads the receipt itself. */
export function recordOwn({ asOwner }: Scene, path: string, kind: string, hash: string) {
  return asOwner(`${path}/vault-tx`, 200, { body: { kind, tx_hash: hash } })
}
