import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { calibrationOf } from './calibration.ts'

const replayDir = process.env['MARKET_REPLAY_DIR']
if (replayDir === undefined || replayDir === '') {
  console.error('MARKET_REPLAY_DIR is not set: name the folder that holds binance-1m-20221109, delistings and derived.')
  process.exitCode = 2
} else {
  const { measured, page } = calibrationOf(replayDir)
  const path = join(join(import.meta.dirname, '../../..'), 'docs/method/calibration.md')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
  for (const { sample, events, auc, interval, p } of measured.separation) {
    const [low, high] = interval.map((value) => value.toFixed(3))
    console.log(
      `${sample.title}: AUC ${auc.toFixed(3)} (95 % ${low} … ${high}), p ${p.toFixed(4)}, ${events} of ${sample.tokens.length} delisted later`,
    )
  }
  console.log(`written: ${path}`)
}
