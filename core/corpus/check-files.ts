import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { reportFile } from '../source/report.ts'
import type { LanguageFiles } from './language-files.ts'
import { entryPlaces, holdsEntries, shownForms } from './read-entries.ts'

/** Returns the place of entries as messages name it: with the language in the file name. */
const shownPlace = (place: string, files: ReadonlyMap<string, FolderFile>): string => {
  const path = files.get(place)?.path
  return path === undefined ? place : path.slice(path.lastIndexOf('/') + 1)
}

/** The files that every corpus has: the code of the mistake without one, and what to write there. */
const needed = [
  ['corpus.yaml', 'C101', 'Declare its title, key, order, license and source there.'],
  ['schema.yaml', 'C102', 'Write the JSON Schema of one entry there.']
] as const

/** Checks the files of a corpus folder. A file with any other name is reported, because it would not be read. */
export function checkFiles(folder: string, { own, others }: LanguageFiles): Diagnostic[] {
  const stray = [...own.keys()].filter(name => !needed.some(([one]) => one === name) && !holdsEntries(name))
  const [first] = entryPlaces([...own.keys()])
  const twice = [own, ...others.values()].flatMap((files): Diagnostic[] => {
    const [one, another] = entryPlaces([...files.keys()])
    return one === undefined || another === undefined
      ? []
      : [
          reportFile(
            folder,
            'C104',
            `\`${folder}\` has both \`${shownPlace(one, files)}\` and \`${shownPlace(another, files)}\`.`,
            'Keep one of them.'
          )
        ]
  })
  return [
    ...stray.map(name =>
      reportFile(
        own.get(name)?.path ?? name,
        'C105',
        'This file would not be read.',
        `A corpus has \`corpus.yaml\`, \`schema.yaml\` and its entries in ${shownForms}.`
      )
    ),
    ...needed.flatMap(([name, code, hint]) =>
      own.has(name) ? [] : [reportFile(folder, code, `\`${folder}\` has no \`${name}\`.`, hint)]
    ),
    ...(first === undefined && stray.length === 0
      ? [reportFile(folder, 'C103', `\`${folder}\` has no entries.`, `Write ${shownForms}.`)]
      : []),
    ...twice
  ]
}
