import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { render } from '#k8s-verify/render.ts'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 600_000

/** Returns the program of a block with one command. */
const programOf = (script: string) => /tools\/[\w-]+\/main\.ts/.exec(script)?.[0] ?? script

test(
  'the shell blocks of docs/operations.md run as they stand, except those that cannot run here and those that another test runs',
  async () => {
    const text = await readFile(join(root, 'docs/operations.md'), 'utf8')
    const blocks = [...text.matchAll(/^```sh( not run| run by \S+)?\n([\s\S]*?)^```$/gm)].map(
      ([, mark, script = '']) => ({
        mark,
        script,
      }),
    )
    const run = blocks.filter(({ mark }) => mark === undefined)
    // Every block is one of the three: none in another language escapes.
    expect(blocks).toHaveLength([...text.matchAll(/^ *```\S/gm)].length)
    expect(run.length).toBeGreaterThanOrEqual(3)
    for (const { mark, script } of blocks) {
      const needsMore = /^(kubectl|argocd|kubeseal|node tools\/dev\/setup\.ts)\b|build-images|--needs/m.test(script)
      expect({ script, needsMore }).toEqual({ script, needsMore: mark === ' not run' })
      const runner = / run by (\S+)/.exec(mark ?? '')?.[1]
      if (runner !== undefined) expect(await readFile(join(root, runner), 'utf8')).toContain(programOf(script))
    }
    const work = await mkdtemp(join(tmpdir(), 'svc-operations-'))
    try {
      const script = `set -eu\nWORK=${work}\n${run.map((block) => block.script).join('\n')}`
      const ended = await runCommand(['sh', '-c', script], { cwd: root, timeoutMs: TIMEOUT_MS })
      expect(ended.code, ended.output).toBe(0)
      expect(ended.output).toContain('gateway → nats:4222')
    } finally {
      await rm(work, { recursive: true })
    }
  },
  TIMEOUT_MS,
)

test('one documented command ends a running stop line, where the page says so', async () => {
  const text = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const runbooks = await readdir(join(root, 'docs/runbooks'))
  const pages = [
    text,
    ...(await Promise.all(runbooks.map((name) => readFile(join(root, 'docs/runbooks', name), 'utf8')))),
  ]
  const ending = pages
    .flatMap((page) => page.match(/kubectl (?:delete|scale|drain|apply .*--prune)\b[^\n`]*/g) ?? [])
    // Only the Jobs of the set-up have the label; a scale upwards ends nothing, and neither does the end of an autoscaler.
    .filter((line) => !/^kubectl delete job -n platform -l app\.kubernetes\.io\/component=setup$/.test(line))
    .filter((line) => !line.startsWith('kubectl delete job -n platform --ignore-not-found roles provision migrate-'))
    .filter((line) => line !== 'kubectl delete scaledobject -n platform --all')
    // A run of the stop line asks mandates first.
    .filter((line) => !/^kubectl scale .*(?:--replicas=[1-9]|name notin \(hl-leg,mandates\))/.test(line))
  expect(ending).toEqual(['kubectl scale -n platform deployment/hl-leg deployment/mandates --replicas=0'])
  expect(text).toMatch(/It is the only command of this page\s+that ends a\s+running stop line/)
})

test('the Jobs that the first update deletes by name are those of the release', async () => {
  const text = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const named = /^kubectl delete job -n platform --ignore-not-found (.*)$/m.exec(text)?.[1]?.split(' ') ?? []
  const jobs = (await render(join(root, 'k8s/migrate/production'))).filter(({ kind }) => kind === 'Job')
  expect(named.toSorted()).toEqual(jobs.map(({ metadata }) => metadata.name).sort())
})

test('every secret of a deployment has a line that says how it is changed, and every worker that acts one that says how it is turned on', async () => {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const [text, secrets] = [await read('docs/operations.md'), await read('docs/api/secrets.md')]
  const section = (title: string) => text.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  const entries = [...secrets.matchAll(/^\| `[^`]+` \| `([^`]+)` \|/gm)].map(([, name = '']) =>
    name.replace(/^NATS_USER_.*/, 'NATS_USER_…'),
  )
  expect(entries.length).toBeGreaterThan(50)
  const change = section('Change a credential')
  expect(entries.filter((name) => name !== 'username' && !change.includes(`\`${name}\``))).toEqual([])
  // Every row names a test that is there, or says why there is none.
  const rows = change.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  const rehearsals = rows.flatMap((row) =>
    [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  )
  for (const path of rehearsals) expect([path, existsSync(join(root, path))]).toEqual([path, true])
  const unrehearsed = rows.filter((row) => !/`[^`]+` \|$/.test(row)).map((row) => row.split(' | ')[1] ?? '')
  for (const how of unrehearsed) expect(how).toMatch(/never|another side|other side|refused elsewhere|local chain/)
  const workers = await readdir(join(root, 'k8s/components/go-live'))
  expect(workers.filter((name) => !section('Turn a worker on').includes(`\`${name}\``))).toEqual([])
})
