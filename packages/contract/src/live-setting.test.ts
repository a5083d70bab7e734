import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadSettings, setting, SWITCHES_DIR } from './setting.ts'
import { protectingSwitchWord, switchWord } from './switch-words.ts'

const group = {
  door: setting({ env: 'HUB_DOOR', schema: switchWord, default: '0', live: true, doc: 'A switch.' }),
  hold: setting({
    env: 'HUB_HOLD',
    schema: protectingSwitchWord,
    default: '1',
    live: true,
    doc: 'A protecting switch.',
  }),
  still: setting({ env: 'HUB_STILL', schema: switchWord, default: '0', doc: 'Read at the start.' }),
}

let folder: string
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  folder = mkdtempSync(join(tmpdir(), 'switches-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const write = (env: string, text: string) => writeFileSync(join(folder, env), text)

/** Advances the time beyond the period during which a read of the file is reused. */
const nextLook = () => vi.advanceTimersByTime(15)

test('a live setting follows changes of its file, and uses the environment without a file', () => {
  const settings = loadSettings(group, { [SWITCHES_DIR]: folder, HUB_DOOR: 'yes' })
  expect(settings.door).toBe(true)
  for (const [text, value] of [
    ['off\n', false],
    ['on\n', true],
    ['', false],
  ] as const) {
    write('HUB_DOOR', text)
    nextLook()
    expect(settings.door).toBe(value)
  }
  rmSync(join(folder, 'HUB_DOOR'))
  nextLook()
  expect(settings.door).toBe(true)
})

test('a live setting with an invalid file keeps its last valid value and reports the problem once', () => {
  const reports: string[] = []
  write('HUB_DOOR', 'on')
  const settings = loadSettings(group, { [SWITCHES_DIR]: folder }, (env, reason) => reports.push(`${env}: ${reason}`))
  write('HUB_DOOR', 'of')
  for (let look = 0; look < 3; look += 1) {
    nextLook()
    expect(settings.door).toBe(true)
  }
  expect(reports).toEqual([expect.stringMatching(/^HUB_DOOR: HUB_DOOR is invalid: must be one of 1, true, yes, on/)])
  write('HUB_DOOR', 'off')
  nextLook()
  expect(settings.door).toBe(false)
})

test('a live setting with an unreadable file keeps its last valid value', () => {
  const reports: string[] = []
  const settings = loadSettings(group, { [SWITCHES_DIR]: folder }, (env) => reports.push(env))
  mkdirSync(join(folder, 'HUB_HOLD'))
  nextLook()
  expect(settings.hold).toBe(true)
  expect(reports).toEqual(['HUB_HOLD'])
})

test('only a word that means off turns a protecting switch off in its file', () => {
  const settings = loadSettings(group, { [SWITCHES_DIR]: folder })
  for (const text of ['', 'none', 'flase']) {
    write('HUB_HOLD', text)
    nextLook()
    expect(settings.hold).toBe(true)
  }
  write('HUB_HOLD', 'false')
  nextLook()
  expect(settings.hold).toBe(false)
})

test('a wrong switch word, in the environment or in a file, fails the start and names the setting', () => {
  expect(() => loadSettings(group, { HUB_DOOR: 'ture' })).toThrow(/^HUB_DOOR is invalid: /)
  write('HUB_DOOR', 'ture')
  expect(() => loadSettings(group, { [SWITCHES_DIR]: folder })).toThrow(/^HUB_DOOR is invalid: /)
})

test('a setting that is not live ignores its file', () => {
  const settings = loadSettings(group, { [SWITCHES_DIR]: folder })
  write('HUB_STILL', 'on')
  nextLook()
  expect(settings.still).toBe(false)
})
