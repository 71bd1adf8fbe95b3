import { Type } from '../canonical/type.ts'
import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { ManifestFile } from '../manifest/manifest-file.ts'
import { inferSchema } from '../schema/infer.ts'
import { report } from '../source/report.ts'

/** Members that a manifest writes itself, beside what the kind answers. */
export const FixedMembers = (before: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ note: 'Hours may differ on holidays.' }],
      description: `Fixed members that come before ${before}.`
    })
  )

/** What the field was called before version 0.2. */
export const renamedMembers = { document: 'with' }

/** Their schemas. */
export const fixedMembers = (members: JsonObject): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, inferSchema(value)]))

/** M319: fixed members do not take the names of the kind's own. */
export const freeMembers = (
  { source }: ManifestFile,
  fixed: object | undefined,
  own: readonly string[],
  field = 'with'
): Diagnostic[] =>
  Object.keys(fixed ?? {})
    .filter(name => own.includes(name))
    .map(name =>
      report(source, 'M319', [field, name], `The answer has a member \`${name}\` of its own.`, {
        on: 'key',
        hint: 'Choose another name.'
      })
    )
