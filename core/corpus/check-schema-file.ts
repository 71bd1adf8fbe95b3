import { isObject, type JsonObject, type JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkSchema } from '../schema/compile.ts'
import { unsafePatternHint, unsafePatterns } from '../schema/patterns.ts'
import { report } from '../source/report.ts'
import type { SourceFile } from '../source/source-file.ts'

/** Checks that a file is a valid JSON Schema of an object, without patterns that can backtrack without bound. */
export function checkSchemaFile(source: SourceFile): {
  schema: JsonSchema | undefined
  diagnostics: readonly Diagnostic[]
} {
  const value = source.value
  if (value === undefined) return { schema: undefined, diagnostics: source.diagnostics }
  const schema = value as JsonObject
  const issues =
    isObject(value) && value['type'] === 'object'
      ? checkSchema(schema)
      : [{ pointer: ['type'], message: 'The schema must have `type: object`.', on: 'value' as const }]
  const diagnostics = [
    ...issues.map(issue => report(source, 'C204', issue.pointer, issue.message, { on: issue.on })),
    ...(issues.length > 0
      ? []
      : unsafePatterns(schema).map(({ pointer, pattern }) =>
          report(source, 'C205', pointer, `\`${pattern}\` can backtrack without bound.`, { hint: unsafePatternHint })
        ))
  ]
  return { schema: diagnostics.length > 0 ? undefined : schema, diagnostics }
}
