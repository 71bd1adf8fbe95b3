import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { filesBelow } from '../bin/handler-files.ts'
import { packageFolder } from '../bin/roots.ts'

/** Words of an older style; the framework, comments and documentation say it the plain way. What "stands for" something, or is used "as it stands", may do so. */
const retired = /\b(?:anew|wished|none of ours|tells? of|told of|mend(?:s|ed|ing)?|(?<!as it )(?:stands?|stood)(?! for\b))\b/gi

/** The comments of TypeScript code. A scanner alone takes a quote inside a template or a pattern for a text; the tree does not. */
function commentsOf (code: string): string[] {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true)
  const found = new Map<number, string>()
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file)
    if (children.length > 0) { children.forEach(visit); return }
    for (const { pos, end } of [...ts.getLeadingCommentRanges(code, node.pos) ?? [], ...ts.getTrailingCommentRanges(code, node.end) ?? []]) found.set(pos, code.slice(pos, end))
  }
  visit(file)
  return [...found.values()]
}

/** A sentence may break between two lines of a comment or of a paragraph. */
const oneLine = (text: string): string => text.replace(/\s+(?:(?:\*|\/\/) )?\s*/g, ' ')
const retiredIn = (text: string): string[] => [...oneLine(text).matchAll(retired)].map(([word]) => word.toLowerCase())

t.test('only comments are read, and a line break hides no word', async t => {
  t.same(commentsOf('// one\nconst a = `// no ${"/* no */"}` // two\n/** three */\nfunction f () { /* four */ }').map(text => text.replace(/\W/g, '')).sort(), ['four', 'one', 'three', 'two'])
  t.same([' * Rows that are none\n * of ours', '// Made anew', 'a renewed text'].map(retiredIn), [['none of ours'], ['anew'], []])
  t.same(['It stands in the list, and stood there.', 'x stands for y', 'Use it as it stands.', 'Mend or amend it.'].map(retiredIn), [['stands', 'stood'], [], [], ['mend']])
})

t.test('the framework is plain English, in its comments, its messages and what it serves', t => {
  const files = ['bin', 'core'].flatMap(folder => ['.ts', '.yaml'].flatMap(ending => filesBelow(join(packageFolder, folder), ending)))
  t.ok(files.length > 100, `${files.length} files`)
  for (const file of files) t.same(retiredIn(readFileSync(file, 'utf8')), [], relative(packageFolder, file))
  t.end()
})

t.test('comments of a service are plain English; what it serves has a voice of its own', async t => {
  const files = filesBelow(join(packageFolder, 'surfaces'), '.ts')
  t.ok(files.length > 100, `${files.length} files`)
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
    // Parsing every file takes seconds, and nearly none has such a word anywhere.
    if (retiredIn(code).length === 0) continue
    for (const comment of commentsOf(code)) t.same(retiredIn(comment), [], `${relative(packageFolder, file)}: ${comment}`)
  }
})

t.test('documentation is plain English', async t => {
  // CHANGELOG.md is made from a corpus that is served.
  const top = readdirSync(packageFolder).filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md').map(name => join(packageFolder, name))
  const files = [...top, ...['.github', 'bin', 'core', 'docs', 'surfaces'].flatMap(folder => filesBelow(join(packageFolder, folder), '.md'))]
  t.ok(files.length > 4, `${files.length} files`)
  for (const file of files) t.same(retiredIn(readFileSync(file, 'utf8')), [], relative(packageFolder, file))
})
