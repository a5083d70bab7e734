/** A vault that a factory created, as the chain reports it. Addresses and hashes are lower case. */
export interface Creation {
  readonly chainId: number
  readonly txHash: string
  readonly vault: string
  readonly factory: string
  readonly version: 1 | 2
  readonly owner: string
  readonly agent: string
  readonly mandateIdHash: string
  readonly termsHash: string
}

/** Returns the first member in which a created vault differs from what its mandate expects; null if none differs. */
export function creationMismatch(
  creation: Creation,
  expected: {
    readonly chainId: number
    readonly factory: string
    readonly mandateIdHash: string
    readonly owner: string
    readonly agent: string
    readonly termsHash: string
  },
): 'chain' | 'factory' | 'mandate' | 'owner' | 'agent' | 'terms' | null {
  const differs = (one: string, other: string) => one.toLowerCase() !== other.toLowerCase()
  if (creation.chainId !== expected.chainId) return 'chain'
  if (differs(creation.mandateIdHash, expected.mandateIdHash)) return 'mandate'
  if (differs(creation.owner, expected.owner)) return 'owner'
  if (differs(creation.factory, expected.factory)) return 'factory'
  if (differs(creation.agent, expected.agent)) return 'agent'
  return differs(creation.termsHash, expected.termsHash) ? 'terms' : null
}
