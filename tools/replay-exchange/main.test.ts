import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
let child: ChildProcess | undefined
const run = (...args: string[]): ChildProcess => {
  child = fork(main, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  return child
}
const outputOf = async (process: ChildProcess): Promise<{ code: unknown; text: string }> => {
  let text = ''
  process.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  process.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(process, 'close')) as unknown[]
  return { code, text }
}
const firstLines = async (process: ChildProcess, count: number): Promise<string[]> => {
  const lines: string[] = []
  if (process.stdout === null) return lines
  for await (const line of createInterface({ input: process.stdout })) {
    lines.push(line)
    if (lines.length === count) break
  }
  return lines
}
afterEach(() => child?.kill('SIGKILL'))

describe('the command', () => {
  it.each(['SIGTERM', 'disconnect'])('prints each venue as a setting, serves it, and ends by %s', async (end) => {
    const process = run('--port', '0', '--tokens', '30', '--venues', 'binance,upbit', '--start', '2026-01-05T00:00Z')
    const [binance = '', upbit = '', coinbase, , , , last] = await firstLines(process, 7)
    expect(binance).toMatch(/^MARKET_VENUE_BASE_URL_BINANCE=http:\/\/127\.0\.0\.1:\d+\/binance$/)
    expect(upbit).toMatch(/^MARKET_VENUE_BASE_URL_UPBIT=/)
    expect(coinbase).toMatch(/^MARKET_VENUE_BASE_URL_COINBASE=/)
    expect(last).toMatch(/^Time is 2026-01-05T00:00:/)
    expect((await fetch(`${binance.split('=')[1]}/api/v3/ping`)).status).toBe(200)
    const ended = once(process, 'exit')
    if (end === 'disconnect') process.disconnect()
    else process.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it.each([
    [['--dataset', 'moon'], /--dataset must be one of synthetic, ftx/],
    [['--dataset', 'ftx'], /set MARKET_REPLAY_DIR/],
    [['--speed', 'fast'], /--speed must be from 0 to 6000/],
    [['--start', 'noon'], /--start must be a time such as/],
    [['--tokens', '3'], /tokens must be from 30 to 5000/],
    [['--nope'], /nope/],
  ])('answers %j with one sentence', async (args, sentence) => {
    const environment = { ...process.env }
    delete environment['MARKET_REPLAY_DIR']
    child = fork(main, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: environment })
    const { code, text } = await outputOf(child)
    expect(code).toBe(1)
    expect(text).toMatch(sentence)
    expect(text).not.toMatch(/\n\s+at /)
  })
})
