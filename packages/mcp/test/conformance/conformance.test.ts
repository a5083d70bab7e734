import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { openShop } from '../fixture.ts'
import { conformanceServer } from './server.ts'

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const REVISION = '2026-07-28'
const page = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')

/** Returns the rows of the table of scenarios. */
const tableOf = (text: string) =>
  /\| scenario \| checks that pass \|\n\|[ |-]+\n((?:\|.*\n)+)/.exec(text)?.[1]?.trimEnd().split('\n')

const shop = opened(async () => {
  const opening = await openShop(1_000_000, { conformance: conformanceServer })
  return { ...opening, stop: () => opening.close() }
})

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

const run = async (...given: string[]): Promise<string> => {
  const answer = promisify(execFile)(process.execPath, [SUITE, ...given], { maxBuffer: 1 << 26 })
  return (await answer.catch((error: { stdout: string }) => error)).stdout
}

/** Returns the names of the server scenarios that the revision scores; the suite also runs others. */
async function scored(): Promise<string[]> {
  const listed = await run('list', '--server', '--requirements', REVISION)
  const part = /Server scenarios[^\n]*\n((?: {2}- [^\n]+\n)+)/.exec(listed)?.[1] ?? ''
  return [...part.matchAll(/- (\S+)/g)].map(([, name = '']) => name)
}

test('every scored server scenario of the official conformance suite passes, as the table in docs/mcp.md says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
  try {
    const url = `${shop.url}/mcp?profile=conformance`
    const [names, told] = await Promise.all([
      scored(),
      run('server', '--url', url, '--requirements', REVISION, '--output-dir', folder),
    ])
    expect(names.length).toBeGreaterThanOrEqual(37)
    const folders = readdirSync(folder)
    const rows: string[] = []
    for (const name of names) {
      const own = folders.find((one) => one.startsWith(`server-${name}-2`)) ?? ''
      expect(own, `${name} was not run: ${told.slice(-2_000)}`).not.toBe('')
      const checks = JSON.parse(readFileSync(join(folder, own, 'checks.json'), 'utf8')) as readonly Check[]
      const failed = checks.filter(({ status }) => status === 'FAILURE')
      expect(
        failed.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`),
        name,
      ).toEqual([])
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length
      expect(passed, name).toBeGreaterThan(0)
      rows.push(`| \`${name}\` | ${passed} |`)
    }
    expect(tableOf(page), `the table of docs/mcp.md is:\n${rows.join('\n')}`).toEqual(rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
