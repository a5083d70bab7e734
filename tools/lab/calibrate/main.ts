import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calibrationOf } from './calibration.ts'

const replayDir = process.env['MARKET_REPLAY_DIR']
if (replayDir === undefined || replayDir === '') {
  console.error('MARKET_REPLAY_DIR is not set: name the folder that holds binance-1m-20221109, delistings and derived.')
  process.exitCode = 2
} else {
  const { measured, page, card, worth } = calibrationOf(replayDir)
  for (const { sample, events, auc, interval, p } of measured.separation) {
    const [low, high] = interval.map((value) => value.toFixed(3))
    console.log(
      `${sample.title}: AUC ${auc.toFixed(3)} (95 % ${low} … ${high}), p ${p.toFixed(4)}, ${events} of ${sample.tokens.length} delisted later`,
    )
  }
  for (const { sample, listed, aucLookAhead } of measured.worth)
    console.log(
      `${sample.title}, with a spot market: AUC ${listed.auc.toFixed(3)}, without breadth ${listed.aucWithout.toFixed(3)}, with a list of the future ${aucLookAhead.toFixed(3)}`,
    )
  const root = join(import.meta.dirname, '../../..')
  for (const [path, text] of [
    ['docs/method/calibration.md', page],
    ['docs/method/model-card-delisting.md', card],
    ['services/market-data/src/board/rules/delisting-worth-data.ts', worth],
  ] as const) {
    writeFileSync(join(root, path), text)
    console.log(`written: ${path}`)
  }
}
