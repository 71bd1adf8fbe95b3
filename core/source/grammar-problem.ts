import type { Document } from 'yaml'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import { textProblem, type TextProblem } from './text-problem.ts'
import { yaml } from './yaml.ts'

const problemOf: Readonly<Record<string, DiagnosticCode>> = {
  TAB_AS_INDENT: 'M103',
  BAD_ALIAS: 'M104',
  TAG_RESOLVE_FAILED: 'M105',
  MULTIPLE_DOCS: 'M106'
}

type Sentence = readonly [message: string, hint: string]

const wrongIndentation: Sentence = [
  'The indentation does not fit the lines above.',
  'Indent the members of a mapping or list equally.'
]

/** Messages and hints for the most common grammar errors; for the others, the parser's message is used. */
const grammarSentences: Readonly<Record<string, Sentence>> = {
  BLOCK_AS_IMPLICIT_KEY: ['This text looks like a mapping inside a value.', 'Quote a text that holds `: `.'],
  MULTILINE_IMPLICIT_KEY: ['A key must be on one line.', 'Check the indentation, and that the key ends in `: `.'],
  MISSING_CHAR: ['A quote or bracket is not closed, or a separator is missing.', 'Close it, or quote the whole text.'],
  BAD_INDENT: wrongIndentation,
  UNEXPECTED_TOKEN: ['This is not allowed here.', 'Quote the text if it is one.'],
  BAD_SCALAR_START: ['A text cannot start with this character.', 'Quote the text.'],
  BAD_DQ_ESCAPE: ['This escape does not exist in double quotes.', 'Use single quotes, or double the backslash.']
}

/** Parser messages that are always caused by wrong indentation, whatever their code. */
const indentation = /^(All mapping items|A block sequence may not|Sequence item without)/

/**
 * Whether the parser found text after the end of the document: this happens at the second key if the first key is
 * indented.
 */
const endsEarly = (document: Document): boolean =>
  document.errors.some(({ message }) => message.endsWith('map-value-ind token in YAML stream: ":"'))

/**
 * Returns the start of the innermost quoted text or bracket that is still open at an offset, because the parser reports
 * an unclosed one only lines later.
 */
function opening(document: Document, offset: number): number | undefined {
  const { isMap, isScalar, isSeq, visit } = yaml()
  let from: number | undefined
  visit(document, {
    Node: (_, node) => {
      const isOpener = isScalar(node)
        ? node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE'
        : (isMap(node) || isSeq(node)) && node.flow === true
      if (isOpener && node.range != null && node.range[0] < offset && node.range[2] >= offset) from = node.range[0]
    }
  })
  return from
}

/** Returns the first grammar error, because later ones are mostly its consequences. */
export function grammarProblem(document: Document): TextProblem | undefined {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
  if (first === undefined) return undefined
  const { code, pos, message } = first
  const known = problemOf[code] ?? 'M101'
  if (known !== 'M101') return textProblem(known, pos[0], pos[1])
  // The parser recurses and reports a stack overflow as an error, at a place that depends on the machine.
  if (message.includes('call stack')) return textProblem('M110', 0, 1)
  // The parser takes a key that is indented below a value as more of that value, and reports two errors at the same
  // place.
  const isIndented =
    code === 'BLOCK_AS_IMPLICIT_KEY' &&
    document.errors.some(other => other.code === 'MULTILINE_IMPLICIT_KEY' && other.pos[0] === pos[0])
  if (isIndented)
    return textProblem(
      known,
      pos[0],
      pos[1],
      'A key is indented below this value, as if it were part of it.',
      'Indent the key like those beside it.'
    )
  if (indentation.test(message) || (code === 'UNEXPECTED_TOKEN' && endsEarly(document)))
    return textProblem(known, pos[0], pos[1], ...wrongIndentation)
  const open = code === 'MISSING_CHAR' || code === 'BAD_INDENT' ? opening(document, pos[0]) : undefined
  const [sentence, hint] = grammarSentences[open === undefined ? code : 'MISSING_CHAR'] ?? [
    `The text is not valid YAML: ${message.replace(/\.?$/, '.')}`
  ]
  return textProblem(known, open ?? pos[0], pos[1], sentence, hint)
}
