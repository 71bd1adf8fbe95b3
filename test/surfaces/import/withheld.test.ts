// test: slow.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { checkDeclaration } from '../../../surfaces/import/checks/check-source.ts'
import { compileMap } from '../../../surfaces/import/reading/map-row.ts'
import type { Expression, FieldMap, SourceReader } from '../../../surfaces/import/source.ts'
import { withheldByForm, withheldByName } from '../../../surfaces/import/withheld.ts'
import { declaredSources } from './bundled-sources.ts'
import { dataFolder } from './lantern.ts'

/** Names and values of `withheld.yaml`: what is withheld, by kind, and what looks alike and is kept. */
const {
  names,
  kept_names: keptNames,
  values,
  kept_values: keptValues
} = parse(readFileSync(join(dataFolder, 'withheld.yaml'), 'utf8')) as Readonly<{
  names: Record<string, string[]>
  kept_names: string[]
  values: Record<string, string[]>
  kept_values: string[]
}>

t.test('names of fields', t => {
  for (const [kind, some] of Object.entries(names)) for (const name of some) t.equal(withheldByName(name), kind, name)
  for (const name of keptNames) t.equal(withheldByName(name), undefined, name)
  t.end()
})

t.test('forms of values', t => {
  for (const [kind, some] of Object.entries(values))
    for (const value of some) t.equal(withheldByForm(value), kind, value)
  for (const value of keptValues) t.equal(withheldByForm(value), undefined, value)
  t.end()
})

type Group = Readonly<Record<string, unknown>>

/** Every place of a value of a map that takes an expression, with a value that has another one there. */
function* replacedIn(name: string, value: unknown, expression: Expression): Generator<readonly [string, unknown]> {
  if (name === 'faces') {
    const faces = value as readonly Group[]
    for (const [at, face] of faces.entries())
      for (const [field, other] of membersOf(name, face, expression)) yield [field, faces.with(at, other)]
  } else if (/^(?:attributes|printed_in)$/.test(name)) yield* membersOf(name, value as Group, expression)
  else if (typeof value === 'object' && value !== null && 'languages' in value)
    for (const [field, languages] of membersOf(name, value.languages as Group, expression)) yield [field, { languages }]
  else yield [name, name.endsWith('translations') ? { languages: { en: expression } } : expression]
}

function* membersOf(name: string, group: Group, expression: Expression): Generator<readonly [string, Group]> {
  for (const [member, value] of Object.entries(group))
    if (member === 'attributes')
      for (const [field, attributes] of membersOf(`${name}.${member}`, value as Group, expression))
        yield [field, { ...group, attributes }]
    else yield [`${name}.${member}`, { ...group, [member]: expression }]
}

/** Every place of a map that takes an expression, with a map that has another one there. */
function* replaced(map: FieldMap, expression: Expression): Generator<readonly [field: string, map: FieldMap]> {
  for (const [name, value] of Object.entries(map))
    for (const [field, other] of replacedIn(name, value, expression)) yield [field, { ...map, [name]: other }]
}

const mayBeNumber =
  /^(?:native_id|set_code|number|sku_number|variant|declared_total|released_on|(?:set_)?name(?:_translations(?:\.\w+)?)?)$/
const wired = [...declaredSources().values()].filter(({ reader }) => reader !== undefined)
const canaries = [...Object.values(values).flat(), 512_345_678, 12.99, 12.5]

t.test(
  'behind every declared field of every source, no price, picture, link, markup or number of a shop is kept',
  t => {
    for (const source of wired) {
      const row = Object.fromEntries(source.reader!.rows.map(({ as }) => [as, {}]))
      // What is no attribute of the row is refused for that, and a map of constants says the rest.
      const whole = Object.fromEntries(
        ['native_id', 'game', 'set_code', 'number', 'lang'].map(name => [
          name,
          { const: name === 'game' ? source.games[0]! : name === 'lang' ? source.languages[0]! : 'A1' }
        ])
      )
      const { faces } = source.reader!.map
      // There are faces only where two of them say something.
      const named = faces === undefined ? {} : { faces: faces.map(face => ({ ...face, name: { const: 'B1' } })) }
      for (const [field, map] of replaced({ ...source.reader!.map, ...whole, ...named }, 'canary')) {
        const read = compileMap(map, { tables: new Map() }, source)
        for (const canary of canaries) {
          // A number may identify a row, and an upstream may call a card or a set by one.
          if (typeof canary === 'number' && canary !== 12.99 && mayBeNumber.test(field)) continue
          const mapped = read({ file: {}, ...row, canary })
          const text = JSON.stringify('reason' in mapped ? null : mapped.row)
          if (text.includes(String(canary))) t.fail(`${source.id}: ${field} keeps ${canary}`)
        }
      }
    }
    t.ok(wired.length > 20)
    t.end()
  }
)

t.test(
  'a path that is called like one is refused in every declared field of every source, before anything is read',
  t => {
    for (const { reader, ...source } of wired) {
      const loop = reader!.rows.at(-1)!.as
      for (const name of Object.values(names).flat()) {
        for (const [field, map] of replaced(reader!.map, `${loop}.${name}`)) {
          const problems = checkDeclaration({ ...source, reader: { ...reader!, map } }, () => true)
          if (problems.length === 0) t.fail(`${source.id}: ${field} may be \`${name}\``)
        }
      }
    }
    t.end()
  }
)

t.test(
  'a part may be taken out of a picture, a link or a text by a pattern; of a price or an identifier of a shop nothing',
  t => {
    const source = wired[0]!
    const check = (rarity: JsonValue): readonly string[] =>
      checkDeclaration(
        { ...source, reader: { ...source.reader!, map: { ...source.reader!.map, rarity: rarity as Expression } } },
        () => true
      ).map(({ message }) => message)
    const loop = source.reader!.rows.at(-1)!.as
    t.same(check({ path: `${loop}.images.small`, pattern: '_(?<a>P[0-9])', group: 'a' }), [])
    t.same(check({ join: [`${loop}.effect`], with: '', pattern: '(?<a>Rush)', group: 'a' }), [])
    t.same(check({ path: `${loop}.prices.usd`, pattern: '(?<a>[0-9]+)', group: 'a' }), [
      `\`${loop}.prices.usd\` is a price by its name, and none is kept.`
    ])
    t.same(check({ path: `${loop}.tcgplayerId`, pattern: '(?<a>[0-9]+)', group: 'a' }), [
      `\`${loop}.tcgplayerId\` is a shop identifier by its name, and none is kept.`
    ])
    t.same(check({ const: '$3.50' }), ['`$3.50` is a price, and none is kept.'])
    t.end()
  }
)

t.test('keys of a loop over prices are prices, and no value depends on one', t => {
  const source = wired[0]!
  const check = (change: Partial<SourceReader>): readonly string[] =>
    checkDeclaration({ ...source, reader: { ...source.reader!, ...change } }, () => true).map(({ message }) => message)
  const { map, rows } = source.reader!
  const loop = rows.at(-1)!.as
  const byPrice: Expression = { const: 'R', when: { value: `${loop}.marketPrice`, is: [1] } }
  const told = (path: string): RegExp => new RegExp(`^\`${path}\` is a price by its name`)
  t.match(
    check({ rows: [...rows, { as: 'one', each: `${loop}.prices`, key: 'kind' }], map: { ...map, variant: 'kind' } }),
    [told('kind')]
  )
  t.match(check({ map: { ...map, rarity: byPrice } }), [told(`${loop}.marketPrice`)])
  t.match(check({ only_with: `${loop}.marketPrice` }), [told(`${loop}.marketPrice`)])
  t.same(check({ only_with: `${loop}.text` }), [])
  t.end()
})
