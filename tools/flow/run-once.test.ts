import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contracts } from '@svc/contracts/all'
import { opened, testStack } from '@svc/testing'
import { expect, test } from 'vitest'

const stack = opened(() => testStack(contracts))

/** Runs the command line of a service. */
async function run(service: string, words: readonly string[]) {
  const main = fileURLToPath(new URL(`../../services/${service}/src/main.ts`, import.meta.url))
  const env = stack.environmentOf(service, { SVC_LOG_LEVEL: 'info', ...(service === 'identity' ? signingKey : {}) })
  const options = { env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv, timeout: 60_000 }
  const ended = await promisify(execFile)(process.execPath, [main, ...words], options).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: ended.code, stdout: ended.stdout, stderr: ended.stderr }
}
const signingKey = { SVC_SESSION_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64url') }

test.each(contracts.map(({ name, jobs }) => [name, Object.keys(jobs)] as const))(
  '%s runs a job once on a fresh platform, again the same, and names its jobs for an unknown one',
  async (service, jobs) => {
    const job = jobs.at(-1) ?? expect.fail(`${service} has no job`)
    const naming = run(service, ['--job', 'nothing', '--once'])
    for (const _ of ['first', 'second']) {
      const { code, stdout, stderr } = await run(service, ['--job', job, '--once'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const said = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      expect(said.at(-1)).toMatchObject({ service, msg: 'done', done: expect.any(Number) })
    }
    const unknown = await naming
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr.trim().split('\n')).toHaveLength(1)
    for (const name of jobs) expect(unknown.stderr).toContain(name)
  },
)
