import { generate } from 'selfsigned'
import type { Objects } from './objects.ts'
import type { Addresses, Secrets } from './plan.ts'

const DAY_MS = 86_400_000
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const

/**
 * Returns the Secrets that cert-manager would make for the Certificates of an overlay: keys signed by one authority, for the names and for
 * their addresses here. `expired` lists Secrets whose certificate ended a minute ago.
 */
export async function signCertificates(
  { certificates }: Pick<Objects, 'certificates'>,
  names: Addresses['names'],
  expired: readonly string[] = [],
): Promise<Secrets> {
  const wanted = Object.values(certificates).filter(({ isCA }) => !isCA)
  if (wanted.length === 0) return {}
  const authority = await generate([{ name: 'commonName', value: 'servers' }], {
    ...EC,
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const ca = { key: authority.private, cert: authority.cert }
  const now = Date.now()
  const signed = wanted.map(async ({ secretName, dnsNames }) => {
    const addresses = dnsNames.flatMap((name) => names[name] ?? [])
    // The client of Postgres compares with "localhost" where it was given an address in place of a name.
    const altNames = [
      ...[...dnsNames, 'localhost'].map((value) => ({ type: 2, value }) as const),
      ...addresses.map((ip) => ({ type: 7, ip }) as const),
    ]
    const made = await generate([{ name: 'commonName', value: dnsNames[0] ?? secretName }], {
      ...EC,
      ca,
      notBeforeDate: new Date(now - DAY_MS),
      notAfterDate: new Date(expired.includes(secretName) ? now - 60_000 : now + DAY_MS),
      extensions: [
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        { name: 'subjectAltName', altNames },
      ],
    })
    return [secretName, { 'tls.crt': made.cert, 'tls.key': made.private, 'ca.crt': ca.cert }] as const
  })
  return Object.fromEntries(await Promise.all(signed))
}
