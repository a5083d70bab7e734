const fixed = (digits: number) => (value: number | null) => (value === null ? '–' : value.toFixed(digits))
export const three = fixed(3)
export const four = fixed(4)
export const whole = fixed(0)
export const percent = (share: number) => `${(share * 100).toFixed(1)} %`
export const range = ([low, high]: readonly [number, number], format = three) => `${format(low)} … ${format(high)}`

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
