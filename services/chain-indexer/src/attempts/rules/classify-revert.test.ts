import { vaultError } from '@svc/limits'
import type { RevertRead } from '@svc/contracts/chain-indexer/attempts'
import { expect, test } from 'vitest'
import { classifyRevert } from './classify-revert.ts'

const replay = (name: string, kind: RevertRead['refusal_kind'] = null): RevertRead => ({
  name,
  selector: null,
  args: {},
  refusal_kind: kind,
  inner: null,
})
const daily = { known: true, error: vaultError('OverDailyCap', 5n, 3n) } as const
const passes = { known: true, error: null } as const
const unknown = { known: false } as const

test('agreement of both is the best evidence', () => {
  expect(classifyRevert(daily, replay('OverDailyCap', 'OverDailyCap'), false)).toMatchObject({
    outcome: 'refusal',
    kind: 'OverDailyCap',
    evidence: 'recomputed+replayed',
  })
})

test('where they disagree, the recomputation decides, as it knows the order within the block', () => {
  expect(classifyRevert(daily, replay('MandateEnded', 'MandateEnded'), false)).toMatchObject({
    kind: 'OverDailyCap',
    evidence: 'recomputed',
  })
  expect(classifyRevert(daily, 'passes', false)).toMatchObject({ kind: 'OverDailyCap', evidence: 'recomputed' })
})

test('one source alone is said to be the only one', () => {
  expect(classifyRevert(daily, 'unavailable', false)).toMatchObject({
    kind: 'OverDailyCap',
    evidence: 'recomputed',
    revert: { args: { asked: '5', left: '3' } },
  })
  expect(classifyRevert(unknown, replay('MandateEnded', 'MandateEnded'), false)).toMatchObject({
    kind: 'MandateEnded',
    evidence: 'replayed',
  })
  expect(classifyRevert(passes, replay('MandateStopped', 'MandateStopped'), false)).toMatchObject({
    kind: 'MandateStopped',
    evidence: 'replayed',
  })
})

test('a foreign caller, missing funds and a failing target are no refusals', () => {
  const foreign = { known: true, error: vaultError('NotAgent', '0x0000000000000000000000000000000000000001') } as const
  expect(classifyRevert(foreign, 'unavailable', false)).toMatchObject({ outcome: 'other', kind: null })
  expect(classifyRevert(foreign, replay('NotAgent'), false)).toMatchObject({
    outcome: 'other',
    evidence: 'recomputed+replayed',
  })
  expect(classifyRevert(passes, replay('TargetCallFailed'), false)).toMatchObject({
    outcome: 'target_failed',
    kind: null,
  })
  expect(classifyRevert(passes, replay('SpendMismatch'), false)).toMatchObject({ outcome: 'other', kind: null })
})

test('a call that used its gas up is not taken for a failing target, a refusal that used much gas stays one', () => {
  expect(classifyRevert(passes, 'out_of_gas', true)).toMatchObject({ outcome: 'out_of_gas' })
  expect(classifyRevert(passes, replay('TargetCallFailed'), true)).toMatchObject({ outcome: 'out_of_gas' })
  expect(classifyRevert(daily, replay('OverDailyCap', 'OverDailyCap'), true)).toMatchObject({ outcome: 'refusal' })
})

test('without any evidence nothing is claimed', () => {
  expect(classifyRevert(unknown, 'unavailable', true)).toMatchObject({
    outcome: 'unknown',
    kind: null,
    evidence: 'none',
  })
  expect(classifyRevert(passes, 'passes', false)).toMatchObject({ outcome: 'unknown', kind: null, evidence: 'none' })
})
