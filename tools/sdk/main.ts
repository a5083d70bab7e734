import { builtSdk, buildSdk } from './build.ts'

await buildSdk()
console.log(`built ${builtSdk}: npm pack ${builtSdk}`)
