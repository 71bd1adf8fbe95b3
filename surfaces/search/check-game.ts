import type { CorpusCheck, EntryProblem } from 'pantry/data'
import { parsePrintedNumber, printedGroups } from '../catalogue/printed-number.ts'
import type { Game } from './game-directory.ts'

const list = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

function checkPattern(
  pattern: string,
  isSafe: (pattern: string) => boolean
): Omit<EntryProblem, 'pointer'> | undefined {
  let groups: readonly string[]
  try {
    // The added empty alternative always matches, and the match object then has the names of all groups.
    groups = Object.keys(new RegExp(`${pattern}|`, 'u').exec('')?.groups ?? {})
  } catch (error) {
    return {
      message: error instanceof Error ? `${error.message}.` : String(error),
      hint: 'Write a regular expression of JavaScript with the flag `u`.'
    }
  }
  const strange = groups.find(name => !(printedGroups as readonly string[]).includes(name))
  if (strange !== undefined)
    return { message: `Nothing reads the group \`${strange}\`.`, hint: `Groups: ${list(printedGroups)}.` }
  if (!groups.includes('number'))
    return { message: 'The pattern has no group `number`.', hint: 'A group is written `(?<number>…)`.' }
  if (!pattern.startsWith('^') || !pattern.endsWith('$'))
    return { message: 'The pattern does not cover the whole number.', hint: 'Start it with `^` and end it with `$`.' }
  return isSafe(pattern)
    ? undefined
    : {
        message: 'The pattern can backtrack without bound, or cannot be shown not to.',
        hint: 'Write it so that each character can be matched in one way only.'
      }
}

/**
 * Checks what the schema of the corpus `games` cannot: invalid or unsafe patterns, and examples that another form
 * matches first.
 */
export const checkGame: CorpusCheck<Pick<Game, 'printed_numbers'>> = ({ printed_numbers: forms }, isSafePattern) => {
  const wrong = forms.flatMap(({ pattern }, index): EntryProblem[] => {
    const problem = checkPattern(pattern, isSafePattern)
    return problem === undefined ? [] : [{ pointer: ['printed_numbers', index, 'pattern'], ...problem }]
  })
  if (wrong.length > 0) return wrong
  return forms.flatMap(({ form, examples }, index) =>
    examples.flatMap((example, at): EntryProblem[] => {
      const read = parsePrintedNumber(forms, example)?.form
      return read === form
        ? []
        : [
            {
              pointer: ['printed_numbers', index, 'examples', at],
              message:
                read === undefined
                  ? `No form reads the example \`${example}\`.`
                  : `The example \`${example}\` is read by the form \`${read}\`.`,
              hint: 'The first form that matches counts, so the narrower one comes first.'
            }
          ]
    })
  )
}
