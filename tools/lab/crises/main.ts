import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge } from './measure.ts'
import { crisisPage } from './page.ts'
import { replaysOf } from './replays.ts'
import { syntheticMarkets } from './synthetic.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
if (process.argv.includes('--help')) console.log(readFileSync(join(import.meta.dirname, 'help.txt'), 'utf8'))
else if (replayDir === '') {
  console.error(
    'MARKET_REPLAY_DIR is not set: name the folder that holds binance-1m-20221109, cryptofeed, delistings, depeg-202303 and luna-202205.',
  )
  process.exitCode = 2
} else {
  const judged = replaysOf(replayDir).map(judge)
  const madeUp = syntheticMarkets().map((replay) => ({ ...judge(replay), replay }))
  for (const { replay, opened } of [...judged, ...madeUp])
    console.log(
      `${replay.name} (${replay.kind}): ${opened.length} alerts, ${opened.filter((one) => !one.inDanger).length} false`,
    )
  const path = join(import.meta.dirname, '../../../docs/method/crisis-calibration.md')
  writeFileSync(path, crisisPage(judged, madeUp))
  console.log(`written: ${path}`)
}
