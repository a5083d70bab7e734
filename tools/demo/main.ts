import { parseArgs } from 'node:util'
import { ServerProblem } from '@svc/servers'
import { demos, helpText } from './demos.ts'
import { endingOf } from './ending.ts'
import { createWalk } from './walk.ts'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: 'string', default: '.data' },
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return void process.stdout.write(helpText())
  const [name = 'first-day', ...more] = positionals
  const demo = demos[name]
  if (demo === undefined || more.length > 0)
    throw new ServerProblem(
      `There is no demo "${positionals.join(' ').slice(0, 40)}": choose one of ${Object.keys(demos).join(', ')}.`,
    )
  const { url, play, stop } = await demo.open(values.data, values.short)
  const walk = createWalk(url)
  const started = performance.now()
  console.log(`\n${demo.title}, against ${url}. Every answer is compared with the documents.`)
  try {
    await play(walk)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`\n${demo.title} went as the documents say: ${walk.steps()} steps in ${seconds} s.`)
  } catch (error) {
    const ending = endingOf(error, walk.at())
    if (ending === null) throw error
    console.error(`\n${ending}`)
    process.exitCode = 1
  } finally {
    await stop()
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof ServerProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
})
