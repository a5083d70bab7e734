import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('public address', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:1::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '3fff::1',
    '5f00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '100::1',
    '4000::1',
    'localhost',
    '',
    '1.2.3',
    '2001:4860:4860::8888%1',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '2001:4860:4860::8888',
    '2606:4700::6810:84e5',
    '2a00:1450:4001::200e',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('refuses each private IPv4 address in every IPv6 form that contains it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('10', '127', '192.168', '169.254'),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 1, max: 254 }),
        (net, a, b) => {
          const v4 = net.includes('.') ? `${net}.${a}.${b}` : `${net}.0.${a}.${b}`
          const hex = v4
            .split('.')
            .map((part) => Number(part).toString(16).padStart(2, '0'))
            .join('')
            .replace(/^(....)(....)$/, '$1:$2')
          for (const form of [v4, `::ffff:${v4}`, `::ffff:${hex}`, `::${v4}`, `64:ff9b::${hex}`, `2002:${hex}::1`])
            expect(isPublicAddress(form)).toBe(false)
        },
      ),
    )
  })
})
