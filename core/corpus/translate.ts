import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { BoundedReports } from '../source/bounded-reports.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { report } from '../source/report.ts'
import { checkEntries, computeHashes } from './check-entries.ts'
import { withHash } from './computed-hash.ts'
import type { Given, Placed } from './entries/form.ts'
import { partSchema } from './part-schema.ts'
import { readEntries } from './read-entries.ts'

/**
 * What one language gives of an entry: the key, and the members that it translates. A member that no property describes
 * is a mistake.
 */
const partOf = (schema: JsonSchema, key: string): JsonSchema => ({
  ...partSchema(schema, [key]),
  additionalProperties: false
})

export type Translated = Readonly<{
  /** What the language gives of each entry. */
  parts: readonly Placed[]
  /** The whole entries, each with what the language gives in the place of what the default language has. */
  entries: readonly Placed[]
  diagnostics: readonly Diagnostic[]
}>

/**
 * The entries of one language laid over those of the default language, member by member, and what is wrong with them.
 * C214: an entry that the default language does not have. `checkWhole` looks at what comes out. Without `originals`
 * only the language itself is looked at.
 */
export function translate(
  files: ReadonlyMap<string, FolderFile>,
  { declaration, schema }: Given,
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
