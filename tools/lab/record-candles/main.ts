import { parseArgs } from 'node:util'
import { recordCandles } from './record-candles.ts'

const help = `Usage: node tools/lab/record-candles/main.ts FILE [options]

Records the last minutes of every trading pair at Binance into FILE (.jsonl.zst). Put FILE into the folder that
MARKET_REPLAY_DIR names and replay it: node tools/replay-exchange/main.ts --dataset packed --recording FILE

  --minutes N   1 to 1000 (default 1000)
  --quote NAME  only pairs in this quote currency
  --base URL    address in place of https://api.binance.com
`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '1000' },
      quote: { type: 'string' },
      base: { type: 'string', default: 'https://api.binance.com' },
      help: { type: 'boolean', default: false },
    },
  })
  const [file] = positionals
  if (values.help || file === undefined) process.stdout.write(help)
  else {
    const pairs = await recordCandles({
      baseUrl: values.base,
      quote: values.quote ?? null,
      minutes: Number(values.minutes),
      file,
      onPair: (symbol, done, of) => process.stderr.write(`\r${done}/${of} ${symbol.padEnd(20)}`),
    })
    console.log(`\n${pairs} pairs are in ${file}.`)
  }
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : 'It failed.'}\n`)
  process.exitCode = 1
}
