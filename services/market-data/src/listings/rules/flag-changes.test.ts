import { describe, expect, it } from 'vitest'
import { flagChanges } from './flag-changes.ts'

describe('official flags', () => {
  const instance = { tokenId: 't', tradingSince: 0, missingLists: 0, missingSince: null }
  const instances = [
    { ...instance, instanceId: 1, symbol: 'A/USDT', trading: 'trading' as const },
    { ...instance, instanceId: 2, symbol: 'B/USDT', trading: 'delisted' as const },
  ]
  const standing = { instance_id: 1, flag: 'w', meaning: 'warning' as const, effective_at: null }

  it('are raised once and ended once, and change nothing while in force', () => {
    const now = {
      symbol: 'A/USDT',
      flag: 'w',
      meaning: 'warning' as const,
      effectiveAt: null,
      source: 'x',
      publishedAt: null,
    }
    expect(flagChanges([], instances, [now])).toMatchObject([{ instanceId: 1, raised: true }])
    expect(flagChanges([standing], instances, [now, now])).toEqual([])
    expect(flagChanges([standing], instances, [])).toMatchObject([{ instanceId: 1, raised: false }])
  })

  it('do not end by a list of which rows were left out', () => {
    expect(flagChanges([standing], instances, [], false)).toEqual([])
  })

  it('of a delisted instance do not change, and unknown symbols are ignored', () => {
    const now = {
      symbol: 'NEW/USDT',
      flag: 'w',
      meaning: 'warning' as const,
      effectiveAt: null,
      source: 'x',
      publishedAt: null,
    }
    expect(flagChanges([{ ...standing, instance_id: 2 }], instances, [now])).toEqual([])
  })
})
