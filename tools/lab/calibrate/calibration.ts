import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMarketLists, recordedSpot2023 } from '../recordings/market-lists.ts'
import { modelCard } from './card.ts'
import { measure, type Measured } from './measure.ts'
import { calibrationPage } from './page.ts'
import { perpSample2025, spotSample2022 } from './samples.ts'
import { worthModule } from './worth-data.ts'

const files = [
  'cryptofeed/COINBASE.jsonl.zst',
  'cryptofeed/v2-BINANCE_TR.0.zst',
  'binance-1m-20221109/klines_all.jsonl.zst',
  'delistings/binance_spot_delistings.tsv',
  'derived/features_binance_perp_usdt_202506.json',
  'derived/features_binance_spot_usdt_20221109.json',
]

/** Measures the stored inputs and returns the pages about them, and the base rates as a module. */
export function calibrationOf(replayDir: string): { measured: Measured; page: string; card: string; worth: string } {
  const inputs = files.map((name) => ({
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(replayDir, name)))
      .digest('hex'),
  }))
  const future = new Set(
    readMarketLists(replayDir).flatMap(({ exchange, base }) => (exchange === 'coinbase' ? [base] : [])),
  )
  const others = { future, oldSpot: recordedSpot2023(replayDir) }
  const measured = measure(spotSample2022(replayDir), perpSample2025(replayDir), others)
  return {
    measured,
    page: calibrationPage(measured, inputs),
    card: modelCard(measured.worth, inputs),
    worth: worthModule(measured.worth),
  }
}
