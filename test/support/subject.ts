import { requestOf, type Subject } from '../../bin/promises/examples.ts'

/** A service as promises ask it, without keys. */
export const subjectOf = (registry: Subject['registry'], ask: Subject['ask']): Subject => ({
  registry,
  claims: [],
  ask,
  run: example => ask(example.url, requestOf(example)),
  headersOf: () => Promise.resolve(undefined),
  runCommand: () => Promise.resolve(undefined),
  inOthers: () => Promise.resolve([]),
  note: () => undefined,
  faults: () => []
})
