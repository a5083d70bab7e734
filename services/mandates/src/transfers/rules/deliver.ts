/** A movement of the asset in a transaction. */
export interface Movement {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** A reported transfer with the addresses of its agent, in lower case. */
export interface Awaited {
  readonly id: number
  readonly direction: 'in' | 'out'
  readonly amount: bigint
  readonly parties: ReadonlySet<string>
}

/**
 * Returns the transfer that each movement delivers, by the number of the movement: the amounts are equal, and the agent's
 * wallet or vault is at the end that the direction names. A movement delivers one transfer, the oldest first.
 */
export function deliveries(awaited: readonly Awaited[], movements: readonly Movement[]): ReadonlyMap<number, number> {
  const used = new Set<number>()
  const found = new Map<number, number>()
  for (const { id, direction, amount, parties } of awaited) {
    const at = movements.findIndex((movement, place) => {
      const party = direction === 'in' ? movement.to : movement.from
      return !used.has(place) && movement.amount === amount && parties.has(party.toLowerCase())
    })
    if (at < 0) continue
    used.add(at)
    found.set(id, at)
  }
  return found
}
