/** The language of queries over cards: its grammar, its tree, and the text that a tree is written as. */
import { invalid, SurfaceError } from 'pantry/data'
import { grammar, type FailedMatchResult } from 'ohm-js'

export const operators = ['!=', '<=', '>=', ':', '=', '<', '>'] as const
export type QueryOperator = (typeof operators)[number]

/** Where a part of a query is. `at`: its first character, from 1. */
export type TokenPlace = Readonly<{ token: string; at: number }>

/** What is asked of one field. `field` is undefined for a bare word or quoted text, which is asked of the name. */
export type Term = Readonly<{
  kind: 'term'
  field: string | undefined
  operator: QueryOperator
  value: string
  /** Whether the value is in quotation marks. */
  isQuoted: boolean
  place: TokenPlace
}>
export type QueryNode =
  | Term
  | Readonly<{ kind: 'not'; of: QueryNode }>
  | Readonly<{ kind: 'and'; of: readonly QueryNode[] }>
  | Readonly<{ kind: 'or'; of: readonly QueryNode[] }>

export const maxQueryLength = 400
export const maxTerms = 20
export const maxDepth = 5

// `OR` and `AND` are words of the language in capitals only, so that names with `or` need no quotation marks.
const language = grammar(String.raw`
  Query {
    Query = Any
    Any = NonemptyListOf<All, or>
    All = Part (and? Part)*
    Part
      = minus Whole --not
      | Whole
    Whole
      = "(" Any ")" --group
      | term
    minus = "-" ~space
    or = "OR" end_of_word
    and = "AND" end_of_word
    end_of_word = end | &(space | "(" | ")")
    term (a word, a text in quotation marks or a field with its value)
      = field operator value --field
      | ~(or | and | "-" | field operator) value --bare
    asks_field = (~sign ("-" | value | any))* sign any*
    sign = field operator value
    field = letter (alnum | "_" | ".")*
    operator = "!=" | "<=" | ">=" | ":" | "=" | "<" | ">"
    value
      = mark (~mark any)* mark --quoted
      | (~(space | "(" | ")" | mark) any)+ --word
    mark = "\"" | "“" | "”" | "„"
  }
`)
const marks = /["“”„]/g

const maxTokenLength = 80

/**
 * Returns the 400 for a part of a query, which says where it is and which fields or values are near. `write`: what to
 * write in place of the token for one that is near.
 */
export const queryError = (
  { token, at }: TokenPlace,
  message: string,
  near: readonly string[] = [],
  write?: (near: string) => string
): SurfaceError =>
  new SurfaceError('INVALID_INPUT', `${message} It is at character ${String(at)} of the query.`, {
    details: {
      field: 'q',
      token,
      at,
      near: [...near],
      // A token that was cut cannot be replaced.
      instead: write === undefined || characters(token).length >= maxTokenLength ? [] : near.map(write)
    }
  })

const characters = (text: string): readonly string[] => Array.from(text)

const placeIn = (text: string, start: number, end: number): TokenPlace => ({
  token: characters(text.slice(start, end)).slice(0, maxTokenLength).join(''),
  at: characters(text.slice(0, start)).length + 1
})

const many = (kind: 'and' | 'or', nodes: readonly QueryNode[]): QueryNode => {
  const of = nodes.flatMap(node => (node.kind === kind ? node.of : [node]))
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { kind, of }
}

const semantics = language.createSemantics()
/** Calls the operation below, which ohm-js does not type. */
const treeOf = (node: unknown): QueryNode => (node as Readonly<{ tree: () => QueryNode }>).tree()

semantics.addOperation<QueryNode>('tree', {
  Any: list => many('or', list.asIteration().children.map(treeOf)),
  All: (first, _and, others) => many('and', [first, ...others.children].map(treeOf)),
  Part_not: (_minus, whole) => ({ kind: 'not', of: treeOf(whole) }),
  // Other rules have one part, or parentheses around it.
  _nonterminal: (...parts) => treeOf(parts[1] ?? parts[0]),
  term_field(field, operator, value) {
    return {
      ...termOf(this.source),
      field: field.sourceString.toLowerCase(),
      operator: operator.sourceString as QueryOperator,
      ...valueOf(value.sourceString)
    }
  },
  term_bare(value) {
    return { ...termOf(this.source), ...valueOf(value.sourceString) }
  }
})

type Source = Readonly<{ startIdx: number; endIdx: number; sourceString: string }>

const termOf = ({ startIdx, endIdx, sourceString }: Source): Omit<Term, 'value' | 'isQuoted'> => ({
  kind: 'term',
  field: undefined,
  operator: ':',
  place: placeIn(sourceString, startIdx, endIdx)
})

const valueOf = (written: string): Pick<Term, 'value' | 'isQuoted'> => {
  const isQuoted = /^["“”„]/.test(written)
  return { value: isQuoted ? written.slice(1, -1) : written, isQuoted }
}

/** Returns the 400 for a text that is no query: the part that was not expected, and what was. */
function refusal(text: string, match: FailedMatchResult): SurfaceError {
  const quotes = [...text.matchAll(marks)]
  const open = quotes.length % 2 === 1 ? quotes.at(-1)?.index : undefined
  if (open !== undefined) return queryError(placeIn(text, open, open + 1), 'A quotation mark is not closed.')
  const start = match.getRightmostFailurePosition()
  const token = /^(?:[()]|[^\s()]+)?/.exec(text.slice(start))?.[0] ?? ''
  const place = placeIn(text, start, start + token.length)
  if (operators.some(operator => token.endsWith(operator)))
    return queryError(place, `\`${place.token}\` has no value: write one after it, without a space.`)
  const expected = match.getExpectedText()
  const advice = expected === 'end of input' ? '' : `: write ${expected.replace('end of input', 'nothing')}`
  return queryError(place, `${token === '' ? 'The end' : `\`${place.token}\``} is not expected${advice}.`)
}

/** Throws where parentheses are nested too deep. It is checked before the text is parsed, which is recursive. */
function checkDepth(text: string): void {
  let [depth, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character.search(marks) === 0) isQuoted = !isQuoted
    else if (!isQuoted && character === ')') depth--
    else if (!isQuoted && character === '(' && ++depth > maxDepth)
      throw queryError(placeIn(text, at, at + 1), `Parentheses are nested ${String(maxDepth)} deep at most.`)
  }
}

/**
 * Whether a text asks for a field anywhere outside quotation marks: a field, an operator and a value without a space
 * between them, as in `set:op01`. The rest may be no query.
 */
export const asksField = (text: string): boolean => language.match(text, 'asks_field').succeeded()

/** Returns the text of a query with another text in place of a token of it. */
export function replaceToken(text: string, { token, at }: TokenPlace, instead: string): string {
  const all = characters(text)
  return [...all.slice(0, at - 1), instead, ...all.slice(at - 1 + characters(token).length)].join('')
}

/** Returns the terms of a tree in the order of the text. */
export const termsOf = (node: QueryNode): readonly Term[] =>
  node.kind === 'term' ? [node] : (node.kind === 'not' ? [node.of] : node.of).flatMap(termsOf)

/**
 * Returns the tree of a query; `and` and `or` have at least two parts, none of their own kind. Throws INVALID_INPUT
 * with `field`, `token`, `at` and `near` for a text that is no query or is too large: it may have `maxQueryLength`
 * characters, `maxTerms` terms, and parentheses nested `maxDepth` deep.
 */
export function parseQueryText(text: string): QueryNode {
  if (text.length > maxQueryLength)
    throw invalid('q', `\`q\` has more than ${String(maxQueryLength)} characters: write a shorter query.`)
  checkDepth(text)
  const match = language.match(text)
  if (match.failed()) throw refusal(text, match)
  const tree = treeOf(semantics(match))
  const extra = termsOf(tree)[maxTerms]
  if (extra !== undefined) throw queryError(extra.place, `A query has at most ${String(maxTerms)} terms.`)
  return tree
}

/** Whether a value needs no quotation marks where it is. */
const isPlain = (value: string, isBare: boolean): boolean =>
  /^[^\s()"“”„]+$/.test(value) && !(isBare && /^(?:OR$|AND$|-)/.test(value))

/** Returns a query as a text in its usual form. `parseQueryText` reads the same tree from it, but for the places. */
export function printQuery(node: QueryNode): string {
  const inner = (one: QueryNode, kinds: readonly QueryNode['kind'][]): string =>
    kinds.includes(one.kind) ? `(${printQuery(one)})` : printQuery(one)
  if (node.kind === 'not') return `-${inner(node.of, ['and', 'or', 'not'])}`
  if (node.kind === 'and') return node.of.map(one => inner(one, ['or'])).join(' ')
  if (node.kind === 'or') return node.of.map(printQuery).join(' OR ')
  const { field, operator, value, isQuoted } = node
  const written = isQuoted || !isPlain(value, field === undefined) ? `"${value}"` : value
  return field === undefined ? written : `${field}${operator}${written}`
}
