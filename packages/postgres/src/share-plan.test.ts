import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sharePlan } from './share-plan.ts'

/** Instances that look in turn, some of which end or join in between. Locks are what Postgres would grant. */
function simulate(
  names: readonly string[],
  steps: readonly { readonly kind: 'look' | 'join' | 'end'; readonly who: number }[],
) {
  const holders = new Map<string, number>()
  const alive = new Set([0])
  let next = 1
  const look = (who: number) => {
    const held = names.filter((name) => holders.get(name) === who)
    const free = names.filter((name) => !holders.has(name))
    const { drop, seek } = sharePlan({ names, instances: alive.size, held, free })
    for (const name of drop) holders.delete(name)
    for (const name of seek) if (!holders.has(name)) holders.set(name, who)
    return drop.length + seek.length
  }
  for (const { kind, who } of steps) {
    const one = [...alive][who % alive.size] ?? 0
    if (kind === 'look') look(one)
    else if (kind === 'join') alive.add((next += 1))
    else if (alive.size > 1) {
      alive.delete(one)
      for (const [name, holder] of holders) if (holder === one) holders.delete(name)
    }
  }
  return { holders, alive, settle: () => [...alive].reduce((moved, who) => moved + look(who), 0) }
}

it('after any joins and ends two looks of each process give every name a holder and nobody more than an equal part', () => {
  const step = fc.record({ kind: fc.constantFrom('look', 'look', 'join', 'end'), who: fc.nat(9) })
  fc.assert(
    fc.property(fc.nat(40), fc.array(step, { maxLength: 60 }), (count, steps) => {
      const names = Array.from({ length: count }, (_, n) => `n${n}`)
      const world = simulate(names, steps as Parameters<typeof simulate>[1])
      world.settle()
      world.settle()
      const part = Math.ceil(count / world.alive.size)
      expect([...world.holders.keys()].toSorted()).toEqual(names.toSorted())
      for (const who of world.alive)
        expect([...world.holders.values()].filter((holder) => holder === who).length).toBeLessThanOrEqual(part)
      // Nothing moves any more, so no work is interrupted.
      expect(world.settle()).toBe(0)
    }),
  )
})
