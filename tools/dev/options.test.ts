import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('defaults: port 8080, a folder in the repository, one process', () => {
  expect(readOptions([])).toMatchObject({
    port: 8080,
    isolate: false,
    help: false,
    dataDir: expect.stringMatching(/\/\.data$/),
  })
})

test('every wrong argument is answered with one sentence', () => {
  for (const args of [['--port', '0'], ['--port', 'x'], ['--port', '65536'], ['--nope'], ['extra'], ['--data']]) {
    expect(() => readOptions(args)).toThrow(/^[^\n]+(npm start -- --help|not ".*")\.$/)
  }
})
