import { expect, test } from 'vitest'
import { dryUntilDenied, switchedOn } from './chain-settings.ts'

test.each(['0', 'false', 'No', ' off '])('%j ends a dry run', (text) => {
  expect(dryUntilDenied.parse(text)).toBe(false)
})

test.each(['1', '', 'fasle', 'live'])('%j leaves a dry run on', (text) => {
  expect(dryUntilDenied.parse(text)).toBe(true)
})

test.each(['0', '', 'ture'])('%j leaves a switch off', (text) => {
  expect(switchedOn.parse(text)).toBe(false)
})
