import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measure, type Measured } from './measure.ts'
import { calibrationPage } from './page.ts'
import { perpSample2025, spotSample2022 } from './samples.ts'

const files = [
  'binance-1m-20221109/klines_all.jsonl.zst',
  'delistings/binance_spot_delistings.tsv',
  'derived/features_binance_perp_usdt_202506.json',
  'derived/features_binance_spot_usdt_20221109.json',
]

/** Measures the stored inputs and writes the page about them. */
export function calibrationOf(replayDir: string): { measured: Measured; page: string } {
  const inputs = files.map((name) => ({
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(replayDir, name)))
      .digest('hex'),
  }))
  const measured = measure(spotSample2022(replayDir), perpSample2025(replayDir))
  return { measured, page: calibrationPage(measured, inputs) }
}
