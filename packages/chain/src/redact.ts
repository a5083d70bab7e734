const SECRET_LENGTH_MIN = 6

/**
 * Removes every part of an RPC's address that could be a key from a text: user, password, path segments, query values and
 * host. Providers repeat them in error messages.
 */
export function redactor(rpcUrl: string): (text: string) => string {
  const url = new URL(rpcUrl)
  const parts = [
    rpcUrl,
    url.href,
    url.username,
    url.password,
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.host,
    url.hostname,
    ...url.hostname.split('.'),
  ]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= SECRET_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length)
  return (text) => parts.reduce((rest, part) => rest.replaceAll(part, '<redacted>'), text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
