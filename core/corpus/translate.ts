import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { BoundedReports } from '../source/bounded-reports.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { report } from '../source/report.ts'
import { checkEntries, computeHashes } from './check-entries.ts'
import { withHash } from './computed-hash.ts'
import type { FormContext, Placed } from './entries/form.ts'
import { partSchema } from './part-schema.ts'
import { readEntries } from './read-entries.ts'

/**
 * Returns the schema of a translated entry: the key, and any of the members. A member that no property describes is a
 * mistake.
 */
const partOf = (schema: JsonSchema, key: string): JsonSchema => ({
  ...partSchema(schema, [key]),
  additionalProperties: false
})

export type Translated = Readonly<{
  /** The translated members of each entry. */
  parts: readonly Placed[]
  /** The complete entries: those of the default language, with their translated members replaced. */
  entries: readonly Placed[]
  diagnostics: readonly Diagnostic[]
}>

/**
 * Reads the entries of one language, checks them and merges them into the entries of the default language, member by
 * member. C214: an entry that the default language does not have. `checkWhole` checks the merged entries. Without
 * `originals`, only the translated members are checked.
 */
export function translate(
  files: ReadonlyMap<string, FolderFile>,
  { declaration, schema }: FormContext,
  originals: ReadonlyMap<string, JsonObject> | undefined,
  checkWhole: (entries: readonly Placed[]) => readonly Diagnostic[]
): Translated {
  const { key } = declaration
  const part = partOf(schema, key)
  const { entries: given, diagnostics: unread } = readEntries(files, { declaration, schema: part })
  const wrong = [...unread, ...computeHashes(given, declaration).diagnostics]
  const misfits = wrong.length > 0 ? wrong : checkEntries(given, key, part, () => [])
  if (misfits.length > 0 || originals === undefined) return { parts: [], entries: [], diagnostics: misfits }

  const reports = new BoundedReports()
  const parts: Placed[] = []
  const entries: Placed[] = []
  for (const one of given) {
    const value = one.value as JsonObject
    const id = value[key] as string
    const original = originals.get(id)
    if (original === undefined) {
      reports.add(one.file, 1, () => {
        const { source, pointer } = one.place()
        return [
          report(source, 'C214', [...pointer, key], `The default language has no entry \`${id}\`.`, {
            hint: suggestion(id, [...originals.keys()])
          })
        ]
      })
    } else {
      parts.push(one)
      entries.push({ ...one, value: Object.freeze(withHash({ ...original, ...value }, declaration)) })
    }
  }
  return { parts, entries, diagnostics: [...reports.all(), ...checkWhole(entries)] }
}
