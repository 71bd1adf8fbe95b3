import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { mostReported } from '../source/bounded-reports.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { reportFile } from '../source/report.ts'
import type { FormContext, Placed } from './entries/form.ts'
import { entryForms } from './entries/index.ts'

const formOf = (name: string) => entryForms.find(form => form.name.test(name))

/** Returns the place of an entry file: the folder `entries/`, or the file itself. */
const placeOf = (name: string): string => (name.startsWith('entries/') ? 'entries/' : name)

/** Returns all places where a corpus has entries; there should be only one. */
export const entryPlaces = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter(name => formOf(name) !== undefined).map(placeOf))
]

/** Whether a file contains entries, going by its name. */
export const holdsEntries = (name: string): boolean => formOf(name) !== undefined

export const shownForms = entryForms
  .map(({ shown }) => `\`${shown}\``)
  .join(', ')
  .replace(/, (?=[^,]+$)/, ' or ')

/** Reads the entries of all files of a corpus, and reports mistakes in their syntax. */
export function readEntries(
  files: ReadonlyMap<string, FolderFile>,
  given: FormContext
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
