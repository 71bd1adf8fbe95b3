import { nameForm } from '../../core/vocabulary/words.ts'

const mostCharacters = 40

/** Returns why a new service cannot have a name; undefined if it can. */
export const nameProblem = (name: string): string | undefined =>
  nameForm.test(name) && name.length <= mostCharacters
    ? undefined
    : `The name must be lowercase words with hyphens, at most ${mostCharacters} characters, such as \`trees\`, but it is \`${name}\`.`

/** What is said where nobody has said the license of the rows of a file. */
export const licenseWanted =
  'Say under which license the rows are: --license CC0-1.0, CC-BY-4.0 or another, or NOASSERTION if nobody said.'
