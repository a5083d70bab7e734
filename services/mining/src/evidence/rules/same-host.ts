const bare = (host: string) => host.replace(/\.$/, '').replace(/^www\./, '')

/** Returns whether two hosts are one, or one is below the other at a border of their names. */
export function isSameHost(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)]
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)
}
