import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Objects, Template } from './objects.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const OWN = '@svc'
/** Written by builds, and read by the gateway if it is there. */
const PAGES = 'packages/web/dist'

/** Returns the commit of the last release: the one that stored its contracts. */
export async function lastRelease(): Promise<string> {
  const { stdout } = await run('git', ['log', '-1', '--format=%H', '--', 'docs/api/released-contracts.json'], {
    cwd: root,
  })
  const commit = stdout.trim()
  if (commit === '') throw new Error('no commit of this repository stored the contracts of a release')
  return commit
}

/** Puts the code of a commit into a new folder, ready to run. */
export async function checkOut(ref: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, 'code.tar')
  await run('git', ['archive', '--output', archive, ref], { cwd: root })
  await run('tar', ['-xf', archive, '-C', folder])
  const [wanted, installed] = [folder, root].map((from) => readFileSync(join(from, 'package-lock.json'), 'utf8'))
  if (wanted === installed) linkDependencies(folder)
  else await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder })
  const pages = join(root, PAGES)
  if (existsSync(pages)) symlinkSync(pages, join(folder, PAGES))
}

/** Shares the installed dependencies; packages of the repository are those of the folder. */
function linkDependencies(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, OWN), { recursive: true })
  for (const name of readdirSync(from)) if (name !== OWN) symlinkSync(join(from, name), join(to, name))
  for (const manifest of globSync(['{packages/*,services/*,services/*/*}/package.json', 'tools/package.json'], {
    cwd: folder,
  })) {
    const { name } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as { name: string }
    symlinkSync(join(folder, dirname(manifest)), join(to, name))
  }
}

/**
 * Returns the path of a program in the code of a release, which may be the last one: there the processes of hl-leg were folders
 * of one project. Remove it with the next release.
 */
export function pathInRelease(code: string, path: string): string {
  if (existsSync(join(code, path))) return path
  return path.replace(/^(services\/hl-leg)\/(?:leg|(relay|trade))\/src/, (_, folder: string, role?: string) =>
    [folder, 'src', role].filter(Boolean).join('/'),
  )
}

/** Returns objects whose images of the platform have another tag. */
export function withTag(objects: Objects, tag: string): Objects {
  const retag = <T extends { readonly template: Template }>(one: T): T => ({
    ...one,
    template: {
      ...one.template,
      spec: {
        ...one.template.spec,
        containers: one.template.spec.containers.map((container) => ({
          ...container,
          image: container.image.replace(/^(platform\/[^:]+):.*$/, `$1:${tag}`),
        })),
      },
    },
  })
  const each = <T extends { readonly template: Template }>(group: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(group).map(([name, one]) => [name, retag(one)]))
  return {
    ...objects,
    deployments: each(objects.deployments),
    jobs: each(objects.jobs),
    cronJobs: each(objects.cronJobs),
  }
}
