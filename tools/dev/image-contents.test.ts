import { existsSync, readFileSync } from 'node:fs'
import { cp, lstat, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { placeOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../check/run-command.ts'
import { imageNames } from './build-images.ts'

const root = dirname(dirname(import.meta.dirname))
const timeoutMs = 1_800_000
/** Bytes of an image, without compression. */
const SIZE_MAX = 220_000_000
const billOfMaterials = z.object({ components: z.array(z.object({ purl: z.string() })) })
const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), link: z.boolean().optional() })),
})

/** The commands of the stage that installs a service's dependencies, with the image's paths in `folder`. */
function installCommands(folder: string): string {
  const stage = /^FROM sources AS dependencies\n([\s\S]*?)^FROM /m.exec(
    readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'),
  )?.[1]
  const steps = [...(stage ?? '').matchAll(/^(RUN|COPY) ((?:.*\\\n)*.*)$/gm)].map(([, word, rest = '']) =>
    rest.replaceAll(' /tmp/', ` ${folder}/`).replace(/^/, word === 'RUN' ? '' : `cp ${root}/`),
  )
  return steps.join(' && ')
}

/** What the Dockerfile copies from the repository until the end of a stage; without tests, as in the image. */
async function copiedTo(app: string, stages: readonly string[]): Promise<void> {
  const blocks = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8').split(/^(?=FROM )/m)
  const copies = blocks
    .filter((block) => stages.some((stage) => block.split('\n')[0]?.endsWith(` AS ${stage}`)))
    .flatMap((block) => [...block.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)])
  const ignored = new RegExp(String.raw`/(node_modules|dist|test|\.data)(/|$)|\.test\.ts$`)
  for (const [, sources = '', target = ''] of copies)
    for (const source of sources.split(' ')) {
      const to = target === './' ? join(app, source) : join(app, target)
      await cp(join(root, source), to, { recursive: true, filter: (path) => !ignored.test(path.slice(root.length)) })
    }
}

test(
  'the pages of the gateway are built from nothing but what its image copies',
  async () => {
    const app = await mkdtemp(join(tmpdir(), 'image-pages-'))
    try {
      await copiedTo(app, ['sources', 'pages'])
      await symlink(join(root, 'node_modules'), join(app, 'node_modules'))
      const built = await runCommand(['node', 'tools/web/build.ts'], { cwd: app, timeoutMs })
      expect(built.code, built.output).toBe(0)
      expect(await readdir(join(app, 'packages/web/dist'))).toContain('page-home.html')
    } finally {
      await rm(app, { recursive: true })
    }
  },
  timeoutMs,
)

const versionsOf = async (file: string) => lockfile.parse(JSON.parse(await readFile(file, 'utf8'))).packages

test.each(process.env['TEST_LONG'] === '1' ? imageNames() : ['gateway'])(
  'the image of %s holds what it imports, in the versions of the lockfile, within 220 MB, no test tool and no shell, and lists it all',
  async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'image-'))
    const app = join(folder, 'app')
    try {
      await copiedTo(app, ['sources'])
      const install = await runCommand(['sh', '-c', installCommands(folder)], {
        cwd: app,
        env: { SERVICE: service, npm_config_prefer_offline: 'true' },
        timeoutMs,
      })
      expect(install.code, install.output).toBe(0)
      const [wanted, found] = [
        await versionsOf(join(root, 'package-lock.json')),
        await versionsOf(join(app, 'node_modules/.package-lock.json')),
      ]
      const libraries = Object.keys(found).filter((path) => path.startsWith('node_modules/'))
      const foreign = ['vitest', 'testcontainers', 'ssh2', 'typescript', '@svc/testing']
      // The setup prepares servers; no service does.
      for (const tool of service === 'setup' ? foreign : [...foreign, '@svc/servers'])
        expect(libraries).not.toContain(`node_modules/${tool}`)
      if (service === 'gateway') expect(libraries).not.toContain('node_modules/viem')
      const others = libraries.filter(
        (path) => wanted[path] !== undefined && wanted[path].version !== found[path]?.version,
      )
      expect(others).toEqual([])

      const image = join(folder, 'image')
      const assemble = [process.execPath, join(root, 'infra/docker/image-contents.mjs'), service, image]
      const assembled = await runCommand(assemble, { cwd: app, timeoutMs })
      expect(assembled.code, assembled.output).toBe(0)
      const loaded = await runCommand(
        [join(image, 'usr/local/bin/node'), '--input-type=module', '-e', "await import('./service.ts')"],
        { cwd: join(image, 'app'), timeoutMs },
      )
      // The setup is a program: without settings it names the first that it misses.
      expect(loaded).toMatchObject(
        service === 'setup'
          ? { code: 1, output: 'The setup failed: SETUP_ROLE_PASSWORDS is required.\n' }
          : { code: 0, output: '' },
      )
      const files = (await readdir(image, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      const sizes = await Promise.all(
        files.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).size),
      )
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SIZE_MAX)
      expect(files.filter(({ name }) => /^(sh|bash|dash|busybox|npm)$/.test(name))).toEqual([])
      // The setup migrates every schema.
      const migrations = contracts.flatMap((one) => (one.postgres ? [join(image, 'app', placeOf(one).migrations)] : []))
      expect(service === 'setup' ? migrations.filter((path) => !existsSync(path)) : []).toEqual([])
      const bill = billOfMaterials.parse(JSON.parse(await readFile(join(image, 'app/sbom.json'), 'utf8')))
      const listed = new Set(bill.components.map(({ purl }) => purl))
      const unlisted = libraries.filter((path) => {
        const { version, link } = found[path] ?? {}
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).replace('@', '%40')
        return link !== true && !listed.has(`pkg:npm/${name}@${version}`)
      })
      expect(unlisted).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  timeoutMs,
)
