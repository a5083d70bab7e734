import { access, glob, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { z } from 'zod'
import { importsOf } from './imports-of.ts'

export interface SubjectProblem {
  /** File or README, relative to the root, with `/`. */
  readonly file: string
  readonly problem: string
}

interface Subject {
  readonly name: string
  readonly contracts: readonly string[]
}

/** A source file of a service: path relative to `src`, and the files of `src` that it imports. */
interface Source {
  readonly path: string
  readonly imports: readonly string[]
}

/** The sources of a service and its subjects. */
interface Layout {
  readonly src: string
  readonly subjects: readonly Subject[]
  readonly sources: readonly Source[]
}

/** Files at `src` that compose the process: they may import its subjects, and no subject owns them. */
const COMPOSITION = new Set(['main.ts', 'context.ts', 'handlers.ts', 'reactions.ts', 'jobs.ts'])

const item = /^\s*(?:[-*]|\d+\.)\s+`([a-z0-9-]+)\/`/
const contractName = /`@svc\/contracts\/([a-z0-9/-]+)`/g

/**
 * Compares the sources of every service whose README has a section `## Subjects` with that list: a folder for each subject
 * and a subject for each folder; imports only from subjects further down; at `src` only the composition and files that at
 * least two subjects use; contracts that exist. Tests may import everything.
 */
export async function findSubjectProblems(root: string): Promise<SubjectProblem[]> {
  const problems: SubjectProblem[] = []
  const contracts = await contractsExported(root)
  for await (const path of glob('services/{*,*/*}/README.md', { cwd: root })) {
    const readme = path.replaceAll('\\', '/')
    const subjects = subjectsOf(await readFile(join(root, readme), 'utf8'))
    if (subjects === null) continue
    const src = posix.join(posix.dirname(readme), 'src')
    const sources = await sourcesOf(join(root, src))
    const layout = { src, subjects, sources }
    problems.push(
      ...(await compareFolders(root, readme, layout)),
      ...missingContracts(readme, subjects, contracts),
      ...importsUpwards(layout),
      ...looseFiles(layout),
    )
  }
  return problems.toSorted((a, b) => a.file.localeCompare(b.file))
}

/** Returns the subjects of a README in their order; null without a section `## Subjects`. */
function subjectsOf(readme: string): readonly Subject[] | null {
  const section = /^## Subjects\s*$([^]*?)(?=^## |$(?![^]))/m.exec(readme)?.[1]
  if (section === undefined) return null
  const texts: string[] = []
  for (const line of section.split('\n')) {
    if (item.test(line)) texts.push(line)
    else if (texts.length > 0) texts.push(`${texts.pop()} ${line}`)
  }
  return texts.map((text) => ({
    name: item.exec(text)?.[1] ?? '',
    contracts: [...text.matchAll(contractName)].map((match) => match[1] ?? ''),
  }))
}

async function contractsExported(root: string): Promise<(name: string) => boolean> {
  const folder = join(root, 'packages/contracts')
  const manifest = z.object({ exports: z.record(z.string(), z.string()) })
  const { exports } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const files = new Set<string>()
  for await (const path of glob('src/**/*.ts', { cwd: folder })) files.add(`./${path.replaceAll('\\', '/')}`)
  return (name) => files.has(exports[`./${name}`] ?? exports['./*']?.replace('*', name) ?? '')
}

async function sourcesOf(src: string): Promise<readonly Source[]> {
  const sources: Source[] = []
  for await (const found of glob('**/*.ts', { cwd: src })) {
    const path = found.replaceAll('\\', '/')
    if (path.endsWith('.test.ts')) continue
    const file = join(src, path)
    const imports = importsOf(file, await readFile(file, 'utf8')).flatMap((specifier) => {
      if (specifier.startsWith('#')) return [specifier.slice(1)]
      return specifier.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : []
    })
    sources.push({ path, imports })
  }
  return sources.toSorted((a, b) => a.path.localeCompare(b.path))
}

/** Returns the subject whose folder has the file; null for a file at `src`. */
function subjectOf(path: string): string | null {
  const at = path.indexOf('/')
  return at < 0 ? null : path.slice(0, at)
}

const isComposition = (path: string): boolean => COMPOSITION.has(path)

async function compareFolders(
  root: string,
  readme: string,
  { src, subjects, sources }: Layout,
): Promise<SubjectProblem[]> {
  const listed = new Set(subjects.map(({ name }) => name))
  const folders = new Set(sources.flatMap(({ path }) => subjectOf(path) ?? []))
  const missing: string[] = []
  for (const name of listed) if (!(await exists(join(root, src, name)))) missing.push(name)
  return [
    ...missing.map((name) => ({
      file: readme,
      problem: `lists the subject ${name}/, but ${src}/${name} does not exist`,
    })),
    ...[...folders]
      .filter((name) => !listed.has(name))
      .map((name) => ({ file: `${src}/${name}`, problem: 'is not listed under "## Subjects" of the README' })),
  ]
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

function missingContracts(
  readme: string,
  subjects: readonly Subject[],
  isContract: (name: string) => boolean,
): SubjectProblem[] {
  return subjects.flatMap((subject) =>
    subject.contracts
      .filter((name) => !isContract(name))
      .map((name) => ({ file: readme, problem: `names @svc/contracts/${name}, which does not exist` })),
  )
}

/** Returns the files of higher subjects that a file imports, directly or through shared files at `src`. */
function importsUpwards({ src, subjects, sources }: Layout): SubjectProblem[] {
  const place = new Map(subjects.map(({ name }, index) => [name, index]))
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const reached = (path: string, seen: Set<string>): readonly string[] =>
    (byPath.get(path)?.imports ?? []).flatMap((imported) => {
      if (seen.has(imported) || isComposition(imported)) return []
      seen.add(imported)
      return subjectOf(imported) === null ? reached(imported, seen) : [imported]
    })
  return sources.flatMap(({ path }) => {
    const own = subjectOf(path)
    const from = place.get(own ?? '')
    if (own === null || from === undefined) return []
    return reached(path, new Set())
      .filter((imported) => (place.get(subjectOf(imported) ?? '') ?? from) < from)
      .map((imported) => ({
        file: `${src}/${path}`,
        problem: `imports #${imported}, but ${subjectOf(imported)}/ stands above ${own}/ under "## Subjects"`,
      }))
  })
}

/** Returns the files at `src` that fewer than two subjects use, directly or through other files at `src`. */
function looseFiles({ src, subjects, sources }: Layout): SubjectProblem[] {
  const listed = new Set(subjects.map(({ name }) => name))
  const importers = new Map<string, string[]>()
  for (const { path, imports } of sources)
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path])
  const users = (path: string, seen: Set<string>): readonly string[] =>
    (importers.get(path) ?? []).flatMap((importer) => {
      if (seen.has(importer) || isComposition(importer)) return []
      seen.add(importer)
      const subject = subjectOf(importer)
      return subject === null ? users(importer, seen) : [subject]
    })
  return sources.flatMap(({ path }) => {
    if (subjectOf(path) !== null || isComposition(path)) return []
    const using = new Set(users(path, new Set()).filter((name) => listed.has(name)))
    if (using.size >= 2) return []
    const by = using.size === 0 ? 'no subject uses it' : `only ${[...using].join()}/ uses it`
    return [{ file: `${src}/${path}`, problem: `lies loose at src, but ${by}: move it into the folder of its subject` }]
  })
}
