import {
  scopeOf,
  type Contract,
  type Event,
  type JobDeclaration,
  type Refusal,
  type SettingDeclaration,
} from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { codesLike, refusalRegistry } from '@svc/edge'
import { permissionsOf, topology } from '@svc/service'
import { PROVENANCE, type Provenance } from '@svc/venue-rig'
import { code, page, table } from './markdown.ts'

/** Returns the page of all NATS subjects, streams, consumers and permissions. */
export function subjectsPage(contracts: readonly Contract[]): string {
  const operations = contracts.flatMap((contract) =>
    Object.values(contract.operations).map((operation) => {
      const callers = operation.auth === 'service' ? (operation.callers ?? []) : ['gateway']
      return [
        code(`rpc.${contract.name}.<caller>.${operation.key}`),
        callers.join(', '),
        operation.http === undefined ? '' : code(operation.http),
        operation.auth,
        operation.auth === 'open' || operation.auth === 'service' ? '' : scopeOf(operation),
        operation.summary,
      ]
    }),
  )
  const events = contracts.flatMap((contract) =>
    Object.values(contract.events as Record<string, Event>).map((event) => [
      code(event.subject),
      contracts
        .filter((other) => other.consumes.includes(`${event.service}.${event.key}`))
        .map((other) => other.name)
        .join(', '),
      event.money === true ? 'yes' : '',
      Object.keys(event.payload.shape).map(code).join(', '),
      event.summary,
    ]),
  )
  const jobs = contracts.flatMap((contract) =>
    Object.entries(contract.jobs as Record<string, JobDeclaration>).map(([name, job]) => [
      contract.name,
      code(name),
      String(job.everyMs),
      String(job.max),
      String(job.budgetSec),
      job.summary,
    ]),
  )
  const { streams, consumers } = topology(contracts)
  const users = permissionsOf(contracts).flatMap(({ name, publish, subscribe, allowResponses }) => [
    `### ${name}`,
    `Publishes: ${publish.map(code).join(', ') || 'nothing'}.`,
    `Subscribes: ${subscribe.map(code).join(', ') || 'nothing'}.${allowResponses ? ' Answers what it received.' : ''}`,
  ])
  return page(
    'NATS subjects',
    '## Operations',
    table(['Subject', 'Callers', 'Route', 'For', 'Scope', 'What it does'], operations),
    '## Events',
    'The schemas of payloads and their envelope are in [asyncapi.json](asyncapi.json) (AsyncAPI).',
    table(['Subject', 'Consumed by', 'Money', 'Payload', 'When'], events),
    '## Streams',
    table(
      ['Stream', 'Subjects'],
      streams.map(({ name, subjects }) => [code(name), subjects.map(code).join(', ')]),
    ),
    '## Durable consumers',
    table(
      ['Consumer', 'Stream', 'Subject'],
      consumers.map(({ durable, stream, subject }) => [code(durable), code(stream), code(subject)]),
    ),
    '## Jobs',
    table(['Service', 'Job', 'Every ms', 'Items a tick', 'Budget s', 'What it does'], jobs),
    '## Permissions',
    ...users,
  )
}

function settingRows(group: Readonly<Record<string, SettingDeclaration>>): string[][] {
  return Object.values(group).map((setting) => [
    code(setting.env),
    setting.default === undefined
      ? 'required'
      : setting.default === null
        ? 'none'
        : setting.default === ''
          ? 'empty'
          : code(setting.default),
    setting.secret === true ? 'yes' : '',
    setting.live === true ? 'yes' : '',
    setting.oldEnv === undefined ? setting.doc : `${setting.doc} Old name: ${code(setting.oldEnv)}.`,
  ])
}

/** Returns the page of all settings, by service. */
export function settingsPage(contracts: readonly Contract[]): string {
  const head = ['Setting', 'Default', 'Secret', 'Live', 'Meaning']
  return page(
    'Settings',
    'Environment variables. `NAME_FILE` may name a file that contains the value of `NAME`. A live setting is read at each use: from the file of its name in the folder `SVC_SWITCHES_DIR`, or else from the environment.',
    'Switches are on with `1`, `true`, `yes` or `on`, and off with `0`, `false`, `no` or `off`, in any case. An empty text means off; a protecting switch (a dry run, a hold) is switched off by an off word only. With any other word the service does not start and names the setting. In the file of a live setting such a word is logged and counted (`hub_switch_file_invalid_total`), and the previous value stays.',
    '## Every service',
    table(head, settingRows(serviceSettings)),
    '## Services with a Postgres schema',
    table(head, settingRows(postgresSettings)),
    ...contracts.flatMap((contract) => [`## ${contract.name}`, table(head, settingRows(contract.settings))]),
  )
}

/** Returns a sentence about the other codes of the same condition, if there are any. */
function likeText(refusal: Refusal, registry: ReadonlyMap<string, Refusal>): string[] {
  const others = codesLike(refusal, registry).map(code)
  return others.length === 0 ? [] : [`Elsewhere the same condition is ${others.join(' or ')}.`]
}

/** Returns the page of all error codes. */
export function errorsPage(contracts: readonly Contract[]): string {
  const registry = refusalRegistry(contracts)
  const refusals = [...registry.values()].sort((a, b) => a.code.localeCompare(b.code, 'en'))
  const rows = refusals.map((refusal) => [
    code(refusal.code),
    String(refusal.status),
    [refusal.meaning, ...likeText(refusal, registry)].join(' '),
    refusal.fix,
    Object.keys(refusal.details?.shape ?? {})
      .map(code)
      .join(', '),
  ])
  return page(
    'Errors',
    'Failures are RFC 9457 problem details (`application/problem+json`) with a stable `code`. `/problems` serves the same list.',
    table(['Code', 'Status', 'When', 'What to do', 'Members'], rows),
  )
}

/** Returns the page of what the local venue does and how each of it is known. */
export function venueRigPage(): string {
  const rows = (kind: Provenance['kind']) =>
    PROVENANCE.filter((row) => row.kind === kind).map(({ name, behaviour, known, source }) => [
      kind === 'rule' ? name : code(name),
      behaviour,
      known,
      source,
    ])
  const count = (known: Provenance['known']) => String(PROVENANCE.filter((row) => row.known === known).length)
  return page(
    'The local venue',
    'What `packages/venue-rig` answers, and how each behaviour is known. *Measured*: somebody saw it at the venue and ' +
      'published it. *Documented*: the documentation or the code of the venue says so. *Assumed*: it is ours until ' +
      `somebody sees it. ${count('measured')} rows are measured, ${count('documented')} documented, ${count('assumed')} assumed.`,
    '## Questions',
    table(['Question', 'Behaviour', 'Known', 'Source'], rows('question')),
    '## Actions',
    table(['Action', 'Behaviour', 'Known', 'Source'], rows('action')),
    '## Rules that several share',
    table(['Rule', 'Behaviour', 'Known', 'Source'], rows('rule')),
  )
}
