/**
 * `pantry/page`: what the pages of a root are written with, in `surfaces/handlers/`.
 *
 * @module
 */
export { Fragment, h, type ComponentChildren, type VNode } from 'preact'
export type { JsonObject, JsonValue } from '../../core/canonical/json.ts'
export { Type } from '../../core/canonical/type.ts'
export type { Crumb, Sharing } from '../../core/format/head.ts'
export { humanise } from '../../core/format/format.ts'
export { invalid } from '../../core/handler/errors.ts'
export * from '../../core/handler/page.ts'
export { Facts, Refused, Table, type Column } from '../../core/page/components.tsx'
export { fill } from '../../core/vocabulary/language.ts'
