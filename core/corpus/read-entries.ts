import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { mostReported } from '../source/bounded-reports.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { reportFile } from '../source/report.ts'
import type { Given, Placed } from './entries/form.ts'
import { entryForms } from './entries/index.ts'

const formOf = (name: string) => entryForms.find(form => form.name.test(name))

/** Where a file of entries belongs: a file of its own, or the folder of them. */
const placeOf = (name: string): string => (name.startsWith('entries/') ? 'entries/' : name)

/** All places of entries that a corpus uses; it should be one. */
export const entryPlaces = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter(name => formOf(name) !== undefined).map(placeOf))
]

/** Whether a file is read for entries. */
export const holdsEntries = (name: string): boolean => formOf(name) !== undefined

export const shownForms = entryForms
  .map(({ shown }) => `\`${shown}\``)
  .join(', ')
  .replace(/, (?=[^,]+$)/, ' or ')

/** The entries of all files of a corpus, and the mistakes of their texts. */
export function readEntries(
  files: ReadonlyMap<string, FolderFile>,
  given: Given
): { entries: Placed[]; diagnostics: Diagnostic[] } {
  const entries: Placed[] = []
  const diagnostics: Diagnostic[] = []
  for (const [name, file] of files) {
    let wrong = 0
    for (const one of formOf(name)?.read({ ...file, name }, given) ?? []) {
      if ('place' in one) {
        entries.push(one)
      } else if (wrong++ < mostReported) {
        diagnostics.push(one)
      } else {
        diagnostics.push(
          reportFile(
            file.path,
            'C211',
            `The file has more than ${mostReported} mistakes; it was not read further.`,
            'Correct the listed ones first.'
          )
        )
        break
      }
    }
  }
  return { entries, diagnostics }
}
