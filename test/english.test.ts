import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { filesBelow } from '../bin/root-modules.ts'
import { packageFolder } from '../bin/roots.ts'

/**
 * Words of an older style; code, manifests and documentation say it the plain way. What "stands for" something, or is
 * used "as it stands", may do so.
 */
const retired =
  /\b(?:anew|wished|none of ours|tells? of|told of|mend(?:s|ed|ing)?|(?<!as it )(?:stands?|stood)(?! for\b))\b/gi

/** A sentence may break between two lines of a comment or of a paragraph. */
const oneLine = (text: string): string => text.replace(/\s+(?:(?:\*|\/\/) )?\s*/g, ' ')
const retiredIn = (text: string): string[] => [...oneLine(text).matchAll(retired)].map(([word]) => word.toLowerCase())

t.test('a line break hides no word', async t => {
  t.same([' * Rows that are none\n * of ours', '// Made anew', 'a renewed text'].map(retiredIn), [
    ['none of ours'],
    ['anew'],
    []
  ])
  t.same(
    ['It stands in the list, and stood there.', 'x stands for y', 'Use it as it stands.', 'Mend or amend it.'].map(
      retiredIn
    ),
    [['stands', 'stood'], [], [], ['mend']]
  )
})

t.test(
  'code and manifests are plain English, in comments, messages and what is served; the texts of corpora have a voice of their own',
  t => {
    const files = ['bin', 'core', 'surfaces', 'manifests'].flatMap(folder =>
      ['.ts', '.tsx', '.yaml'].flatMap(ending => filesBelow(join(packageFolder, folder), ending))
    )
    t.ok(files.length > 100, `${files.length} files`)
    for (const file of files) t.same(retiredIn(readFileSync(file, 'utf8')), [], relative(packageFolder, file))
    t.end()
  }
)

t.test('documentation is plain English', async t => {
  // CHANGELOG.md is made from a corpus that is served.
  const top = readdirSync(packageFolder)
    .filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map(name => join(packageFolder, name))
  const files = [
    ...top,
    ...['.github', 'bin', 'core', 'docs', 'surfaces'].flatMap(folder => filesBelow(join(packageFolder, folder), '.md'))
  ]
  t.ok(files.length > 4, `${files.length} files`)
  for (const file of files) t.same(retiredIn(readFileSync(file, 'utf8')), [], relative(packageFolder, file))
})
