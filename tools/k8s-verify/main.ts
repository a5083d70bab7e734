import { reachability } from './rules/network.ts'
import { builds, renderBuild, verify } from './verify.ts'

const HELP = `node tools/with-node24.mjs tools/k8s-verify/main.ts [--edges]

Builds every overlay and combination below k8s/ and checks each object: shapes against Kubernetes 1.36 and the custom
resources, pod security, probes, limits, budgets, digests, secrets, settings, names, and who may talk to whom.

  --edges  prints who may open a connection to whom in production
  --help   this text
`

const words = process.argv.slice(2)
if (words.includes('--help')) process.stdout.write(HELP)
else if (words.includes('--edges')) {
  const [production] = (await builds()).filter(({ name }) => name === 'production')
  if (production !== undefined) console.log((reachability(await renderBuild(production)) ?? []).join('\n'))
} else {
  for (const build of await builds()) {
    const objects = await renderBuild(build)
    const findings = await verify(objects, build.released)
    console.log(`${findings.length === 0 ? 'ok    ' : 'FAILED'} ${build.name.padEnd(30)} ${objects.length} objects`)
    for (const { rule, where, problem } of findings) console.log(`       ${rule}: ${where}: ${problem}`)
    if (findings.length > 0) process.exitCode = 1
  }
}
