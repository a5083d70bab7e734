import { parseArgs } from 'node:util'
import { findOrStartPlatform } from './platform.ts'
import { firstDay } from './first-day.ts'
import { createWalk, Surprise } from './walk.ts'

const HELP = `npm run demo -- [--data DIR]

Walks an agent's first day against the platform of the data folder: a running one, or one that it
starts and stops again. Prints every request and answer, and fails when any differs from the documents.

  --data DIR   data folder of the platform (default .data)
  --help       this text
`

const { values } = parseArgs({
  options: { data: { type: 'string', default: '.data' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  process.stdout.write(HELP)
} else {
  const platform = await findOrStartPlatform(values.data)
  const walk = createWalk(platform.url)
  try {
    await firstDay(walk, platform.house)
    console.log(`\nThe first day went as the documents say: ${walk.steps()} steps against ${platform.url}.`)
  } catch (error) {
    if (!(error instanceof Surprise)) throw error
    console.error(`\nNOT as documented: ${error.message}`)
    process.exitCode = 1
  } finally {
    await platform.stop()
  }
}
