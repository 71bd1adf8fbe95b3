// The kinds, one line each, by name.
export { collection } from './collection/index.ts'
export { derived } from './derived/index.ts'
export { discovery } from './discovery/index.ts'
export { document } from './document/index.ts'
export { entry } from './entry/index.ts'
export { handler } from './handler/index.ts'
export { statusOnly } from './status-only/index.ts'
export { witness } from './witness/index.ts'
