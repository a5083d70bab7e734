// Reduces a copy of the workspace to one image: a service, all services of the image's folder, or the program that prepares servers ("setup"), with the packages that it
// needs at run time and no development dependencies. npm then installs what is left: `--omit=dev` alone also installs the
// development dependencies of workspaces, because a workspace itself is never one.
//   node only-service.mjs <service> | setup
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const [image] = process.argv.slice(2)
/** The program of the image "setup"; of the services it reads the migrations. */
const SETUP = ['setup.ts', 'storage.ts']
const read = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const remove = (path) => rmSync(path, { recursive: true })
const folders = globSync('{packages/*,services/*,services/*/*}/package.json').map((path) => dirname(path))
const folderOf = new Map(folders.map((folder) => [read(folder).name, folder]))

const kept = new Set()
const keep = (name) => {
  const folder = folderOf.get(name)
  if (folder === undefined || kept.has(folder)) return
  kept.add(folder)
  for (const dependency of Object.keys(read(folder).dependencies ?? {})) keep(dependency)
}

function keepSetup() {
  const { dependencies, devDependencies: _dropped, ...manifest } = read('tools')
  const text = SETUP.map((file) => readFileSync(`tools/dev/${file}`, 'utf8')).join('')
  const imported = Object.entries(dependencies).filter(([name]) => new RegExp(`from '${name}['/]`).test(text))
  for (const [name] of imported) keep(name)
  for (const entry of readdirSync('tools')) if (entry !== 'dev') remove(`tools/${entry}`)
  for (const entry of readdirSync('tools/dev')) if (!SETUP.includes(entry)) remove(`tools/dev/${entry}`)
  for (const folder of folders.filter((one) => one.startsWith('services/')))
    for (const entry of readdirSync(folder)) if (!entry.startsWith('migrations')) remove(`${folder}/${entry}`)
  writeFileSync('tools/package.json', JSON.stringify({ ...manifest, dependencies: Object.fromEntries(imported) }))
}

function keepService() {
  const own = folders.filter((one) => `${one}/`.startsWith(`services/${image}/`))
  if (own.length === 0) throw new Error(`there is no service "${image}"`)
  for (const folder of own) keep(read(folder).name)
  for (const folder of folders.filter((one) => one.startsWith('services/') && !kept.has(one))) remove(folder)
  remove('tools')
  remove('infra')
}

if (image === 'setup') keepSetup()
else keepService()
for (const folder of folders.filter((one) => one.startsWith('packages/') && !kept.has(one))) remove(folder)
for (const folder of ['.', ...kept]) {
  const { devDependencies: _dropped, optionalDependencies: _platform, ...manifest } = read(folder)
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
}
