import { dirname } from 'node:path'
import { findSubjectProblems } from './check/subjects.ts'

/** Prints where a service's sources differ from the subjects that its README lists; exits 1 if there is a difference. */
const problems = await findSubjectProblems(dirname(import.meta.dirname))
for (const { file, problem } of problems) console.log(`${file} ${problem}`)
if (problems.length > 0) process.exitCode = 1
