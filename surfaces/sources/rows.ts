import type { JsonValue } from '../../core/canonical/json.ts'
import { compilePath, type Scope } from './expression.ts'
import type { RowStep } from './source.ts'

/** What one loop runs over: the members of the array or object at `each`, or of the document. */
export function membersOf (document: JsonValue, step: RowStep, scope: Scope): readonly JsonValue[] {
  const list = step.each === undefined ? document : compilePath(step.each)(scope)
  return list === null || typeof list !== 'object' ? [] : Object.values(list)
}

/** The rows of a document: one scope for each turn of the innermost loop, holding the values of all loops by name. */
export function * rowsOf (document: JsonValue, steps: readonly RowStep[], outer: Scope = {}): Generator<Scope> {
  const [step, ...inner] = steps
  if (step === undefined) {
    yield outer
    return
  }
  for (const member of membersOf(document, step, outer)) yield * rowsOf(document, inner, { ...outer, [step.as]: member })
}
