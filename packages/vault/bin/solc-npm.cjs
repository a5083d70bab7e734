#!/usr/bin/env node
// The solc of npm in the shape that forge expects of a solc binary: `--version`, and `--standard-json` on stdin. forge
// sends every source inside that JSON, so nothing is read from disk and nothing is ever downloaded.
const { readFileSync } = require('node:fs')
const solc = require('solc')

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`)
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
}
