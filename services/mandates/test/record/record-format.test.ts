import { readFileSync } from 'node:fs'
import { fileReader } from '@svc/service'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { me, ownerActs, startOnChain, type OnChain } from '../owner-acts.ts'

let on: OnChain
const { signed, createVault, deposited, report } = ownerActs(() => on)
beforeAll(async () => {
  on = await startOnChain()
})
afterAll(async () => {
  await on.rig.stop()
  await on.chain.stop()
})

const page = readFileSync(new URL('../../../../docs/record-format.md', import.meta.url), 'utf8')
const [, headPart = '', entryPart = ''] = page.split(/^## /m)

const quoted = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
/** Returns the rows of the table with this header: the names in the first cell, and those that begin the second one. */
function rowsOf(part: string, header: string): readonly { names: readonly string[]; members: readonly string[] }[] {
  const [, table = ''] = part.split(`${header}\n|---|---|\n`)
  const [rows = ''] = table.split('\n\n')
  return rows.split('\n').map((row) => {
    const [, first = '', second = ''] = row.split('|')
    return { names: quoted(first), members: quoted(second.split(';')[0] ?? '') }
  })
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Returns the paths of all members, without those inside `body`, which depend on the kind. */
const pathsOf = (value: Json, before = ''): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) =>
    isObject(member) && name !== 'body' ? pathsOf(member, `${before}${name}.`) : [`${before}${name}`],
  )
const exampleOf = (part: string) => JSON.parse(/```json\n(.*)\n```/.exec(part)?.[1] ?? '') as Json

/** Exports the record of a vault whose creation and deposit a reorganisation removed and restored. */
async function exported(): Promise<{ readonly head: Json; readonly entries: readonly Json[] }> {
  const { rig } = on
  const public_id = await signed()
  const creation = await createVault(public_id)
  await rig.as(me).attachVault({ public_id, tx_hash: creation })
  const deposit = await deposited(public_id, '400')
  await report(public_id, 'deposit', deposit)
  for (const [revision, canonical] of [
    [1, true],
    [2, false],
    [3, true],
  ] as const)
    for (const hash of [creation, deposit]) await rig.peer?.tell(hash, revision, canonical)
  const kinds = async () =>
    (await rig.as(me).readRecord({ public_id, since: '0' })).steps.map(
      ({ kind, body }) => `${kind} ${String(body['revision'])}`,
    )
  await eventually(async () =>
    expect(await kinds()).toEqual(expect.arrayContaining(['vault_restored 3', 'chain_fact 3'])),
  )
  const { file } = await rig.as(me).exportRecord({ public_id })
  const bus = await rig.stack.nats.connect('gateway')
  const text = await new Response(await fileReader(bus)(file)).text()
  await bus.close()
  const [head = {}, ...entries] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
  return { head, entries }
}

test('docs/record-format.md names each member of an exported record, and no other', async () => {
  const { head, entries } = await exported()
  const tabled = (part: string) =>
    rowsOf(part, '| member | meaning |')
      .flatMap(({ names }) => names)
      .toSorted()
  expect(pathsOf(head).toSorted()).toEqual(tabled(headPart))
  expect(pathsOf(head)).toEqual(pathsOf(exampleOf(headPart)))
  expect(entries.length).toBeGreaterThan(5)
  for (const line of entries) {
    expect(pathsOf(line).toSorted()).toEqual(tabled(entryPart))
    expect(pathsOf(line).toSorted()).toEqual(pathsOf(exampleOf(entryPart)).toSorted())
  }

  const bodies = entries.flatMap(({ entry }) =>
    isObject(entry) ? [[String(entry['kind']), entry['body']] as const] : [],
  )
  const described = new Map(
    rowsOf(entryPart, '| kind | members of `body` |').flatMap(({ names, members }) =>
      names.map((kind) => [kind, members]),
    ),
  )
  const ofChain = bodies.filter(([kind]) => /^(chain_fact|vault_)/.test(kind) && kind !== 'vault_transaction')
  expect([...new Set(ofChain.map(([kind]) => kind))].toSorted()).toEqual([...described.keys()].toSorted())
  for (const [kind, body] of ofChain)
    expect(Object.keys(body ?? {}).toSorted(), kind).toEqual(described.get(kind)?.toSorted())
})
