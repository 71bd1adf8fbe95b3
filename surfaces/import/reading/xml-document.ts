import { SaxesParser } from 'saxes'
import type { JsonObject, JsonValue } from 'pantry/data'
import { FileProblem } from '../data-error.ts'

type Element = { readonly members: Record<string, JsonValue>; text: string }

const maxDepth = 100

/**
 * Adds a member to an element that is being built. A list is extended in place, so that many siblings take linear time.
 * This works because the value of an element is never itself a list.
 */
function put(members: Record<string, JsonValue>, name: string, value: JsonValue, isList: boolean): void {
  // As an object key, `__proto__` would set the prototype instead of adding a member.
  if (name === '__proto__') return
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  if (before === undefined) members[name] = isList ? [value] : value
  else if (Array.isArray(before)) (before as JsonValue[]).push(value)
  else members[name] = [before, value]
}

/**
 * Returns an element without members as its text, or null when it has none; one with members as an object, to which its
 * text is added under the name of the element unless it has such a member.
 */
function valueOf(name: string, { members, text }: Element): JsonValue {
  const trimmed = text.trim()
  if (Object.keys(members).length === 0) return trimmed === '' ? null : trimmed
  return trimmed === '' || Object.hasOwn(members, name) ? members : { ...members, [name]: trimmed }
}

/**
 * Parses an XML document into an object with the root element by name. An element with attributes or children becomes
 * an object of them by name, and of its text by its own name; any other is its text. Several children of one name
 * become a list; the names in `lists` always do. A document type declaration is refused, so that no entities can be
 * defined.
 */
export function xmlDocument(text: string, lists: readonly string[] = []): JsonObject {
  const parser = new SaxesParser()
  const open: Element[] = [{ members: {}, text: '' }]
  const fail = (message: string): never => {
    throw new FileProblem(`The XML cannot be read (line ${parser.line}, column ${parser.column}): ${message}`)
  }
  // The parser's own message is not used, because it quotes the text near the mistake.
  parser.on('error', () => fail('it is not well-formed.'))
  parser.on('doctype', () => fail('a document type is not expected.'))
  parser.on('opentag', ({ attributes }) => {
    if (open.length > maxDepth) fail(`it is more than ${maxDepth} elements deep.`)
    open.push({ members: { ...attributes }, text: '' })
  })
  const addText = (part: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    const element = open.pop()
    if (element !== undefined) put(open.at(-1)?.members ?? {}, name, valueOf(name, element), lists.includes(name))
  })
  parser.write(text).close()
  return open[0]?.members ?? {}
}

/**
 * Returns the rows of a document: the value at a path of names joined by dots, where a single element becomes a list of
 * one; without a path, the document.
 */
export function membersOf(document: JsonObject, at: string | undefined): JsonValue {
  let value: JsonValue | undefined = document
  for (const name of at?.split('.') ?? []) {
    value = typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null)?.[name] : undefined
    if (value === undefined) throw new FileProblem(`The document has no \`${name}\`.`)
  }
  return at === undefined || Array.isArray(value) ? value : [value]
}
