import { diffArrays } from 'diff'
import { count } from '../output/io.ts'
import type { Answers } from './examples.ts'

/** The maximum number of examples to show, and of lines of each. */
const mostExamples = 5
const mostLines = 12

/** Returns the lines that only one of two responses has, marked with `+` or `-`. */
const changesOf = (before: readonly string[], after: readonly string[]): readonly string[] =>
  diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    added || removed ? value.map(line => `${added ? '+' : '-'} ${line.trim()}`) : []
  )

const shortened = (lines: readonly string[], most: number, what: string): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `and ${count(lines.length - most, what)} more`]

/** Describes, as lines of text, how the responses to examples differ after an edit. */
export function differencesOf(before: Answers, after: Answers): readonly string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap(request => {
    const lines = changesOf(before.get(request) ?? [], after.get(request) ?? [])
    return lines.length === 0 ? [] : [[request, ...shortened(lines, mostLines, 'line').map(line => `  ${line}`)]]
  })
  const shown = changed.slice(0, mostExamples).flat()
  const verb = changed.length === 1 ? 'answers' : 'answer'
  const more = changed.length > mostExamples ? [`and ${count(changed.length - mostExamples, 'example')} more`] : []
  return [
    `${count(after.size, 'example')} asked, ${changed.length === 0 ? 'none answers' : `${changed.length} ${verb}`} differently`,
    ...[...shown, ...more].map(line => `  ${line}`)
  ]
}
