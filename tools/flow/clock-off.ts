/** Loaded by `node --import` before anything else: sets the clock of a process off, as on a host that lost its time source. */
const offMs = Number(process.env['TEST_CLOCK_OFF_MS'])
const right = Date
const now = () => right.now() + offMs

globalThis.Date = new Proxy(right, {
  construct: (target, given, wanted) => Reflect.construct(target, given.length === 0 ? [now()] : given, wanted),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
