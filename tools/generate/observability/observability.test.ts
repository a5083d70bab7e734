import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { JobDeclaration, SettingDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { serverBinary, systemEnvironment } from '@svc/servers'
import { expect, test } from 'vitest'
import { dashboards, queriesOf } from './dashboards.ts'
import { inhibitions, inhibitRules, NEVER_SILENT } from './inhibitions.ts'
import { alerts, groups, metricsIn } from './rules.ts'
import { slos } from './slos.ts'
import { ownedAlerts, teamOf } from './teams.ts'

const root = join(import.meta.dirname, '../../..')
const rules = join(root, 'infra/prometheus/rules.test.yaml')
const run = promisify(execFile)
const isPage = (name: string) => alerts.some((one) => one.name === name && one.severity === 'page')

test('each alert on metrics of others fires where it must and is silent where it must not', async () => {
  const { path, env } = await serverBinary('promtool', join(tmpdir(), 'svc-promtool'), () => {})
  const { stdout } = await run(path, ['test', 'rules', rules], { env: { ...systemEnvironment(), ...env } })
  expect(stdout).toContain('SUCCESS')
})

test('alerts on money and attacks are silenced by nothing, and a dead Postgres calls a person about itself and them alone', () => {
  const silenced = (cause: string) => inhibitions.find((one) => one.cause === cause)?.follow ?? []
  expect(NEVER_SILENT.filter((name) => inhibitions.some(({ cause }) => silenced(cause).includes(name)))).toEqual([])
  const heard = alerts.filter(({ name, severity }) => severity === 'page' && !silenced('PostgresDown').includes(name))
  const ofVenueOrNats = [
    'ChainAhead',
    'ChainSilent',
    'ConsumerMissing',
    'DryRunUnexpected',
    'NatsSilent',
    'RedisSilent',
    'RpcSilent',
    'StreamFilling',
    'StreamFull',
    'VenueChanged',
    'VenueContradictsItself',
    'VenueRowUnknown',
  ]
  const ofPostgres = ['PgConnectionsHigh', 'PgLongTransaction', 'PostgresDown']
  expect(heard.map(({ name }) => name).sort()).toEqual(
    [...NEVER_SILENT.filter(isPage), ...ofVenueOrNats, ...ofPostgres].sort(),
  )
})

test('no two alerts silence each other, and what must agree in a label has that label', () => {
  for (const { cause, follow } of inhibitions)
    for (const other of inhibitions)
      if (follow.includes(other.cause)) expect(other.follow, other.cause).not.toContain(cause)
  for (const { cause, follow, equal } of inhibitions)
    for (const name of [cause, ...follow])
      for (const label of equal) expect(alerts.find((one) => one.name === name)?.expr, name).toContain(label)
  const known = slos.map(({ name }) => name)
  for (const { slos: named = [] } of inhibitions) expect(known).toEqual(expect.arrayContaining([...named]))
  expect(inhibitRules()).toHaveLength(inhibitions.length)
})

test('each alert has a runbook, and each runbook an alert', () => {
  const runbooks = globSync('docs/runbooks/*.md', { cwd: root }).map((path) => path.replace(/^.*\/|\.md$/g, ''))
  expect(runbooks.filter((name) => name !== 'README').sort()).toEqual(alerts.map(({ name }) => name).sort())
})

test('each alert has the team of a line of CODEOWNERS, and each team that is named an alert', () => {
  const owners = readFileSync(join(root, 'CODEOWNERS'), 'utf8')
  const teams = new Set([...owners.matchAll(/@svc\/(\S+)/g)].map(([, team = '']) => team))
  const ofService = alerts.map(teamOf).filter((team) => team.startsWith('{{'))
  expect(ofService.length).toBeGreaterThan(3)
  for (const { name } of contracts) expect(teams, name).toContain(`${name.replace(/^hl-.*/, 'hl-leg')}-team`)
  expect(alerts.map(teamOf).filter((team) => !team.startsWith('{{') && !teams.has(team))).toEqual([])
  const names = new Set(alerts.map(({ name }) => name))
  expect(ownedAlerts.filter((name) => !names.has(name))).toEqual([])
})

test('each runbook says what to look at, what to do and how to know that it worked', () => {
  for (const { name } of alerts) {
    const text = readFileSync(join(root, `docs/runbooks/${name}.md`), 'utf8')
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(['Look at', 'Do', 'It worked when'])
  }
})

test('a new installation expects those workers to act that act without a setting, and no others', () => {
  const text = readFileSync(join(root, 'k8s/components/prometheus/expected-live.yaml'), 'utf8')
  const expected = [...text.matchAll(/^ +- \{.*worker: (\w+)/gm)].map(([, worker = '']) => worker)
  const acting = contracts.flatMap(({ jobs, settings }) =>
    Object.entries(jobs as Readonly<Record<string, JobDeclaration>>).flatMap(([name, { dryRun = '' }]) =>
      (settings as Readonly<Record<string, SettingDeclaration>>)[dryRun]?.default === '0' ? [name] : [],
    ),
  )
  expect(expected.sort()).toEqual(acting.sort())
})

test('each setting that a runbook names exists', () => {
  const settings = readFileSync(join(root, 'docs/api/settings.md'), 'utf8')
  const text = alerts.map(({ name }) => readFileSync(join(root, `docs/runbooks/${name}.md`), 'utf8')).join('\n')
  const named = [...text.matchAll(/\b((?:HUB|SVC)_[A-Z0-9_]+)/g)].map(([, one = '']) => one)
  expect(named.filter((one) => !settings.includes(`\`${one}\``))).toEqual([])
})

test('what rules, dashboards and runbooks read is recorded by a rule or named as a metric in the code', () => {
  const recorded = new Set(groups().flatMap(({ rules: all }) => all.flatMap(({ record }) => record ?? [])))
  const texts = globSync('{packages/*,services/*,services/*/*}/src/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/\b((?:hub|cherry)_[a-z0-9_]+)/g)].map(([, one]) => one)),
  )
  const read = [
    ...groups().flatMap(({ rules: all }) => all.map(({ expr }) => expr)),
    ...queriesOf(dashboards),
    ...alerts.map(({ name }) => readFileSync(join(root, `docs/runbooks/${name}.md`), 'utf8')),
  ].flatMap(metricsIn)
  const isKnown = (name: string) =>
    recorded.has(name) || named.has(name.replace(/_(?:bucket|count|sum)$/, '')) || named.has(name) || OTHERS.test(name)
  expect([...new Set(read)].filter((name) => !isKnown(name))).toEqual([])
})

/** Metrics of the operators, and the one that `k8s/components/prometheus/expected-live.yaml` records. */
const OTHERS = /^(?:cnpg_|certmanager_|hub_live_expected$)/

test.each([
  [
    'an address',
    { runbooks: 'https://docs.example.com/v1/runbooks' },
    'https://docs.example.com/v1/runbooks/RpcSilent.md',
  ],
  ['a path, where Prometheus does not say the address', {}, 'docs/runbooks/RpcSilent.md'],
])('the link of an alert to its runbook is %s', async (_, external, link) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-runbooks-'))
  const shipped = groups()
    .flatMap(({ rules: all }) => all)
    .find((one) => 'alert' in one && one.alert === 'RpcSilent')
  const rule = { ...shipped, expr: 'vector(1)', for: '0m', labels: {} }
  const { annotations } = rule as { annotations?: Record<string, string> }
  const expected = { exp_annotations: { ...annotations, runbook_url: link } }
  try {
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'one', rules: [rule] }] }))
    const wanted = { eval_time: '1m', alertname: 'RpcSilent', exp_alerts: [expected] }
    const tests = [{ interval: '1m', external_labels: external, input_series: [], alert_rule_test: [wanted] }]
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify({ rule_files: ['rules.yaml'], tests }))
    const { path, env } = await serverBinary('promtool', join(tmpdir(), 'svc-promtool'), () => {})
    const { stdout } = await run(path, ['test', 'rules', join(folder, 'test.yaml')], {
      env: { ...systemEnvironment(), ...env },
    })
    expect(stdout).toContain('SUCCESS')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('panels link to runbooks of alerts', () => {
  const linked = dashboards.flatMap(({ panels }) => panels.flatMap(({ runbook }) => runbook ?? []))
  expect(alerts.map(({ name }) => name)).toEqual(expect.arrayContaining(linked))
})
