import { describe, expect, it } from 'vitest'
import { kindParts } from './kinds.ts'

describe('a rail of refusals', () => {
  it('has a part for each kind in one order, as long as its share of the longest rail', () => {
    expect(kindParts({ owner_declined: 1, OverPerTxCap: 3, OverDailyCap: 0, TargetNotAllowed: 2 }, 12)).toEqual([
      { kind: 'TargetNotAllowed', count: 2, share: 2 / 12 },
      { kind: 'OverPerTxCap', count: 3, share: 3 / 12 },
      { kind: 'owner_declined', count: 1, share: 1 / 12 },
    ])
  })

  it('keeps a kind that it does not know, after the others', () => {
    expect(kindParts({ constructor: 1, AKind: 1, MandateEnded: 1 }, 3).map(({ kind }) => kind)).toEqual([
      'MandateEnded',
      'AKind',
      'constructor',
    ])
  })
})
