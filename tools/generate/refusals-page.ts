import type { Contract } from '@svc/contract'
import { refusalRegistry } from '@svc/edge'
import { code, page, table } from './markdown.ts'
import type { RefusalSite } from './refusal-sites.ts'

/** Returns the page of every place that refuses a call, with the fix that it answers. */
export function refusalsPage(contracts: readonly Contract[], sites: readonly RefusalSite[]): string {
  const refusals = [...refusalRegistry(contracts).values()].toSorted((a, b) => a.code.localeCompare(b.code, 'en'))
  const general = sites.filter(({ fix, namesMembers }) => fix === null && !namesMembers)
  const codesIn = (some: readonly RefusalSite[]) =>
    refusals.flatMap((refusal) => {
      const files = some.filter((site) => site.refusal?.code === refusal.code).map(({ file }) => file)
      return files.length === 0 ? [] : [{ ...refusal, places: counted(files) }]
    })
  return page(
    'Refusals by site',
    'A code may be shared; its fix may not. Each place in the sources that refuses a call is in one of these tables.',
    '## Sites that state a fix of their own',
    table(
      ['Code', 'Status', 'Site', 'Fix'],
      sites
        .flatMap(({ refusal, fix, file }) => (fix === null || refusal === null ? [] : [{ ...refusal, fix, file }]))
        .toSorted((a, b) => a.code.localeCompare(b.code, 'en'))
        .map(({ code: name, status, fix, file }) => [code(name), String(status), code(file), fix]),
    ),
    '## Sites whose `errors` say of each wrong member what it must be',
    table(
      ['Code', 'Status', 'Sites'],
      codesIn(sites.filter(({ fix, namesMembers }) => fix === null && namesMembers)).map(
        ({ code: name, status, places }) => [code(name), String(status), places],
      ),
    ),
    '## Sites with the general fix of their code',
    table(
      ['Code', 'Status', 'Fix', 'Sites'],
      codesIn(general).map(({ code: name, status, fix, places }) => [code(name), String(status), fix, places]),
    ),
    '## Sites whose caller decides the code',
    table(
      ['Site'],
      [...new Set(sites.flatMap(({ refusal, file }) => (refusal === null ? [file] : [])))].map((file) => [code(file)]),
    ),
    '## Codes that no site refuses with by name',
    'They are answered for a rule, a switch or another service that found the reason.',
    refusals
      .filter(({ code: name }) => !sites.some(({ refusal }) => refusal?.code === name))
      .map(({ code: name }) => code(name))
      .join(', '),
  )
}

/** Returns files with how often each occurs. */
const counted = (files: readonly string[]): string =>
  [...Map.groupBy(files, (file) => file)]
    .map(([file, all]) => `${code(file)}${all.length === 1 ? '' : ` (${all.length})`}`)
    .join(', ')
