import { decodeEvent, prepare, read, termsOf, type MandateTerms } from '@svc/chain'
import { sameAddress } from '@svc/limits'
import { recoverTypedDataAddress, type Hex, type TypedDataDefinition } from 'viem'
import { Surprise } from '../request.ts'
import { openMandate, type Mandate } from './mandate.ts'
import type { Mined, Person, Stage } from '../chain-stage.ts'

/**
 * The owner reads the terms, signs them as typed data and creates their vault. The digests of the wallet, the factory
 * and the factory's event must be equal, and the signature must be the owner's.
 */
export async function createVault(
  stage: Stage,
  owner: Person,
  stranger: Person,
  terms: MandateTerms,
  market: Hex,
): Promise<Mandate> {
  const { chain, deployment, walk } = stage
  const { address } = deployment.contracts.factory
  const signable = termsOf(terms, { chainId: chain.id, factory: address })
  for (const { number, text } of signable.clauses) walk.say(`${number}. ${text}`)

  const { digest, factoryTerms } = signable
  const typedData = signable.typedData as TypedDataDefinition
  const signature = await owner.wallet.signTypedData(typedData)
  const signer = await recoverTypedDataAddress({ ...typedData, signature })
  walk.expect('the signer of the typed data', signer, owner.wallet.address)
  const factory = read(chain).factory(address)
  walk.expect('the digest of the factory', await factory.termsHash({ t: factoryTerms }), digest)
  walk.say(`Signed: ${signature.slice(0, 10)}… over ${digest}; the factory computes the same digest.`)

  const create = prepare(chain.id).factory(address).createVault({ t: factoryTerms })
  const predicted = await factory.predictVault({ t: factoryTerms })
  const foreign = await stage.sendRefused(stranger, create, 'factory.createVault(the terms of another owner)')
  walk.expect('the refusal of a stranger', foreign.revert.name, 'NotOwnerOfTerms')
  const created = await stage.send(owner, create, 'factory.createVault(signed terms)')
  const { vault, termsHash } = createdBy(created, address)
  walk.expect('the address of the vault', vault, predicted)
  walk.expect('the digest in the event', termsHash, digest)
  walk.expect('isVault of the factory', await factory.isVault({ vault }), true)
  walk.say(`Vault ${vault} was created with the digest that the owner signed.`)

  const pinned = {
    terms: { ...terms, calls: factoryTerms.calls },
    address: vault,
    factory: address,
    implementation: await factory.implementation(),
    isVault: (other: string) => sameAddress(other, vault),
    keeper: deployment.keeper,
  }
  return openMandate(stage, pinned, market, created)
}

function createdBy({ logs, hash }: Mined, factory: string) {
  for (const log of logs) {
    const event = sameAddress(log.address, factory) ? decodeEvent('factory', log) : null
    if (event?.name === 'VaultCreated') return event.args
  }
  throw new Surprise(`transaction ${hash} emitted no VaultCreated`)
}
