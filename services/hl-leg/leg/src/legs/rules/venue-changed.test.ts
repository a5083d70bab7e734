import { expect, test } from 'vitest'
import { hasVenueChanged } from './venue-changed.ts'

const at = (...minutes: number[]) => minutes.map((minute) => new Date(minute * 60_000))

test('more than two legs, or 5 % of all, that become unexplained within ten minutes say that the venue changed', () => {
  expect(hasVenueChanged(at(0, 5, 10), 100)).toBe(true)
  expect(hasVenueChanged(at(0, 5, 11), 100)).toBe(false)
  expect(hasVenueChanged(at(0, 5), 30)).toBe(true)
  expect(hasVenueChanged(at(0, 5), 40)).toBe(false)
  expect(hasVenueChanged(at(0), 1)).toBe(false)
  expect(hasVenueChanged([], 100)).toBe(false)
})
