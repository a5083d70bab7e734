import { cp, glob, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'

const leftOut = new Set(['node_modules', '.git', '.data', '.nx', 'coverage'])

/** Copies the sources of a workspace; libraries are linked, workspace packages resolve to the copy. */
export async function copyTree(root: string, copy: string): Promise<void> {
  await cp(root, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) })
  await linkModules(root, copy, 'node_modules')
  for await (const modules of glob('{packages/*,services/*,services/*/*,tools}/node_modules', { cwd: root }))
    await linkModules(root, copy, modules)
}

async function linkModules(root: string, copy: string, modules: string): Promise<void> {
  await mkdir(join(copy, modules), { recursive: true })
  for (const name of await readdir(join(root, modules))) {
    const source = join(root, modules, name)
    if (name === '@svc') {
      await mkdir(join(copy, modules, name))
      for (const project of await readdir(source)) {
        const target = resolve(source, await readlink(join(source, project)))
        await linkProject(copy, project, relative(root, target))
      }
    } else if (name !== '.vite' && name !== '.cache') {
      await symlink(source, join(copy, modules, name), (await lstat(source)).isDirectory() ? 'dir' : 'file')
    }
  }
}

/** What `npm install` does for one workspace package. */
export async function linkProject(copy: string, name: string, folder: string): Promise<void> {
  await symlink(join(copy, folder), join(copy, 'node_modules/@svc', name), 'dir')
}
