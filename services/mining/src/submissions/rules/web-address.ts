/** Longest URL that is accepted. */
export const URL_MAX = 2048

export type UrlVerdict = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly detail: string }

const bad = (detail: string): UrlVerdict => ({ ok: false, detail })

/** Names of private networks. Whether an address is public is known only after resolution. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/

/**
 * Judges the text of a public https URL: plain ASCII, no credentials, the default port, and a host that contains a dot
 * and is neither an IP address nor a private name.
 */
export function judgeUrl(text: string): UrlVerdict {
  if (text.length > URL_MAX) return bad(`is longer than ${URL_MAX} characters`)
  if (!/^[\x21-\x7e]+$/.test(text))
    return bad('must be printable ASCII without spaces; write other characters percent-encoded')
  if (!/^https:\/\/[^/]/i.test(text)) return bad('must start with https://')
  if (text.includes('\\')) return bad('must not contain a backslash')
  const url = URL.parse(text)
  if (url === null) return bad('is not a URL')
  if (url.username !== '' || url.password !== '') return bad('must not carry credentials')
  if (url.port !== '') return bad('must use the default port')
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return bad('must name a host, not an IP address')
  if (!host.includes('.')) return bad('must name a public host')
  if (PRIVATE_NAME.test(host)) return bad('must name a public host')
  return { ok: true, url }
}

/** Returns true if `host` is the site's host or a subdomain of it; `www.` is ignored. */
export function sameSite(host: string, siteHost: string): boolean {
  const bare = (name: string) => name.replace(/\.$/, '').replace(/^www\./, '')
  return bare(host) === bare(siteHost) || bare(host).endsWith(`.${bare(siteHost)}`)
}
