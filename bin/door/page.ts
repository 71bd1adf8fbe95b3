/** `pantry/page`: the API for pages of a root, in `surfaces/handlers/`. */
export { Fragment, h, type ComponentChildren, type VNode } from 'preact'
export type { JsonObject, JsonValue } from '../../core/canonical/json.ts'
export { Type } from '../../core/canonical/type.ts'
export { humanise } from '../../core/format/format.ts'
export { invalid } from '../../core/handler/errors.ts'
export * from '../../core/handler/page.ts'
export { Facts } from '../../core/page/facts.tsx'
export { Table, type Column } from '../../core/page/table.tsx'
