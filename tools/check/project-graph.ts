import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { importsOf } from './imports-of.ts'
import { layersOfFolder, refusal, type Layer } from './layers.ts'

export interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: string
}

interface Project {
  readonly name: string
  /** Folder relative to the root, with `/`. */
  readonly folder: string
  readonly layer: Layer | null
  /** Whether it has the tag `signs:nothing`. */
  readonly signsNothing: boolean
  readonly runtime: readonly string[]
  readonly development: readonly string[]
  readonly targets: readonly string[]
  /** Names of projects, and `tag:…` for all projects with the tag. */
  readonly implicit: readonly string[]
}

const manifest = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  nx: z
    .object({
      tags: z.array(z.string()).default([]),
      targets: z.record(z.string(), z.unknown()).default({}),
      implicitDependencies: z.array(z.string()).default([]),
    })
    .default({ tags: [], targets: {}, implicitDependencies: [] }),
})

const manifestFiles = ['packages/*/package.json', 'services/{*,*/*}/package.json', 'tools/package.json']
const sources = '**/*.{ts,mts,tsx,mjs,js}'
/** Entry of the signers of the perpetuals venue. */
const SIGNERS = '@svc/hyperliquid/signing'
const testFile = /(^|\/)test\/|\.test\.ts$/

/**
 * Compares the projects' declared dependencies (the edges of the Nx graph) and the imports in their sources with the
 * rules of layers.ts. Reads package.json files and sources only; nothing is executed.
 */
export async function findViolations(root: string): Promise<Violation[]> {
  const projects = await readProjects(root)
  const byName = new Map(projects.map((project) => [project.name, project]))
  const violations = projects.flatMap((project) => [
    ...checkTag(project),
    ...checkTargets(project),
    ...checkManifest(project, byName),
  ])
  const signing = new Map<Project, string>()
  for (const project of projects) violations.push(...(await checkSources(root, project, byName, signing)))
  return [...violations, ...checkSigners(projects, byName, signing)]
}

/**
 * Returns for the folder of each project what its tests run: the folder itself and those of the projects that it depends on,
 * directly or through others, sorted.
 */
export async function coveredFolders(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const projects = await readProjects(root)
  const isNamed = ({ name, layer }: Project, names: readonly string[]) =>
    names.includes(name) || names.includes(`tag:layer:${layer}`)
  const named = (names: readonly string[]) => projects.filter((project) => isNamed(project, names))
  return new Map(
    projects.map((project) => {
      const covered = new Set([project, ...named(project.development)])
      // A set also iterates over what is added meanwhile.
      for (const { runtime, implicit } of covered) for (const one of named([...runtime, ...implicit])) covered.add(one)
      return [project.folder, [...covered].map(({ folder }) => folder).toSorted()]
    }),
  )
}

async function readProjects(root: string): Promise<Project[]> {
  const projects: Project[] = []
  for await (const path of glob(manifestFiles, { cwd: root })) {
    const parsed = manifest.parse(JSON.parse(await readFile(join(root, path), 'utf8')))
    const folder = dirname(path).split(sep).join('/')
    const tags = parsed.nx.tags.filter((tag) => tag.startsWith('layer:')).map((tag) => tag.slice('layer:'.length))
    const layer = layersOfFolder[folder.split('/')[0] ?? '']?.find((name) => tags.length === 1 && name === tags[0])
    projects.push({
      name: parsed.name,
      folder,
      layer: layer ?? null,
      signsNothing: parsed.nx.tags.includes('signs:nothing'),
      runtime: Object.keys(parsed.dependencies),
      development: Object.keys(parsed.devDependencies),
      targets: Object.keys(parsed.nx.targets),
      implicit: parsed.nx.implicitDependencies,
    })
  }
  return projects.toSorted((a, b) => a.folder.localeCompare(b.folder))
}

function checkTag(project: Project): Violation[] {
  if (project.layer) return []
  const layers = (layersOfFolder[project.folder.split('/')[0] ?? ''] ?? []).map((layer) => `layer:${layer}`)
  const rule = `its package.json must have exactly one of ${layers.join(', ')} in nx.tags`
  return [{ from: project.folder, to: 'package.json', rule }]
}

/** Nx silently skips a project without the target. */
function checkTargets(project: Project): Violation[] {
  if (project.targets.includes('test')) return []
  const rule = 'its package.json must have the target test in nx.targets'
  return [{ from: project.folder, to: 'package.json', rule }]
}

/** Whether two projects are processes of one image; their tests may start each other. */
const areOfOneImage = (one: Project, other: Project): boolean => {
  const [group, image, role] = one.folder.split('/')
  return role !== undefined && other.folder.startsWith(`${group}/${image}/`)
}

function checkEdge(from: Project, to: Project | undefined, inTest: boolean, place: string): Violation[] {
  if (!from.layer || !to?.layer || from === to || (inTest && areOfOneImage(from, to))) return []
  const rule = refusal(from.layer, to.layer, inTest)
  return rule === null ? [] : [{ from: place, to: to.name, rule }]
}

function checkManifest(project: Project, byName: ReadonlyMap<string, Project>): Violation[] {
  const place = `${project.folder}/package.json`
  return [
    ...project.runtime.flatMap((name) => checkEdge(project, byName.get(name), false, place)),
    ...project.development.flatMap((name) => checkEdge(project, byName.get(name), true, place)),
  ]
}

/** Returns the imports of signers in projects that sign nothing, and in what these use at run time. */
function checkSigners(
  projects: readonly Project[],
  byName: ReadonlyMap<string, Project>,
  signing: ReadonlyMap<Project, string>,
): Violation[] {
  return projects
    .filter(({ signsNothing }) => signsNothing)
    .flatMap((project) => {
      const used = new Set([project])
      for (const { runtime } of used) for (const name of runtime) used.add(byName.get(name) ?? project)
      const rule = `${project.name} has the tag signs:nothing`
      return [...used].flatMap((one) => {
        const from = signing.get(one)
        return from === undefined ? [] : [{ from, to: SIGNERS, rule }]
      })
    })
}

async function checkSources(
  root: string,
  project: Project,
  byName: ReadonlyMap<string, Project>,
  signing: Map<Project, string>,
): Promise<Violation[]> {
  const violations: Violation[] = []
  const folder = join(root, project.folder)
  for await (const path of glob(sources, { cwd: folder, exclude: (name) => name === 'node_modules' })) {
    const file = join(folder, path)
    const place = relative(root, file).split(sep).join('/')
    for (const specifier of importsOf(file, await readFile(file, 'utf8'))) {
      if (specifier === SIGNERS && !testFile.test(path)) signing.set(project, place)
      if (specifier.startsWith('.')) {
        if (relative(folder, resolve(dirname(file), specifier)).startsWith('..'))
          violations.push({ from: place, to: specifier, rule: 'a relative import stays inside its project' })
      } else {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')
        violations.push(...checkEdge(project, byName.get(name), testFile.test(path), place))
      }
    }
  }
  return violations
}
