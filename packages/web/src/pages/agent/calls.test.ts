import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstCalls, pairCall, quoted } from './calls.ts'

test('the calls have the place of the key and never a key', () => {
  const all = [
    ...firstCalls('https://hub.example/', 4).map(({ command }) => command),
    pairCall('https://hub.example', '7KQ2-M9XD'),
  ]
  for (const command of all) {
    expect(command).toContain('X-SVC-User-Key: $SVC_KEY')
    expect(command).not.toMatch(/svc_[0-9a-z]|svr_|eyJ|example\/\//)
  }
})

test('a shell reads each call as it is meant', () => {
  const words = (command: string) =>
    execFileSync('sh', [
      '-c',
      `SVC_KEY=secret; MANDATE=m1; set -- ${command.replace(/^curl /, '')}; printf '%s\\n' "$@"`,
    ])
      .toString()
      .split('\n')
  expect(words(pairCall('https://hub.example', '7KQ2-M9XD'))).toEqual(
    expect.arrayContaining(['https://hub.example/hub/agents/pair', 'X-SVC-User-Key: secret', '{"code":"7KQ2-M9XD"}']),
  )
  const [, , accept] = firstCalls('https://hub.example', 4)
  expect(words(accept?.command ?? '')).toContain('https://hub.example/hub/mandates/m1/accept')
  expect(quoted(`a'b$(x)`)).toBe(`'a'\\''b$(x)'`)
})
