import type { Document, LineCounter } from 'yaml'
import type { JsonValue } from '../canonical/json.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Span } from '../diagnostics/diagnostic.ts'
import { decodeText } from './decode-text.ts'
import { parsePlainYaml } from './plain-yaml.ts'
import { fileStart, report, unreadText, type Pointer, type SourceFile } from './report.ts'
import { findNode, grammarProblem, head, PlainReader, textProblem, yaml, type TextProblem } from './yaml-document.ts'

const tooDeep = textProblem('M110', 0, 1)

/**
 * Matches more than 64 lists nested on one line. The parser takes quadratic time for them, so they are refused before.
 */
const nestedLine = /^ *(?:[-?][ \t]+){65}/m

type Parsed = Readonly<{ document: Document; lines: LineCounter; grammar: TextProblem | undefined }>

function parse(text: string): Parsed | undefined {
  if (nestedLine.test(text)) return undefined
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const options = { version: '1.2', schema: 'core', uniqueKeys: false, strict: true, prettyErrors: false } as const
  try {
    const document = parseDocument(text, { ...options, lineCounter: lines, merge: false })
    return { document, lines, grammar: grammarProblem(document) }
  } catch (error) {
    // The parser recurses: thousands of levels cause a stack overflow, not a grammar error.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const linesOf =
  (text: string): SourceFile['lineAt'] =>
  line =>
    text.split('\n', line)[line - 1]?.replace(/\r$/, '') ?? ''

/** Like `readYaml` for a decoded text, but always with the parser `yaml`, which knows the place of every part. */
export function parseYaml(file: string, decoded: ReturnType<typeof decodeText>): SourceFile {
  const { text } = decoded
  const lineAt = linesOf(text)
  const failed = (code: DiagnosticCode, span: Span, message: string, hint?: string): SourceFile => {
    const source = unreadText(file, span, lineAt)
    return { ...source, diagnostics: [report(source, code, [], message, { hint })] }
  }
  if (decoded.problem !== undefined) {
    const { code, span, message, hint } = decoded.problem
    return failed(code, span, message, hint)
  }
  const parsed = parse(text)
  if (parsed === undefined) return failed('M110', fileStart, tooDeep.message, tooDeep.hint)

  const { document, lines, grammar } = parsed
  const span = (from: number, to: number): Span => {
    const { line, col } = lines.linePos(from)
    const end = text.indexOf('\n', from)
    const length = Math.min(to, end === -1 ? text.length : end) - from
    return line === 0 ? fileStart : { line, column: col, length: Math.max(1, length) }
  }
  const locate = (pointer: Pointer, on: 'key' | 'value' = 'value'): Span => {
    const { key, node, isExact } = findNode(document.contents, pointer)
    const marked = on === 'key' || !isExact ? (key ?? node) : node
    const [from, to] = (marked === undefined ? undefined : head(marked).range) ?? [0, 0]
    return span(from, to)
  }

  const reader = new PlainReader()
  const value = grammar === undefined ? reader.value(document.contents) : undefined
  const problems = grammar === undefined ? reader.problems : [grammar]
  const source: SourceFile = { file, lineAt, value: problems.length > 0 ? undefined : value, diagnostics: [], locate }
  if (problems.length === 0 && document.contents === null)
    return failed('M113', fileStart, 'The file is empty.', 'Write its fields, or delete it.')
  const diagnostics = problems.map(({ code, from, to, message, hint }) =>
    report({ ...source, locate: () => span(from, to) }, code, [], message, { hint })
  )
  return { ...source, diagnostics }
}

/**
 * Reads one YAML 1.2 document (core schema) as a plain JSON value: at most 256 KiB of UTF-8 and 64 levels, without
 * tags, anchors and aliases. It never throws for wrong content.
 */
export function readYaml(file: string, bytes: Uint8Array): SourceFile {
  const decoded = decodeText(bytes)
  const value = decoded.problem === undefined ? parsePlainYaml(decoded.text) : undefined
  if (value === undefined) return parseYaml(file, decoded)
  // Places of values are needed only for diagnostics, which are rare, so the parser `yaml` runs only then.
  return lazySource(file, value, () => parseYaml(file, decoded))
}

/**
 * Returns a source file whose value is already known. Its text is parsed only when a place or a line in it is needed.
 */
export const knownYaml = (file: string, bytes: Uint8Array, value: JsonValue | undefined): SourceFile =>
  lazySource(file, value, () => readYaml(file, bytes))

function lazySource(file: string, value: JsonValue | undefined, read: () => SourceFile): SourceFile {
  let source: SourceFile | undefined
  return {
    file,
    value,
    diagnostics: [],
    lineAt: line => (source ??= read()).lineAt(line),
    locate: (pointer, on) => (source ??= read()).locate(pointer, on)
  }
}
