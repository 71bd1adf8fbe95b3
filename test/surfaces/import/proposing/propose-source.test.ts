import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../../bin/project.ts'
import { checkDeclaration } from '../../../../surfaces/import/checks/check-source.ts'
import { newEntries } from '../../../../surfaces/import/proposing/new-entries.ts'
import { proposeSource } from '../../../../surfaces/import/proposing/propose-source.ts'
import { withPolicies, type DeclaredSource } from '../../../../surfaces/import/source.ts'
import { mappedRows } from '../../../support/mapped-rows.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { entriesOf } from '../bundled-sources.ts'

/** `rows`: SKU, name and name of the set of each row that the proposal reads. `others`: files that it does not read. */
type Folder = Readonly<{
  shape: string
  language?: string
  files: Readonly<Record<string, unknown>>
  rows: readonly unknown[]
  name_lang?: string
  translations?: readonly unknown[]
  rarities?: readonly string[]
  attributes?: readonly unknown[]
  others?: readonly string[]
}>

const folders = parse(
  readFileSync(join(packageFolder, 'test/surfaces/import/proposing/data/folders.yaml'), 'utf8')
) as readonly Folder[]

for (const { shape, language = 'en', files, ...wanted } of folders) {
  t.test(shape, async t => {
    const folder = scratchFolder(t)
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    }
    const proposal = await proposeSource(folder, { game: 'zzz', language, isNew: true, declared: [] })
    t.ok(proposal)
    if (proposal === undefined) return
    const { entry } = newEntries('a-new-one', folder, { game: 'zzz', language, proposal })
    const { source } = withPolicies(entry as unknown as DeclaredSource, entriesOf('source-policies'))
    t.same(
      checkDeclaration(source, () => true),
      [],
      'the proposal is sound'
    )
    const rows = []
    const rules = { attributes: proposal.attributes.added }
    for await (const mapped of mappedRows(source.reader!, folder, { rules })) rows.push(mapped)
    const kept = rows.flatMap(mapped => ('sku' in mapped ? [mapped] : []))
    t.same(
      rows.map(mapped => ('sku' in mapped ? [mapped.sku, mapped.row.name, mapped.row.set.name] : mapped)),
      wanted.rows
    )
    if (wanted.name_lang !== undefined) t.same(source.reader?.map.name_lang, { const: wanted.name_lang })
    if (wanted.translations !== undefined)
      t.same(
        kept.map(({ row }) => row.name_translations),
        wanted.translations
      )
    if (wanted.rarities !== undefined)
      t.same(
        kept.map(({ row }) => row.rarity),
        wanted.rarities
      )
    if (wanted.attributes !== undefined)
      t.same(
        kept.map(({ row }) => row.attributes),
        wanted.attributes
      )
    t.same(proposal.others, wanted.others ?? [])
  })
}
