// test: slow.
import t from 'tap'
import { admitsEveryone } from '../../core/access/index.ts'
import { piecesOf, plainText, type Piece } from '../../core/format/pieces.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { propertiesOf } from '../../core/schema/json-schema.ts'
import { seedAuctions } from '../../surfaces/market/seed.ts'
import { People } from '../../surfaces/people/people.ts'
import { seedAccounts } from '../../surfaces/people/seed.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { pageExamples } from '../support/page-examples.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** A field as a browser has it: the texts that it would send, and for a choice, those that it may. */
type Field = Readonly<{ name: string; type: string; id: string; sent: readonly string[]; choices: readonly string[] }>
type Form = Readonly<{ action: string; harms: boolean; fields: readonly Field[]; html: string }>

const attributeOf = ({ attributes }: Piece, name: string): string => attributes.get(name) ?? ''

/** Returns the forms of a page that are sent with POST. */
function formsIn(html: string): Form[] {
  const pieces = piecesOf(html)
  const endOf = (from: number, tag: string): number =>
    pieces.findIndex(({ tag: one, isEnd }, at) => at > from && one === tag && isEnd)
  return pieces.flatMap((form, from): Form[] => {
    if (form.tag !== 'form' || form.isEnd || attributeOf(form, 'method') !== 'post') return []
    const to = endOf(from, 'form')
    const fields = new Map<string, Field>()
    for (let at = from; at < to; at += 1) {
      const piece = pieces[at] as Piece
      const [name, isField] = [attributeOf(piece, 'name'), ['input', 'select', 'textarea'].includes(piece.tag)]
      if (!isField || piece.isEnd || name === '') continue
      const type = piece.tag === 'input' ? attributeOf(piece, 'type') || 'text' : piece.tag
      const of = { name, type, id: attributeOf(piece, 'id') }
      const before = fields.get(name) ?? { ...of, sent: [], choices: [] }
      const within = pieces.slice(at, piece.tag === 'input' ? at + 1 : endOf(at, piece.tag))
      const options = within.filter(({ tag, isEnd }) => tag === 'option' && !isEnd)
      const valueOf = (option: Piece): string =>
        option.attributes.get('value') ?? plainText(pieces[pieces.indexOf(option) + 1]?.text ?? '')
      const value =
        type === 'textarea'
          ? plainText(
              within
                .slice(1)
                .map(({ text }) => text)
                .join('')
            ).replace(/^\n/, '')
          : attributeOf(piece, 'value')
      const isChoice = type === 'radio' || type === 'checkbox'
      const chosen = options.find(({ attributes }) => attributes.has('selected')) ?? options[0]
      const sent =
        type === 'select'
          ? [chosen === undefined ? '' : valueOf(chosen)]
          : isChoice && !piece.attributes.has('checked')
            ? []
            : [value]
      fields.set(name, {
        ...before,
        sent: [...before.sent, ...sent],
        choices: [...before.choices, ...(type === 'select' ? options.map(valueOf) : isChoice ? [value] : [])]
      })
    }
    const whole = pieces.slice(from, to)
    return [
      {
        action: attributeOf(form, 'action'),
        harms: attributeOf(form, 'class').split(' ').includes('harm'),
        fields: [...fields.values()],
        html: whole.map(({ text }) => text).join('')
      }
    ]
  })
}

/** What somebody typed: a text of its own for each field, the last choice, and each box the other way. */
function typedInto({ name, type, sent, choices }: Field): readonly string[] {
  if (type === 'hidden' || type === 'file') return type === 'file' ? [] : sent
  if (type === 'select' || type === 'radio') return choices.slice(-1)
  if (type === 'checkbox') return choices.filter(choice => !sent.includes(choice))
  if (type === 'number') return ['12']
  if (type === 'datetime-local') return ['2031-02-03T04:05:06']
  if (type === 'email') return ['someone@example.org']
  return sent.length > 1 ? sent.map(() => 'Dutch') : [`"<${name}>" & 7`.slice(0, 12)]
}

/** Returns a text that the schema of a field refuses, if there is one. */
function badFor(surface: Surface, { name, type, choices }: Field): string | undefined {
  if (type === 'hidden' || type === 'file' || type === 'checkbox') return undefined
  const schema = propertiesOf(surface.input.body?.schema ?? {})[name] ?? {}
  if ('enum' in schema && choices.length === 0) return 'none-of-these'
  const most = Number(schema['maxLength'] ?? 0)
  return most > 0 && choices.length === 0 ? 'x'.repeat(most + 1) : undefined
}

const { url: databaseUrl } = await bundledDatabase(t)
const database = await databaseAt(t, databaseUrl)
const seeded = await seedAccounts(database)
const [seller, buyer] = await Promise.all(
  [seeded.hidden_username, seeded.public_username].map(
    async name => (await new People(database).byName(name))?.id ?? ''
  )
)
const auctions = await seedAuctions(database, seller ?? '', buyer ?? '')
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))
const people = { seller: seeded.seller_cookie, buyer: seeded.session_cookie, admin: seeded.admin_cookie }
const type = 'application/x-www-form-urlencoded'

const routeOf = (action: string): Surface | undefined =>
  registry.forms.find(({ route }) =>
    new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(action.split('#')[0] ?? '')
  )

type Shown = Form & Readonly<{ surface: Surface; cookie: string; page: string }>
const shown: Shown[] = []
const signInLinks: (readonly [page: string, href: string])[] = []
const pages = [
  ...pageExamples(registry)
    .filter(({ example, surface: { access } }) => {
      return !admitsEveryone(access) || access.includes('user') || example.expect.status === 200
    })
    .filter(({ surface }) => registry.forms.some(({ formOf }) => formOf === surface.id))
    .flatMap(({ example: { url }, surface: { access } }) =>
      (admitsEveryone(access) ? ['', people.seller] : access.includes('user') ? [people.seller] : [people.admin]).map(
        cookie => [url, cookie] as const
      )
    ),
  ...Object.values(auctions).flatMap(id =>
    ['', ...Object.values(people)].map(cookie => [`/auctions/${id}`, cookie] as const)
  )
]
for (const [page, cookie] of pages) {
  const response = await get(page, { headers: cookie === '' ? {} : { Cookie: cookie } })
  const html = await response.text()
  if (!page.startsWith('/account/sign-'))
    for (const [, href = ''] of html.matchAll(/href="(\/account\/sign-(?:in|up)[^"]*)"/g))
      signInLinks.push([page, href])
  for (const form of response.status === 200 ? formsIn(html) : []) {
    const surface = routeOf(form.action === '' ? page : form.action)
    if (surface !== undefined) shown.push({ ...form, surface, cookie, page })
  }
}

const send = async ({ action, page, cookie, fields }: Shown, texts: ReadonlyMap<string, readonly string[]>) => {
  const body = new URLSearchParams(fields.flatMap(({ name }) => (texts.get(name) ?? []).map(text => [name, text])))
  const headers = { 'Content-Type': type, ...(cookie === '' ? {} : { Cookie: cookie }) }
  return await get((action === '' ? page : action).split('#')[0] ?? '', {
    method: 'POST',
    headers,
    body: body.toString(),
    redirect: 'manual'
  })
}

t.test('a refused form comes back with what was typed, and says in words what is wrong beside the field', async t => {
  const tried = new Set<string>()
  for (const form of shown) {
    const { surface, fields } = form
    const [wrong] = fields.filter(field => badFor(surface, field) !== undefined)
    if (wrong === undefined || tried.has(surface.id) || surface.id === 'explore/surface#send') continue
    tried.add(surface.id)
    const texts = new Map(fields.map(field => [field.name, typedInto(field)]))
    texts.set(wrong.name, [badFor(surface, wrong) ?? ''])
    const response = await send(form, texts)
    const html = await response.text()
    const name = `${surface.id} of ${form.page}`
    t.equal(response.status, 400, name)
    t.match(html, /<div class="mistake" role="alert">/, `${name}: an alert at the top`)
    t.notMatch(html.replace(/<[^>]*>/g, ' '), /\(?`?\^[[(]/, `${name}: no regular expression`)
    const [again] = formsIn(html).filter(one => one.html.includes('aria-invalid'))
    t.ok(again, `${name}: the form is there, with a wrong field`)
    for (const { name: field, sent, type: kind } of again?.fields ?? []) {
      if (kind === 'hidden' || kind === 'file') continue
      const isWriteOnly = propertiesOf(surface.input.body?.schema ?? {})[field]?.['writeOnly'] === true
      const typed = isWriteOnly ? [''] : (texts.get(field) ?? [])
      t.same(
        sent.slice(0, Math.max(1, typed.length)),
        typed.length === 0 ? sent.slice(0, 0) : typed,
        `${name}: ${field}`
      )
    }
    t.match(
      again?.html ?? '',
      new RegExp(`<[^>]*name="${wrong.name}"[^>]*aria-invalid="true"`),
      `${name}: ${wrong.name}`
    )
    t.match(again?.html ?? '', /<span id="[^"]+-mistake" class="mistake">[^<]/, `${name}: a message beside it`)
    t.equal(html.match(/ autofocus/g)?.length, 1, `${name}: one field has the focus`)
  }
  t.ok(tried.size >= 18, `${tried.size} forms`)
})

t.test('a link to sign in leads back to the page that has it', t => {
  for (const [page, href] of signInLinks) {
    const [path = ''] = page.split('?')
    // The page of the account is where signing in leads by itself.
    if (path !== '/account') t.equal(new URL(href, 'http://a').searchParams.get('next')?.split('?')[0], path, page)
  }
  t.ok(signInLinks.length >= 3, `${signInLinks.length} links`)
  t.end()
})

t.test('what harms is asked again first, and looks like it', async t => {
  const seen = new Set<string>()
  for (const form of shown) {
    const texts = new Map(
      form.fields.map(field => [field.name, field.type === 'hidden' ? field.sent : typedInto(field)])
    )
    const steps = stepsOf(form.surface)
    const isAsked = steps && form.fields.every(({ type: kind }) => kind === 'hidden')
    if (!isAsked || seen.has(form.surface.id)) continue
    seen.add(form.surface.id)
    const response = await send(form, texts)
    const html = await response.text()
    t.equal(response.status, 200, `${form.surface.id}: nothing is done yet`)
    const [second] = formsIn(html)
    t.ok(form.harms && second?.harms === true, `${form.surface.id}: both steps look different`)
    t.same(second?.fields.find(({ name }) => name === 'confirmed')?.sent, ['yes'], form.surface.id)
  }
  t.ok(seen.size >= 5, [...seen].join(' '))
})

/** The longest text that the schema of a field allows, each character as long as one can be. */
function longestFor(surface: Surface, { name, sent, choices }: Field): readonly string[] {
  const most = Number(propertiesOf(surface.input.body?.schema ?? {})[name]?.['maxLength'] ?? 0)
  return most > 0 && choices.length === 0 && !ownFields.has(name) ? ['😀'.repeat(most)] : sent
}

const ownFields = new Set(['token', 'confirmed', 'version', 'idempotency_key'])

/** Whether a form has a second step. */
function stepsOf(surface: Surface): boolean {
  return 'confirmed' in propertiesOf(surface.input.body?.schema ?? {})
}

t.test('the longest texts that the fields of a form allow are not too large, whatever their characters', async t => {
  const tried = new Set<string>()
  for (const form of shown) {
    const { surface, fields } = form
    const texts = new Map(fields.map(field => [field.name, longestFor(surface, field)]))
    const isText = fields.some(({ name, sent }) => texts.get(name) !== sent)
    if (tried.has(surface.id) || !isText) continue
    tried.add(surface.id)
    const confirmed = { name: 'confirmed', type: 'hidden', id: '', sent: [], choices: [] }
    const whole = stepsOf(surface) ? { ...form, fields: [...fields, confirmed] } : form
    const response = await send(whole, new Map([...texts, ['confirmed', ['yes']]]))
    await response.text()
    t.not(response.status, 413, `${surface.id} of ${form.page}`)
  }
  t.ok(tried.size >= 18, `${tried.size} forms`)
})
