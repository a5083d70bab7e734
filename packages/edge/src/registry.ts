import type { Contract, Refusal } from '@svc/contract'
import { common } from '@svc/contracts'

/** Returns every refusal of the product by code. Throws if a code is declared twice with different texts. */
export function refusalRegistry(contracts: readonly Contract[]): ReadonlyMap<string, Refusal> {
  const registry = new Map<string, Refusal>(Object.values(common).map((refusal) => [refusal.code, refusal]))
  for (const contract of contracts) {
    for (const operation of Object.values(contract.operations)) {
      for (const refusal of operation.refusals ?? []) {
        const known = registry.get(refusal.code)
        if (known !== undefined && known !== refusal && known.meaning !== refusal.meaning)
          throw new Error(`refusal ${refusal.code} is declared twice`)
        registry.set(refusal.code, refusal)
      }
    }
  }
  return registry
}

/** Returns the other codes that refuse for the same condition as this one. */
export const codesLike = ({ code, sameAs = code }: Refusal, refusals: ReadonlyMap<string, Refusal>): string[] =>
  [...refusals.values()]
    .filter((one) => one.code !== code && (one.sameAs ?? one.code) === sameAs)
    .map((one) => one.code)
