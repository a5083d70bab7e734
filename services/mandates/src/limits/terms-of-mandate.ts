import { termsOf, termsWithClauses, type MandateTerms, type SignableTerms } from '@svc/chain'
import { figureNames, figuresOf, limitFields, type Figures } from '@svc/limits'
import { getAddress, zeroAddress, type Address } from 'viem'
import { z } from 'zod'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { termsMarkets } from './market-catalogue.ts'
import type { VaultDeployment } from '#neighbours/deployment.ts'
import type { SignedTerms } from './store/signed-terms.ts'
import type { Market } from '@svc/contracts/mandates/limits'

/** Returns the terms that the owner would sign now, with this agent wallet, factory and catalogue. */
export function presentTerms(
  mandate: Mandate,
  agentWallet: string,
  deployment: VaultDeployment,
  markets: readonly Market[],
): { readonly terms: MandateTerms; readonly signable: SignableTerms } {
  const { limits, owner } = mandate
  if (owner === null) throw new Error('an unowned draft has no terms')
  const terms: MandateTerms = {
    mandateId: mandate.publicId,
    owner: getAddress(owner.wallet),
    agent: getAddress(agentWallet),
    feeRecipient: getAddress(agentWallet),
    usdc: deployment.usdc ?? zeroAddress,
    legGateway: deployment.legGateway,
    ...figuresOf(limits),
    legBudget: deployment.version === 2 ? (limits.legBudget ?? 0n) : 0n,
    markets: termsMarkets(limits.markets, markets),
  }
  return {
    terms,
    signable: termsOf(terms, { chainId: deployment.chainId, factory: deployment.factory ?? zeroAddress }),
  }
}

/** Returns terms as they are stored: integers as decimal strings. */
export function termsJson(terms: MandateTerms): unknown {
  return JSON.parse(
    JSON.stringify(terms, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
}

const figure = z.string().transform(BigInt)
const address = z.string().transform((text): Address => getAddress(text))
const rowOf = (name: keyof Figures): unknown => (limitFields[name].kind === 'usdcOrNull' ? figure.nullable() : figure)
const figureRows = Object.fromEntries(figureNames.map((name) => [name, rowOf(name)])) as {
  [Name in keyof Figures]: z.ZodType<Figures[Name], string>
}
const storedTerms = z.object({
  mandateId: z.string(),
  owner: address,
  agent: address,
  feeRecipient: address,
  usdc: address,
  legGateway: address,
  ...figureRows,
  legBudget: figure,
  markets: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      calls: z.array(z.object({ target: address, selector: z.string().transform((text) => text as `0x${string}`) })),
    }),
  ),
})

/** Returns the signed figures and parties. */
export function signedFigures(signed: Pick<SignedTerms, 'terms'>): MandateTerms {
  return storedTerms.parse(signed.terms)
}

/** Returns the signed terms with the digest that the signature covers. */
export function signedTermsOf(signed: SignedTerms): SignableTerms {
  return termsWithClauses(signedFigures(signed), signed.clauses, {
    chainId: signed.chain_id,
    factory: getAddress(signed.factory),
  })
}

/** Returns true if the factory of the deployment accepts the signed terms. */
export function isForDeployment(signed: SignedTerms, deployment: VaultDeployment): boolean {
  return (
    signed.chain_id === deployment.chainId &&
    getAddress(signed.factory) === (deployment.factory ?? zeroAddress) &&
    signedFigures(signed).legGateway === deployment.legGateway
  )
}
