import { prepare, read } from '@svc/chain'
import type { Address } from 'viem'
import { USDC } from '../people.ts'
import { reportTransaction, walletCall, type Scene } from './scene.ts'

/** The deposit, in USDC base units. */
export const DEPOSIT = 400n * USDC

/** Creates the vault of the signed terms and pays in, which makes the mandate work; returns the vault's address. */
export async function createAndFund(scene: Scene, path: string): Promise<Address> {
  const { stage, walk, owner, venueOwner, market, asOwner } = scene
  walk.chapter('Create the vault, deposit test USDC')
  walk.say('The service prepares calls but sends none: each is signed and sent by its own wallet.')
  const creation = await asOwner(`${path}/create-call`, 200, { show: ['configured', 'call', 'factory'] })
  const { hash } = await stage.send(owner, walletCall(creation.call), 'factory.createVault(signed terms)')
  const attached = await asOwner(`${path}/vault`, 200, {
    body: { tx_hash: hash },
    show: ['ok', 'vault', 'chain_id', 'factory', 'state'],
  })
  const vault = attached.vault as Address
  walk.expect('isVault of the factory', await read(stage.chain).factory(attached.factory).isVault({ vault }), true)

  const amount = String(DEPOSIT / USDC)
  const { calls } = await asOwner(`${path}/fund?amount_usdc=${amount}`, 200, {
    show: ['vault', 'room_usdc', 'best_way_in', 'calls'],
  })
  await stage.send(owner, walletCall(calls.approve), `usdc.approve(vault, ${amount} USDC)`)
  const deposit = await stage.send(owner, walletCall(calls.deposit), `vault.deposit(${amount} USDC)`)
  const expect = { amount_usdc: amount, state: 'working' }
  await reportTransaction(scene, path, { kind: 'deposit', hash: deposit.hash, expect })

  const venue = prepare(stage.chain.id).venue(stage.deployment.contracts.venue.address)
  const opening = venue.setPrice({ m: market, price: 100n * USDC })
  await stage.send(venueOwner, opening, 'venue.setPrice(100 USDC): the market opens')
  return vault
}
