import { prepare, read } from '@svc/chain'
import { vaultOf } from '@svc/sdk'
import { createWalletClient, http, type Address } from 'viem'
import { USDC } from '../people.ts'
import type { Scene } from './scene.ts'

/** The deposit, in USDC base units. */
export const DEPOSIT = 400n * USDC

/** Creates the vault of the signed terms and pays in, which makes the mandate work; returns the vault's address. */
export async function createAndFund(scene: Scene, path: string): Promise<Address> {
  const { stage, walk, owner, venueOwner, market, client } = scene
  walk.chapter('Create the vault, deposit test USDC')
  walk.say('The service prepares calls and sends none. The SDK has the wallet sign and send each, and reports it.')
  const wallet = createWalletClient({ account: owner.wallet, transport: http(stage.url) })
  const publicId = path.slice(path.lastIndexOf('/') + 1)
  const sdk = await vaultOf(client, wallet, publicId)
  walk.step('sdk: vault.create()')
  const { hash, report: attached } = await sdk.create()
  walk.outcome(true, `transaction ${hash} created vault ${attached.vault}`)
  const vault = attached.vault as Address
  const factory = read(stage.chain).factory(attached.factory as Address)
  walk.expect('isVault of the factory', await factory.isVault({ vault }), true)

  const amount = String(DEPOSIT / USDC)
  walk.step(`sdk: vault.deposit('${amount}')`)
  const deposit = await sdk.deposit(amount)
  walk.outcome(true, `approved and paid in: transaction ${deposit.hash}, state ${deposit.report.state}`)
  walk.expect('the amount of the receipt', deposit.report.amount_usdc, amount)
  walk.expect('the state', deposit.report.state, 'working')

  const venue = prepare(stage.chain.id).venue(stage.deployment.contracts.venue.address)
  const opening = venue.setPrice({ m: market, price: 100n * USDC })
  await stage.send(venueOwner, opening, 'venue.setPrice(100 USDC): the market opens')
  return vault
}
