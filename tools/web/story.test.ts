import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tellCrash } from './story.ts'

test('the story that the pages play is what the synthetic world and the crash rule say today', () => {
  const kept = readFileSync(new URL('../../packages/web/src/stories/crash.json', import.meta.url), 'utf8')
  expect(JSON.parse(kept)).toEqual(tellCrash())
})
