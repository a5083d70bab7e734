import { expect, test } from 'vitest'
import { endToAlert } from './key-end.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const THREE_DAYS = 3 * 86_400_000

test('the end of an access is alerted within three days before it, and not once it has passed', () => {
  expect(endToAlert(after(THREE_DAYS + 1), now)).toBeNull()
  expect(endToAlert(after(THREE_DAYS), now)).toEqual(after(THREE_DAYS))
  expect(endToAlert(after(1), now)).toEqual(after(1))
  expect(endToAlert(now, now)).toBeNull()
  expect(endToAlert(null, now)).toBeNull()
})
