import { listingTemplate, type EditableParam } from '@svc/contracts/gallery/listings'
import { expect, test } from 'vitest'
import { listingProblems, type WrittenListing } from './listing-problems.ts'

const now = new Date('2026-11-22T10:00:00.000Z')
const param: EditableParam = {
  key: 'per_tx_cap_usdc',
  title: 'Per trade',
  unit: 'usdc',
  min: '1',
  max: '10',
  step: '1',
  default: '5',
}
const listing: WrittenListing = {
  type: 'strategy_template',
  price_model: 'free',
  price_cherry: null,
  ref_vault_id: null,
  editable_params: [param],
  template: listingTemplate.parse({ markets: ['testvenue'] }),
  cited: [],
}
const codesOf = (changed: Partial<WrittenListing>) =>
  listingProblems({ ...listing, ...changed }, now).map(({ pointer, code }) => `${pointer} ${code}`)

test('a template with bounded params has no problem', () => {
  expect(codesOf({})).toEqual([])
})

test.each<[string, Partial<WrittenListing>, readonly string[]]>([
  [
    'a template without a template',
    { template: null, editable_params: [] },
    ['/template required', '/editable_params required'],
  ],
  ['a paid template', { price_model: 'paid_read', price_cherry: 2 }, ['/price_model not_for_type']],
  ['a free listing with a price', { price_cherry: 2 }, ['/price_cherry not_for_price_model']],
  ['a paid listing without one', { type: 'signal_subscription', price_model: 'paid_read' }, ['/price_cherry required']],
  ['a vault deposit without a vault', { type: 'vault_deposit' }, ['/ref_vault_id required']],
  ['a param that is named twice', { editable_params: [param, param] }, ['/editable_params/1/key repeated']],
  ['a wrong unit', { editable_params: [{ ...param, unit: 'days' }] }, ['/editable_params/0/unit wrong_unit']],
  [
    'half a day',
    { editable_params: [{ ...param, key: 'days', unit: 'days', step: '0.5' }] },
    ['/editable_params/0/min not_whole'],
  ],
  ['more than the budget', { editable_params: [{ ...param, max: '51' }] }, ['/editable_params/0/max out_of_range']],
  [
    'min above max',
    { editable_params: [{ ...param, min: '11' }] },
    ['/editable_params/0/max out_of_range', '/editable_params/0/default out_of_bounds'],
  ],
  ['no step', { editable_params: [{ ...param, step: '0' }] }, ['/editable_params/0/step too_small']],
  [
    'a default off the grid',
    { editable_params: [{ ...param, default: '5.5' }] },
    ['/editable_params/0/default out_of_bounds'],
  ],
  [
    'silence without a leg',
    {
      editable_params: [
        { ...param, key: 'close_if_silent_minutes', unit: 'minutes', min: '15', max: '60', default: '15' },
      ],
    },
    ['/editable_params/0/key needs_leg_market'],
  ],
  ['a claim of tomorrow', { cited: [{ as_of_date: '2026-11-23' }] }, ['/cited/0/as_of_date not_past']],
  ['a claim of no day', { cited: [{ as_of_date: '2026-02-30' }] }, ['/cited/0/as_of_date not_past']],
  [
    'orders that the venue of the leg does not take',
    { template: listingTemplate.parse({ markets: ['hl:BTC'] }) },
    ['/template/per_tx_cap_usdc below_min_order'],
  ],
  [
    'a default that is no mandate',
    { editable_params: [{ ...param, min: '20', max: '30', default: '20' }] },
    ['/template contradicts'],
  ],
])('%s is a problem that names its field', (_, changed, codes) => {
  expect(codesOf(changed)).toEqual(codes)
})
