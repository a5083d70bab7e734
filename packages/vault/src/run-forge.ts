import { runForge } from './forge.ts'

// node packages/vault/src/run-forge.ts test -vvv
process.exitCode = (await runForge(process.argv.slice(2), { live: true })).code
