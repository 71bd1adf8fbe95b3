import { SaxesParser } from 'saxes'
import type { JsonObject, JsonValue } from 'pantry/data'
import { FileProblem } from '../data-error.ts'

type Element = { readonly members: Record<string, JsonValue>; text: string }

/** The name of the text of an element that has members as well. */
const ownText = 'text'
const deepest = 100

/**
 * A member of an element as it is built: a list grows in place, so that many siblings cost what they are. An element's
 * own value is never a list.
 */
function put(members: Record<string, JsonValue>, name: string, value: JsonValue, isList: boolean): void {
  // No upstream calls an element so for a good reason, and as a member it would be no data.
  if (name === '__proto__') return
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  if (before === undefined) members[name] = isList ? [value] : value
  else if (Array.isArray(before)) (before as JsonValue[]).push(value)
  else members[name] = [before, value]
}

/** An element without members is its text, or null; one with some has them, and its text as `text`. */
function valueOf({ members, text }: Element): JsonValue {
  const trimmed = text.trim()
  if (Object.keys(members).length === 0) return trimmed === '' ? null : trimmed
  return trimmed === '' || Object.hasOwn(members, ownText) ? members : { ...members, [ownText]: trimmed }
}

/**
 * An XML document as plain values: an element is an object of its attributes and child elements by their names, the
 * root included. Children of one name are a list where there are several; those in `lists` always are. A document type
 * is refused, so that no entity is defined.
 */
export function xmlDocument(text: string, lists: readonly string[] = []): JsonObject {
  const parser = new SaxesParser()
  const open: Element[] = [{ members: {}, text: '' }]
  const fail = (message: string): never => {
    throw new FileProblem(`The XML cannot be read: ${message}`)
  }
  // The parser's own message quotes what is around the mistake.
  parser.on('error', () => fail('it is not well-formed.'))
  parser.on('doctype', () => fail('a document type is not expected.'))
  parser.on('opentag', ({ attributes }) => {
    if (open.length > deepest) fail(`it is more than ${deepest} elements deep.`)
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
    if (element !== undefined) put(open.at(-1)?.members ?? {}, name, valueOf(element), lists.includes(name))
  })
  parser.write(text).close()
  return open[0]?.members ?? {}
}

/** The rows of a document: what is at a path of it, names joined by points; one element there is a list of one. */
export function membersOf(document: JsonObject, at: string | undefined): JsonValue {
  let value: JsonValue | undefined = document
  for (const name of at?.split('.') ?? []) {
    value = typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null)?.[name] : undefined
    if (value === undefined) throw new FileProblem(`The document has no \`${name}\`.`)
  }
  return at === undefined || Array.isArray(value) ? value : [value]
}
