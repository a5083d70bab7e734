import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tellStory, type Story } from './story.ts'

const story = JSON.parse(readFileSync(new URL('../stories/crash.json', import.meta.url), 'utf8')) as Story
const beats = tellStory(story)
const first = (kind: string) => beats.find((beat) => beat.kind === kind)?.minute ?? Infinity

test('in the story the alert comes first, then the stop line, and from then on every attempt is refused', () => {
  expect(first('alert')).toBeLessThanOrEqual(first('stopped'))
  expect(first('stopped')).toBeLessThan(story.worths.length)
  const after = beats.filter(({ minute, kind }) => minute > first('stopped') && kind !== 'alert')
  expect(after.length).toBeGreaterThan(3)
  expect(after.every((beat) => beat.kind === 'refused' && beat.code === 'stopped_by_stop_line')).toBe(true)
})

test('the vault stops at the first mark at or below the line, and not before', () => {
  const line = story.limits.stop_line
  expect(story.worths.findIndex((worth) => worth <= line)).toBe(first('stopped'))
})

test('with a line that the worth never reaches nothing stops', () => {
  const calm = { ...story, limits: { ...story.limits, stop_line: 1 } }
  expect(tellStory(calm).some(({ kind }) => kind === 'stopped')).toBe(false)
})
