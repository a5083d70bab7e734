import { randomUUID } from 'node:crypto'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { callRaw, outSpan } from '@svc/service'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agent, alpha, prepare, startAlpha, startBeta } from './fixture.ts'

// A tracer keeps the provider that it met first.
const exporter = new InMemorySpanExporter()
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

test('a sampled request makes one trace of the call, the SQL of its transaction and the reaction to its event; an unsampled one makes none', async () => {
  const stack = await prepare()
  const services = [await startAlpha(stack), await startBeta(stack)]
  const edge = await stack.nats.connect('gateway')
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const root = 'b7ad6b7169203331'
  const call = (head: object) =>
    callRaw(edge, 'gateway', alpha.operations.makeThing, JSON.stringify({ name: randomUUID() }), {
      id: 'trace-test',
      by: Date.now() + 5_000,
      caller: agent,
      ...head,
    })
  try {
    expect((await call({})).head.s).toBe(201)
    expect((await call({ trace: `00-${traceId}-${root}-01` })).head.s).toBe(201)
    const spans = await eventually(() => {
      const found = exporter.getFinishedSpans()
      expect(found.map((span) => span.name)).toContain('process evt.alpha.thingMade')
      return found
    })
    const parentOf = (name: string) => spans.find((span) => span.name === name)?.parentSpanContext?.spanId
    const idOf = (name: string) => spans.find((span) => span.name === name)?.spanContext().spanId
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
    expect(parentOf('process alpha.makeThing')).toBe(root)
    expect(parentOf('INSERT')).toBe(idOf('process alpha.makeThing'))
    expect(parentOf('process evt.alpha.thingMade')).toBe(idOf('process alpha.makeThing'))
    // No value ever enters a span: a name was sent, and only the statement's text is kept.
    expect(JSON.stringify(spans.map((span) => span.attributes))).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  } finally {
    await edge.close()
    await Promise.all(services.map((service) => service.stop()))
    await stack.stop()
  }
})

test('a call to another system is a span of the running trace, failed ones too, and none without a trace', async () => {
  await outSpan('chain eth_call', {}, async () => {})
  expect(exporter.getFinishedSpans()).toEqual([])
  const root = trace.getTracer('test').startSpan('root')
  await context.with(trace.setSpan(context.active(), root), async () => {
    expect(await outSpan('chain eth_call', { 'rpc.method': 'eth_call' }, async () => 7)).toBe(7)
    await expect(outSpan('venue action', {}, () => Promise.reject(new Error('0xkey')))).rejects.toThrow('0xkey')
  })
  const spans = exporter.getFinishedSpans()
  const facts = spans.map(({ name, kind, status, parentSpanContext }) => [
    name,
    kind,
    status.code,
    parentSpanContext?.spanId === root.spanContext().spanId,
  ])
  expect(facts).toEqual([
    ['chain eth_call', SpanKind.CLIENT, SpanStatusCode.UNSET, true],
    ['venue action', SpanKind.CLIENT, SpanStatusCode.ERROR, true],
  ])
  // The text of an error may contain what a redacted log leaves out.
  expect(JSON.stringify(spans.map(({ events, attributes, status }) => ({ events, attributes, status })))).not.toContain(
    '0xkey',
  )
})
