import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { limitsPage } from './page.ts'

it('the page of the venues is what their files say', () => {
  const page = readFileSync(join(import.meta.dirname, '../../..', 'docs/method/venues.md'), 'utf8')
  expect(page, 'run node tools/lab/venue-limits/main.ts').toBe(limitsPage())
})
