import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runForge, vaultFolder } from '../src/forge.ts'

const linesMin = 0.98
const branchesMin = 0.9

/** Compiles all contracts again, without optimization, and runs their tests a second time. */
test.runIf(process.env['TEST_LONG'] === '1')(
  'unit tests reach at least 98 % of the lines and 90 % of the branches of the contracts',
  async () => {
    const report = join(vaultFolder, 'out/coverage/lcov.info')
    await mkdir(dirname(report), { recursive: true })
    const { code, stdout, stderr } = await runForge(
      [
        'coverage',
        '--report',
        'lcov',
        '--report-file',
        report,
        '--exclude-tests',
        '--no-match-path',
        'test/invariant/*',
      ],
      { env: { FOUNDRY_OUT: 'out/coverage', FOUNDRY_CACHE_PATH: 'cache/coverage', FOUNDRY_FUZZ_RUNS: '16' } },
    )
    expect(code, `${stdout}${stderr}`).toBe(0)
    const files = (await readFile(report, 'utf8'))
      .split('end_of_record')
      .filter((record) => /^SF:contracts\//m.test(record))
    expect(files.length).toBeGreaterThan(7)

    const sum = (key: string): number =>
      files.reduce((total, record) => total + Number(new RegExp(`^${key}:(\\d+)`, 'm').exec(record)?.[1]), 0)
    const missed = files.flatMap((record) => {
      const file = /^SF:(.*)/m.exec(record)?.[1]
      return [...record.matchAll(/^(?:DA:(\d+),0|BRDA:(\d+),.*,(?:0|-))$/gm)].map(
        (hit) => `${file}:${hit[1] ?? hit[2]}`,
      )
    })
    expect(sum('LH') / sum('LF'), missed.join('\n')).toBeGreaterThanOrEqual(linesMin)
    expect(sum('BRH') / sum('BRF'), missed.join('\n')).toBeGreaterThanOrEqual(branchesMin)
  },
)
