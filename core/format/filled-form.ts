import { escapeXml } from './format.ts'
import { changed, noAttributes, piecesOf, plainText, type Piece } from './pieces.ts'
import type { Language } from '../vocabulary/language.ts'

// A page is written as HTML with its forms as they are for everyone who opens it. What was typed is put back into that
// text, so that this holds for every form, whatever its view is made of.

/** What is wrong with a form. `field`: the name of a field, with the place in a list (`languages.1`); may be empty. */
export type Mistake = Readonly<{ field: string; message: string }>

/** The texts that were sent, by the name of the field; several for a list. */
export type Typed = ReadonlyMap<string, readonly string[]>

const isTag = (piece: Piece | undefined, tag: string): boolean => piece?.tag === tag && !piece.isEnd
const endOf = (pieces: readonly Piece[], from: number, tag: string): number => {
  const at = pieces.findIndex((piece, place) => place > from && piece.tag === tag && piece.isEnd)
  return at === -1 ? pieces.length : at
}
const wordsOf = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ tag }) => tag === '')
    .map(({ text }) => plainText(text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

type Range = Readonly<{ from: number; to: number }>

const pathOf = (text: string): string => {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Fields that belong to a page and not to what was typed. */
const ofPage = new Set(['token', 'idempotency_key'])

/**
 * Returns where the form that was sent is. Several forms of a page may be sent to one path: it is the one whose hidden
 * fields have most of the values that were sent.
 */
function findForm(pieces: readonly Piece[], actions: readonly string[], typed: Typed): Range | undefined {
  const paths = actions.map(pathOf)
  const found = pieces.flatMap((piece, from): (Range & Readonly<{ others: number }>)[] => {
    if (!isTag(piece, 'form') || piece.attributes.get('method')?.toLowerCase() !== 'post') return []
    if (!paths.includes(pathOf(piece.attributes.get('action') ?? '').split(/[?#]/, 1)[0] ?? '')) return []
    const to = endOf(pieces, from, 'form')
    const others = pieces.slice(from, to).filter(({ tag, attributes }) => {
      const name = attributes.get('name') ?? ''
      const isHidden = tag === 'input' && attributes.get('type') === 'hidden' && !ofPage.has(name)
      return isHidden && typed.get(name)?.[0] !== attributes.get('value')
    })
    return [{ from, to, others: others.length }]
  })
  return found.sort((a, b) => a.others - b.others)[0]
}

/** Types of inputs that keep the value of the page: what people typed into them is secret, or is nothing typed. */
const keptTypes = new Set(['hidden', 'password', 'file', 'submit', 'button', 'reset', 'image'])

/** Says whether one of the radio buttons of this name has this value: if none has, the page's own choice stays. */
const hasRadio = (pieces: readonly Piece[], name: string, value: string | undefined): boolean =>
  pieces.some(
    ({ attributes }) =>
      attributes.get('type') === 'radio' && attributes.get('name') === name && attributes.get('value') === value
  )

/** Puts what was typed into the fields of a form. */
function fill(pieces: readonly Piece[], typed: Typed): Piece[] {
  const counts = new Map<string, number>()
  const filled: Piece[] = []
  let select: string | undefined
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece
    const { tag, isEnd, attributes } = piece
    const name = attributes.get('name') ?? ''
    const values = typed.get(name) ?? []
    if (tag === 'select') select = isEnd ? undefined : name
    if (isTag(piece, 'textarea') && typed.has(name)) {
      const end = endOf(pieces, at, 'textarea')
      // A parser drops a line feed at the beginning (HTML Standard §13.1.2.5).
      filled.push(piece, { ...piece, tag: '', text: `\n${escapeXml(values[0] ?? '')}`, attributes: noAttributes })
      at = end - 1
    } else if (isTag(piece, 'option') && select !== undefined && typed.has(select)) {
      const value = attributes.get('value') ?? wordsOf(pieces.slice(at, endOf(pieces, at, 'option')))
      filled.push(changed(piece, { selected: typed.get(select)?.includes(value) === true ? '' : undefined }))
    } else if (tag !== 'input' || isEnd || keptTypes.has(attributes.get('type') ?? 'text')) filled.push(piece)
    else if (attributes.get('type') === 'radio' && !hasRadio(pieces, name, values[0])) filled.push(piece)
    else if (['checkbox', 'radio'].includes(attributes.get('type') ?? '')) {
      const isChosen = values.includes(attributes.get('value') ?? 'on')
      filled.push(changed(piece, { checked: isChosen ? '' : undefined }))
    } else {
      const place = counts.get(name) ?? 0
      counts.set(name, place + 1)
      filled.push(values[place] === undefined ? piece : changed(piece, { value: values[place] }))
    }
  }
  return filled
}

const controls = ['input', 'select', 'textarea']

/** Returns where the field of a mistake is: the one at its place in a list, else the first of that name. */
function placeOf(pieces: readonly Piece[], field: string): number {
  const [name = '', place = '0'] = field.split('.')
  const places = pieces.flatMap((piece, at) =>
    controls.includes(piece.tag) &&
    !piece.isEnd &&
    piece.attributes.get('name') === name &&
    piece.attributes.get('type') !== 'hidden'
      ? [at]
      : []
  )
  return places[Number(place)] ?? places[0] ?? -1
}

/** Returns the label around a field, if it is inside one. */
function labelAround(pieces: readonly Piece[], at: number): Range | undefined {
  const from = pieces.findLastIndex((piece, place) => place < at && piece.tag === 'label')
  return isTag(pieces[from], 'label') ? { from, to: endOf(pieces, from, 'label') } : undefined
}

/** Returns the words beside a field: of its label, or those of the screen reader. */
function labelOf(pieces: readonly Piece[], at: number, id: string | undefined): string {
  const { attributes } = pieces[at] as Piece
  const ofId =
    id === undefined ? -1 : pieces.findIndex(piece => isTag(piece, 'label') && piece.attributes.get('for') === id)
  const from = ofId === -1 ? (labelAround(pieces, at)?.from ?? -1) : ofId
  const words = from === -1 ? '' : wordsOf(pieces.slice(from, endOf(pieces, from, 'label')))
  return words === '' ? (attributes.get('aria-label') ?? attributes.get('name') ?? '') : words
}

/** Returns the fieldset around a field and its legend, if it has one. */
function groupAround(pieces: readonly Piece[], at: number): Readonly<{ fieldset: number; legend: Range }> | undefined {
  const open: number[] = []
  pieces.slice(0, at).forEach(({ tag, isEnd }, place) => {
    if (tag !== 'fieldset') return
    if (isEnd) open.pop()
    else open.push(place)
  })
  const fieldset = open.at(-1) ?? -1
  const from = pieces.findIndex((piece, place) => place > fieldset && place < at && isTag(piece, 'legend'))
  return fieldset === -1 || from === -1 ? undefined : { fieldset, legend: { from, to: endOf(pieces, from, 'legend') } }
}

/** Says whether a mistake is of several buttons, boxes or texts together, and not of the one at its place. */
function isOfGroup(pieces: readonly Piece[], { field }: Mistake, at: number): boolean {
  const { attributes } = pieces[at] as Piece
  const type = attributes.get('type') ?? ''
  const isChoice = type === 'radio' || type === 'checkbox'
  const count = pieces.filter(piece => piece.attributes.get('name') === attributes.get('name')).length
  return count > 1 && (isChoice || !field.includes('.'))
}

type Shown = Mistake & Readonly<{ id: string; label: string }>

/** Writes a mistake beside its field. Returns the form, and how the top of the page refers to the field. */
function mark(pieces: Piece[], mistake: Mistake, at: number): Shown {
  const piece = pieces[at] as Piece
  const given = piece.attributes.get('id')
  const id = given ?? `field-${mistake.field.replaceAll('.', '-')}`
  const noteId = `${id}-mistake`
  const described = (one: Piece): string =>
    [noteId, one.attributes.get('aria-describedby')].filter(known => known !== undefined).join(' ')
  const note: Piece = {
    text: `<span id="${escapeXml(noteId)}" class="mistake">${escapeXml(mistake.message)}</span>`,
    tag: 'span',
    isEnd: true,
    attributes: noAttributes
  }
  const group = isOfGroup(pieces, mistake, at) ? groupAround(pieces, at) : undefined
  if (group !== undefined) {
    const { fieldset, legend } = group
    const whole = pieces[fieldset] as Piece
    pieces[at] = changed(piece, { id, 'aria-invalid': 'true' })
    pieces[fieldset] = changed(whole, { 'aria-describedby': described(whole) })
    pieces.splice(legend.to + 1, 0, note)
    return { ...mistake, id, label: wordsOf(pieces.slice(legend.from, legend.to)) }
  }
  const label = labelOf(pieces, at, given)
  const control = piece.tag === 'input' ? at : endOf(pieces, at, piece.tag)
  const end = labelAround(pieces, at)?.to ?? control
  pieces.splice(end + 1, 0, note)
  pieces[at] = changed(piece, { id, 'aria-invalid': 'true', 'aria-describedby': described(piece) })
  return { ...mistake, id, label }
}

const written = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

type Refilled = Readonly<{ html: string; placed: readonly Shown[]; unplaced: readonly Mistake[] }>

/**
 * Puts what was typed back into the form of a page that was refused, and each mistake beside its field; the first wrong
 * field has the focus. `unplaced`: the mistakes of no field of the form.
 */
function refill(html: string, { actions, here, typed, mistakes }: Refusal): Refilled {
  const pieces = piecesOf(html).map(piece =>
    isTag(piece, 'form') && !piece.attributes.has('action') ? changed(piece, { action: here }) : piece
  )
  const range = findForm(pieces, actions, typed)
  if (range === undefined) return { html: written(pieces), placed: [], unplaced: mistakes }
  const form = fill(pieces.slice(range.from, range.to), typed)
  const unplaced: Mistake[] = []
  const placed: Shown[] = []
  for (const mistake of mistakes) {
    const at = placeOf(form, mistake.field)
    if (at === -1) unplaced.push(mistake)
    else if (form[at]?.attributes.has('aria-invalid') !== true) placed.push(mark(form, mistake, at))
  }
  const first = form.findIndex(({ attributes }) => attributes.has('aria-invalid'))
  if (first !== -1) form[first] = changed(form[first] as Piece, { autofocus: '' })
  const before = pieces.slice(0, range.from)
  // What folds around the form is open, so that the form is seen.
  const open: number[] = []
  before.forEach(({ tag, isEnd }, at) => {
    if (tag !== 'details') return
    if (isEnd) open.pop()
    else open.push(at)
  })
  for (const at of open) before[at] = changed(before[at] as Piece, { open: '' })
  return { html: written([...before, ...form, ...pieces.slice(range.to)]), placed, unplaced }
}

type Refusal = Readonly<{
  /** The path of the form, as its page may write it. */
  actions: readonly string[]
  /** The path that a form without `action` is sent to. */
  here: string
  typed: Typed
  mistakes: readonly Mistake[]
  /** The path of the page of the form. */
  back: string
  language: Language
}>

/**
 * Writes a page whose form was refused: why, then the page with what was typed in the form. Passwords and files are not
 * written.
 */
export function writeRefusal(html: string, refusal: Refusal): string {
  const { back, language } = refusal
  const plain = refusal.mistakes.map(({ field, message }) => {
    const whole = language.messageOf(message)
    return { field, message: language.plainly(whole), whole }
  })
  const { html: filled, placed, unplaced } = refill(html, { ...refusal, mistakes: plain })
  // A view that shows the reason itself has said it.
  if (html.includes('role="alert"')) return filled
  const items = placed.map(
    ({ id, label, message }) => `<li><a href="#${escapeXml(id)}">${escapeXml(label)}</a>: ${escapeXml(message)}</li>`
  )
  const others = unplaced.map(({ field, message }) => {
    const isNamed = plain.some(one => one.field === field && one.whole !== message)
    return `<p><strong>${escapeXml(isNamed ? `${field}: ${message}` : message)}</strong></p>`
  })
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
  const way = `<a href="${escapeXml(back)}">`
  const wayBack = filled.includes(way) ? '' : `<p>${way}${escapeXml(language.say('Back'))}</a></p>`
  return `<div class="mistake" role="alert">${others.join('')}${list}</div>${filled}${wayBack}`
}
