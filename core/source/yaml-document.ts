import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { Document, Node, YAMLMap } from 'yaml'
import type { JsonValue } from '../canonical/json.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Pointer } from './report.ts'

const require = createRequire(import.meta.url)

let loaded: typeof Yaml | undefined

/**
 * Returns the parser for all of YAML. It is loaded for the first file that `parsePlainYaml` cannot parse or in which a
 * place is needed.
 */
export const yaml = (): typeof Yaml => (loaded ??= require('yaml') as typeof Yaml)

/** Maximum nesting depth of values. */
const maxDepth = 64

/** A problem in a text, with the offsets of its start and end. */
export type TextProblem = Readonly<{ code: DiagnosticCode; from: number; to: number; message: string; hint?: string }>

type Sentence = readonly [message: string, hint?: string]

const sentences: Readonly<Partial<Record<DiagnosticCode, Sentence>>> = {
  M102: ['This key was already given above.', 'Keep one of the two.'],
  M103: ['A tab cannot be used for indentation.', 'Indent with spaces.'],
  M104: ['Anchors and aliases are not allowed.', 'Write the value in full.'],
  M105: ['Tags are not allowed.', 'Write a plain value; quote it if it is text.'],
  M106: ['A second document starts here.', 'Put it into a file of its own.'],
  M110: [`Values are nested deeper than ${maxDepth} levels.`, 'Use a flatter structure.']
}

/** Returns a problem; its message and hint are `sentence`, by default those of its code. */
export function textProblem(code: DiagnosticCode, from: number, to: number, sentence = sentences[code]): TextProblem {
  const [message = '', hint] = sentence ?? []
  return { code, from, to, message, ...(hint === undefined ? {} : { hint }) }
}

const problemOf: Readonly<Record<string, DiagnosticCode>> = {
  TAB_AS_INDENT: 'M103',
  BAD_ALIAS: 'M104',
  TAG_RESOLVE_FAILED: 'M105',
  MULTIPLE_DOCS: 'M106'
}

const wrongIndentation: Sentence = [
  'The indentation does not fit the lines above.',
  'Indent the members of a mapping or list equally.'
]

/**
 * Messages and hints for the most common grammar errors, by code of the parser. For other errors, its own message is
 * used.
 */
const grammarSentences: Readonly<Record<string, Sentence>> = {
  BLOCK_AS_IMPLICIT_KEY: ['This text looks like a mapping inside a value.', 'Quote a text that holds `: `.'],
  MULTILINE_IMPLICIT_KEY: ['A key must be on one line.', 'Check the indentation, and that the key ends in `: `.'],
  MISSING_CHAR: ['A quote or bracket is not closed, or a separator is missing.', 'Close it, or quote the whole text.'],
  BAD_INDENT: wrongIndentation,
  UNEXPECTED_TOKEN: ['This is not allowed here.', 'Quote the text if it is one.'],
  BAD_SCALAR_START: ['A text cannot start with this character.', 'Quote the text.'],
  BAD_DQ_ESCAPE: ['This escape does not exist in double quotes.', 'Use single quotes, or double the backslash.']
}

/** Matches messages of the parser that are always caused by wrong indentation, whatever their code. */
const indentation = /^(All mapping items|A block sequence may not|Sequence item without)/

/**
 * Whether the parser has found text after the end of the document, as at the second key if only the first key is
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

/** Returns the first grammar error of a document; later ones are mostly its consequences. */
export function grammarProblem(document: Document): TextProblem | undefined {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
  if (first === undefined) return undefined
  const {
    code,
    pos: [from, to],
    message
  } = first
  const known = problemOf[code]
  if (known !== undefined) return textProblem(known, from, to)
  // The parser recurses and reports a stack overflow as an error, at a place that depends on the machine.
  if (message.includes('call stack')) return textProblem('M110', 0, 1)
  // The parser takes a key that is indented below a value as part of that value, and reports two errors at one place.
  const isIndented =
    code === 'BLOCK_AS_IMPLICIT_KEY' &&
    document.errors.some(other => other.code === 'MULTILINE_IMPLICIT_KEY' && other.pos[0] === from)
  if (isIndented)
    return textProblem('M101', from, to, [
      'A key is indented below this value, as if it were part of it.',
      'Indent the key like those beside it.'
    ])
  if (indentation.test(message) || (code === 'UNEXPECTED_TOKEN' && endsEarly(document)))
    return textProblem('M101', from, to, wrongIndentation)
  const open = code === 'MISSING_CHAR' || code === 'BAD_INDENT' ? opening(document, from) : undefined
  const sentence = grammarSentences[open === undefined ? code : 'MISSING_CHAR']
  return textProblem(
    'M101',
    open ?? from,
    to,
    sentence ?? [`The text is not valid YAML: ${message.replace(/\.?$/, '.')}`]
  )
}

function numberProblem(value: number, source: string): string | undefined {
  if (!Number.isFinite(value)) return `\`${source}\` is not a finite number.`
  if (/^[-+]?0\d+$/.test(source)) return `\`${source}\` would be read as the number ${value}.`
  return /^[-+]?(\d+|0[xo][0-9a-fA-F]+)$/.test(source) && !Number.isSafeInteger(value)
    ? `\`${source}\` is too large to be kept exactly.`
    : undefined
}

/** Maximum number of problems that are collected for one file. */
const maxProblems = 100

/** Converts YAML nodes to frozen JSON values, and collects a problem for everything that is not plain JSON. */
export class PlainReader {
  readonly problems: TextProblem[] = []

  value(node: unknown, depth = 0): JsonValue {
    const { isAlias, isMap, isScalar, isSeq } = yaml()
    if (isAlias(node)) return this.refuse('M104', node)
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
    if (node.anchor !== undefined) return this.refuse('M104', node)
    if (node.tag !== undefined) return this.refuse('M105', node)
    if (depth > maxDepth) return this.refuse('M110', node)
    if (isSeq(node)) return Object.freeze(node.items.map(item => this.value(item, depth + 1)))
    if (isMap(node)) return Object.freeze(Object.fromEntries(this.members(node, depth)))
    const { value } = node
    if (typeof value === 'string') return this.text(value, node)
    if (typeof value === 'number') {
      const wrong = numberProblem(value, node.source ?? '')
      return wrong === undefined ? value : this.refuse('M107', node, [wrong, 'Quote it if it is text.'])
    }
    return typeof value === 'boolean' ? value : null
  }

  private members(map: YAMLMap, depth: number): [string, JsonValue][] {
    // The parser's own check of keys takes quadratic time: 15 seconds for a hostile file.
    const { isScalar } = yaml()
    const seen = new Set<string>()
    return map.items.map(({ key, value }) => {
      if (isScalar(key) && typeof key.value === 'string' && key.anchor === undefined && key.tag === undefined) {
        if (seen.has(key.value)) this.refuse('M102', key)
        seen.add(key.value)
        this.text(key.value, key)
        return [key.value, this.value(value, depth + 1)]
      }
      this.refuse('M116', key as Node, ['A key must be plain text.', 'Quote the key.'])
      return ['', null]
    })
  }

  private text(value: string, node: Node): JsonValue {
    return /\p{Surrogate}|\0/u.test(value)
      ? this.refuse('M108', node, ['The text holds NUL or half a surrogate pair.', 'Remove the escape.'])
      : value
  }

  private refuse(code: DiagnosticCode, node: Node, sentence?: Sentence): null {
    const [from = 0, to = 0] = node.range ?? []
    if (this.problems.length < maxProblems) this.problems.push(textProblem(code, from, to, sentence))
    return null
  }
}

/** Returns the node at a pointer and its key; if there is no such node, those of the nearest existing parent. */
export function findNode(
  root: unknown,
  pointer: Pointer
): { key: Node | undefined; node: Node | undefined; isExact: boolean } {
  const { isMap, isScalar, isSeq } = yaml()
  let node = root as Node | undefined
  let key: Node | undefined
  for (const token of pointer) {
    if (isMap(node)) {
      const pair = node.items.find(item => isScalar(item.key) && item.key.value === String(token))
      if (pair === undefined) return { key, node, isExact: false }
      key = pair.key as Node
      node = (pair.value ?? pair.key) as Node
    } else {
      const item = isSeq(node) && typeof token === 'number' ? (node.items[token] as Node | undefined) : undefined
      if (item === undefined) return { key, node, isExact: false }
      key = node = item
    }
  }
  return { key, node, isExact: true }
}

/**
 * Returns the part of a node to mark. Of a mapping or list it is the first key or item, because the whole could be half
 * the file.
 */
export function head(node: Node): Node {
  const { isMap, isSeq } = yaml()
  const first = isMap(node) ? node.items[0]?.key : isSeq(node) ? node.items[0] : undefined
  return first === undefined ? node : head(first as Node)
}
