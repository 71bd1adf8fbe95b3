import type { Node, YAMLMap } from 'yaml'
import type { JsonValue } from '../canonical/json.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import { deepest, textProblem, type TextProblem } from './text-problem.ts'
import { yaml } from './yaml.ts'

const numberProblem = (value: number, source: string): string | undefined => {
  if (!Number.isFinite(value)) return `\`${source}\` is not a finite number.`
  if (/^[-+]?0\d+$/.test(source)) return `\`${source}\` would be read as the number ${value}.`
  return /^[-+]?(\d+|0[xo][0-9a-fA-F]+)$/.test(source) && !Number.isSafeInteger(value)
    ? `\`${source}\` is too large to be kept exactly.`
    : undefined
}

/** Maximum number of problems that are collected for one file. */
const mostProblems = 100

/** Converts YAML nodes to frozen JSON values and collects what is not plain JSON. */
export class PlainReader {
  readonly problems: TextProblem[] = []

  value(node: unknown, depth = 0): JsonValue {
    const { isAlias, isMap, isScalar, isSeq } = yaml()
    if (isAlias(node)) return this.refuse('M104', node)
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
    if (node.anchor !== undefined) return this.refuse('M104', node)
    if (node.tag !== undefined) return this.refuse('M105', node)
    if (depth > deepest) return this.refuse('M110', node)
    if (isSeq(node)) return Object.freeze(node.items.map(item => this.value(item, depth + 1)))
    if (isMap(node)) return Object.freeze(Object.fromEntries(this.members(node, depth)))
    const { value } = node
    if (typeof value === 'string') return this.text(value, node)
    if (typeof value === 'number') {
      const wrong = numberProblem(value, node.source ?? '')
      return wrong === undefined ? value : this.refuse('M107', node, wrong, 'Quote it if it is text.')
    }
    return typeof value === 'boolean' ? value : null
  }

  private members(map: YAMLMap, depth: number): [string, JsonValue][] {
    // Keys are checked here, because the parser's own check compares each key with each other one and takes 15 seconds
    // for a hostile file.
    const { isScalar } = yaml()
    const seen = new Set<string>()
    return map.items.map(({ key, value }) => {
      if (isScalar(key) && typeof key.value === 'string' && key.anchor === undefined && key.tag === undefined) {
        if (seen.has(key.value)) this.refuse('M102', key)
        seen.add(key.value)
        this.text(key.value, key)
        return [key.value, this.value(value, depth + 1)]
      }
      this.refuse('M116', key as Node, 'A key must be plain text.', 'Quote the key.')
      return ['', null]
    })
  }

  private text(value: string, node: Node): JsonValue {
    return /\p{Surrogate}|\0/u.test(value)
      ? this.refuse('M108', node, 'The text holds NUL or half a surrogate pair.', 'Remove the escape.')
      : value
  }

  private refuse(code: DiagnosticCode, node: Node, message?: string, hint?: string): null {
    const [from = 0, to = 0] = node.range ?? []
    if (this.problems.length < mostProblems) this.problems.push(textProblem(code, from, to, message, hint))
    return null
  }
}
