// test: slow.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../bin/roots.ts'
import { loadOneCorpus } from '../../../core/corpus/load.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import checks from '../../../surfaces/checks.ts'
import type { Attribute } from '../../../surfaces/cards/attributes.ts'
import { DataError } from '../../../surfaces/import/data-error.ts'
import type { ImportSummary } from '../../../surfaces/import/import.ts'
import { loadSources } from '../../../surfaces/import/open.ts'
import { surveyText } from '../../../surfaces/import/command.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { dataFolder } from './lantern.ts'

type Mistake = Readonly<{
  mistake: string
  write?: readonly [string, string]
  told: 'validate' | 'import' | 'rows' | 'odd' | 'survey'
  at?: string
  message: string
}>

const folder = join(dataFolder, 'mistakes')
const lantern = readFileSync(join(folder, 'lantern.yaml'), 'utf8')
const mistakes = parse(readFileSync(join(folder, 'mistakes.yaml'), 'utf8')) as readonly Mistake[]
const { database } = await testDatabase(t)

/** A root of its own with the corpora that sources refer to, and one source. */
function rootWith(t: Test, text: string): string {
  const root = scratchFolder(t)
  mkdirSync(join(root, 'corpora', 'sources', 'entries'), { recursive: true })
  for (const name of ['games', 'attributes', 'source-policies', 'sources/corpus.yaml', 'sources/schema.yaml'])
    cpSync(join(packageFolder, 'corpora', name), join(root, 'corpora', name), { recursive: true })
  writeFileSync(join(root, 'corpora', 'sources', 'entries', 'lantern.yaml'), text)
  return root
}

type Told = Readonly<{ diagnostics: readonly Diagnostic[]; run?: ImportSummary }>

/**
 * What a dry run of the declaration tells: what is wrong with it, or with the files at a place of it, or what became of
 * the rows.
 */
async function dryRun(root: string): Promise<Told> {
  const { loaded, diagnostics } = loadOneCorpus('root', root, 'sources', checks)!
  if (diagnostics.length > 0) return { diagnostics }
  const attributes = loadOneCorpus('root', root, 'attributes')!.loaded!.corpus.entries as readonly Attribute[]
  const source = loadSources(
    loaded!.corpus.entries,
    loadOneCorpus('root', root, 'source-policies')!.loaded!.corpus.entries,
    attributes
  ).get('lantern')!
  try {
    return { diagnostics, run: await importSource(database, source, { folder, dryRun: true }) }
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return { diagnostics: loadOneCorpus('root', root, 'sources', { sources: () => error.problems })!.diagnostics }
  }
}

t.test('the declaration without a mistake is imported without a doubt', async t => {
  const { diagnostics, run } = await dryRun(rootWith(t, lantern))
  t.same(diagnostics, [])
  t.match(run, { read: 5, written: 5, quarantined: 0 })
  t.same(
    run?.survey?.fields.filter(({ doubt }) => doubt !== null),
    []
  )
})

for (const { mistake, write: [before, after] = ['', ''], told, at = '', message } of mistakes) {
  t.test(mistake, async t => {
    t.ok(lantern.includes(before), 'the text to change is there')
    const { diagnostics, run } = await dryRun(
      rootWith(
        t,
        lantern.replace(before, () => after)
      )
    )
    if (told === 'validate' || told === 'import') {
      t.match(diagnostics.map(one => one.message).join('\n'), new RegExp(message), 'is told')
      t.ok(
        diagnostics.some(({ frame = '' }) => frame.includes(at)),
        `at ${at}: ${diagnostics.map(({ frame }) => frame).join(' | ')}`
      )
      t.equal(run, undefined, 'and nothing is imported')
      return
    }
    t.same(diagnostics, [])
    t.match(
      told === 'survey'
        ? surveyText(run!)
        : run?.[told === 'odd' ? 'odd_attributes' : 'refusals'].map(({ reason }) => reason).join('\n'),
      new RegExp(message)
    )
  })
}
