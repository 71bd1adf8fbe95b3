import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { propertiesOf, requiredOf } from '../../manifest/entry-fields.ts'
import { compileSchema } from '../../schema/compile.ts'
import { typedText } from '../../schema/typed-text.ts'
import { report } from '../../source/report.ts'
import type { DraftSurface } from '../draft.ts'
import type { SurfaceRule } from './rule.ts'

const parts = ['params', 'query'] as const

function checkExample({ surface, file }: DraftSurface, index: number): Diagnostic[] {
  const example = surface.examples[index]
  if (example === undefined) return []
  const found: Diagnostic[] = []
  const at = (...tokens: (string | number)[]): (string | number)[] => ['examples', index, ...tokens]
  // An example of an error has a bad value on purpose; its parameter names must still exist.
  const isRefusal = example.expect.status >= 400 && surface.status !== example.expect.status
  for (const part of parts) {
    const schema = surface.input[part]
    const declared = propertiesOf(schema)
    for (const name of Object.keys(example[part]).filter(name => !(name in declared))) {
      const noun = part === 'params' ? 'placeholder' : 'query parameter'
      found.push(
        report(file.source, 'M414', at(part, name), `The surface has no ${noun} \`${name}\`.`, {
          on: 'key',
          hint: suggestion(name, Object.keys(declared))
        })
      )
    }
    for (const name of requiredOf(schema)) {
      if (!(name in example[part]) && (part === 'params' || !isRefusal))
        found.push(
          report(file.source, 'M415', at(), `The example gives no \`${name}\`.`, { hint: `Add it under \`${part}\`.` })
        )
    }
    const given = Object.entries(example[part]).filter(([name]) => name in declared)
    if (isRefusal || given.length === 0) continue
    const issues = compileSchema(schema)(
      Object.fromEntries(given.map(([name, value]) => [name, typedText(declared[name] ?? {}, value)]))
    )
    found.push(
      ...issues
        .filter(issue => issue.rule !== 'missing')
        .map(issue => report(file.source, 'M415', at(part, ...issue.pointer), issue.message))
    )
  }
  return [...found, ...checkBody({ surface, file }, index, isRefusal)]
}

function checkBody({ surface, file }: DraftSurface, index: number, isRefusal: boolean): Diagnostic[] {
  const body = surface.examples[index]?.body
  if (surface.input.bytes !== undefined) return []
  const declared = surface.input.body
  if (declared === undefined)
    return body === undefined
      ? []
      : [
          report(file.source, 'M414', ['examples', index, 'body'], 'The surface reads no body.', {
            on: 'key',
            hint: 'Remove the body.'
          })
        ]
  if (isRefusal) return []
  if (body === undefined)
    return surface.examples[index]?.method !== 'GET'
      ? [report(file.source, 'M415', ['examples', index], 'The example gives no body.', { hint: 'Add `body:`.' })]
      : []
  return compileSchema(declared.schema)(body).map(issue =>
    report(file.source, 'M415', ['examples', index, 'body', ...issue.pointer], issue.message, { on: issue.on })
  )
}

/** M414, M415: the request of an example must match the input that the surface declares. */
export const exampleRequests: SurfaceRule = surfaces =>
  surfaces.flatMap(one =>
    one.file.manifest.examples === undefined ? [] : one.surface.examples.flatMap((_, index) => checkExample(one, index))
  )
