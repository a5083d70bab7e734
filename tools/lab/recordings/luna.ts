import { join } from 'node:path'
import { zstdLines } from './zstd-lines.ts'

/** A half hour of LUNA/USDT; `atMs` is its start in Unix time. */
export interface HalfHour {
  readonly atMs: number
  readonly close: number
}

/** Reads LUNA/USDT from 2022-04-15 to 06-05: the collapse, the gap of its delisting, and the other asset on the same symbol. */
export function readLuna(replayDir: string): HalfHour[] {
  return zstdLines(join(replayDir, 'luna-202205/LUNAUSDT-30m.csv.zst'))
    .slice(1)
    .map((line) => line.split(','))
    .map((cells) => ({ atMs: Number(cells[6]), close: Number(cells[4]) }))
}
