import { dirname } from 'node:path'
import { findViolations } from './check/project-graph.ts'

/** Prints every dependency between projects that a rule forbids, with the rule; exits 1 if there is one. */
const violations = await findViolations(dirname(import.meta.dirname))
for (const { from, to, rule } of violations) console.log(`${from} -> ${to}: ${rule}`)
if (violations.length > 0) process.exitCode = 1
