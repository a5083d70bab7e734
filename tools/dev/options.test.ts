import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('defaults: port 8080, a folder in the repository, one process', () => {
  expect(readOptions([])).toMatchObject({
    port: 8080,
    isolate: false,
    withHistory: false,
    help: false,
    dataDir: expect.stringMatching(/\/\.data$/),
  })
})

test('every wrong argument is answered with one sentence', () => {
  for (const args of [
    ['--port', '0'],
    ['--port', 'x'],
    ['--port', '65536'],
    ['--nope'],
    ['extra'],
    ['--data'],
    ['--venues', 'binance,nowhere'],
    ['--tokens', '5'],
  ]) {
    expect(() => readOptions(args)).toThrow(/^[^\n]+(npm start -- --help|not ".*")\.$/)
  }
})

test('market data comes from the replay exchange unless real ones are named', () => {
  expect(readOptions([]).venues).toEqual({ kind: 'replay', tokens: 300 })
  expect(readOptions(['--tokens', '1000']).venues).toEqual({ kind: 'replay', tokens: 1000 })
  expect(readOptions(['--venues', 'binance,gate']).venues).toEqual({
    kind: 'live',
    venues: ['binance', 'gate'],
    breadth: ['bitstamp', 'coinbase', 'gemini', 'kraken'],
  })
})
