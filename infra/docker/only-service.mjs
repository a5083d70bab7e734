// Reduces a copy of the workspace to one service: its own folder, the packages that it needs at run time, and no
// development dependencies. npm then installs what is left: `--omit=dev` alone also installs the development
// dependencies of workspaces, because a workspace itself is never one.
//   node only-service.mjs <service>
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const [service] = process.argv.slice(2)
const read = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const folders = ['packages', 'services'].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
const folderOf = new Map(folders.map((folder) => [read(folder).name, folder]))

const kept = new Set()
const keep = (name) => {
  const folder = folderOf.get(name)
  if (folder === undefined || kept.has(folder)) return
  kept.add(folder)
  for (const dependency of Object.keys(read(folder).dependencies ?? {})) keep(dependency)
}
keep(`@svc/${service}`)
if (!kept.has(`services/${service}`)) throw new Error(`there is no service "${service}"`)

for (const folder of [...folders.filter((one) => !kept.has(one)), 'tools']) rmSync(folder, { recursive: true })
for (const folder of ['.', ...kept]) {
  const { devDependencies: _dropped, optionalDependencies: _platform, ...manifest } = read(folder)
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
}
