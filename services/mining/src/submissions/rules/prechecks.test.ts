import { describe, expect, it } from 'vitest'
import { mixesScripts, skeleton } from './confusable.ts'
import { addressSpelling, addressSpellings } from './contract-address.ts'
import { fieldOf } from './field-catalogue.ts'
import { precheck, type KnownValue } from './prechecks.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const entry = (name: string, value: string, evidence = 'https://www.circle.com/proof') => ({
  field: fieldOf(name)!,
  field_name: name,
  field_value: value,
  evidence_url: evidence,
})
const known = (over: Partial<KnownValue>): KnownValue => ({
  token_id: 'gate_usdc_usdt',
  base: 'USDC',
  field_name: 'contract_address',
  value: USDC,
  skeleton: skeleton(over.value ?? USDC),
  ...over,
})
const run = (one: ReturnType<typeof entry>, current: Record<string, string> = {}, others: KnownValue[] = []) =>
  Object.fromEntries(
    precheck(one, { base: 'USDC', entries: [one], current: new Map(Object.entries(current)), known: others }).map(
      (check) => [check.id, check.verdict],
    ),
  )

describe('machine pre-checks', () => {
  it('passes an address with a checksum, and calls one without unknown', () => {
    expect(run(entry('contract_address', USDC), { blockchain: 'ethereum' })).toMatchObject({
      address_checksum: 'pass',
      address_chain: 'pass',
      duplicate_symbol: 'unknown',
    })
    expect(run(entry('contract_address', USDC.toLowerCase()))).toMatchObject({
      address_checksum: 'unknown',
      address_chain: 'unknown',
    })
  })

  it('compares an address with that of the same symbol on other venues', () => {
    expect(run(entry('contract_address', USDC.toLowerCase()), {}, [known({})])).toMatchObject({
      duplicate_symbol: 'pass',
    })
    expect(run(entry('contract_address', USDC), {}, [known({ value: `0x${'1'.repeat(40)}` })])).toMatchObject({
      duplicate_symbol: 'fail',
    })
  })

  it('knows a TON address by its account, in whatever form it is written', () => {
    const forms = addressSpellings('0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe')
    expect(forms).toContain('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')
    for (const approved of forms)
      for (const submitted of forms) {
        expect(addressSpelling(submitted)).toBe(forms[0])
        expect(run(entry('contract_address', submitted), {}, [known({ value: approved })])).toMatchObject({
          duplicate_symbol: 'pass',
        })
        const other = known({ base: 'EVIL', value: approved })
        expect(run(entry('contract_address', submitted), {}, [other])).toMatchObject({ unique_value: 'fail' })
        // The search for approved values finds every form.
        expect(addressSpellings(submitted).map(skeleton)).toContain(other.skeleton)
      }
    expect(addressSpelling(USDC)).toBe(USDC.toLowerCase())
    expect(addressSpelling('0x002::sui::SUI')).toBe('0x2::sui::SUI')
    expect(addressSpelling('So11111111111111111111111111111111111111112')).toMatch(/^So1/)
  })

  it('fails a value that another symbol has, or that looks like it', () => {
    expect(
      run(entry('coingecko_id', 'usd-coin'), {}, [
        known({ base: 'EVIL', field_name: 'coingecko_id', value: 'usd-coin' }),
      ]),
    ).toMatchObject({ unique_value: 'fail' })
    expect(
      run(entry('coingecko_id', 'usd-c0in'), {}, [
        known({ base: 'EVIL', field_name: 'coingecko_id', value: 'usd-coin' }),
      ]),
    ).toMatchObject({ unique_value: 'fail' })
    expect(run(entry('coingecko_id', 'usd-coin'))).toMatchObject({ unique_value: 'pass' })
  })

  it('compares links and evidence with the site of the project; unknown without one', () => {
    expect(run(entry('docs', 'https://docs.circle.com/x'), { website: 'https://www.circle.com' })).toMatchObject({
      value_same_site: 'pass',
      evidence_same_site: 'pass',
    })
    expect(run(entry('docs', 'https://circle.com.evil.org/'), { website: 'https://www.circle.com' })).toMatchObject({
      value_same_site: 'fail',
    })
    expect(run(entry('docs', 'https://docs.circle.com/x'))).toMatchObject({
      value_same_site: 'unknown',
      evidence_same_site: 'unknown',
    })
  })

  it('detects mixed scripts and lookalike letters', () => {
    expect(mixesScripts('Сirсle')).toBe(true)
    expect(mixesScripts('Яндекс and Circle')).toBe(false)
    expect(skeleton('USDС')).toBe(skeleton('USDC'))
    expect(skeleton('Bіnаnсе')).toBe(skeleton('Binance'))
  })
})
