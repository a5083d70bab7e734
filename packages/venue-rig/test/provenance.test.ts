import { expect, test } from 'vitest'
import { QUESTIONS } from '../src/info.ts'
import { PROVENANCE } from '../src/provenance.ts'
import { ACTIONS } from '../src/wire.ts'

const namesOf = (kind: string) => new Set(PROVENANCE.filter((row) => row.kind === kind).map(({ name }) => name))

test('each question that is answered and each action that is understood says how it is known, and no other', () => {
  expect([...namesOf('question')].toSorted()).toEqual([...QUESTIONS].toSorted())
  expect([...namesOf('action')].toSorted()).toEqual([...ACTIONS].toSorted())
})

test('what was measured or documented names its source', () => {
  expect(PROVENANCE.filter(({ known, source }) => known !== 'assumed' && source === '')).toEqual([])
  expect(new Set(PROVENANCE.map(({ name, behaviour }) => `${name}: ${behaviour}`)).size).toBe(PROVENANCE.length)
})
