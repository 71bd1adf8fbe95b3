import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { packageFolder } from '../../../bin/roots.ts'
import { kindNames } from '../../../core/kinds/list.ts'

/**
 * Words that are also names of something else: of a content file, a member of an answer, a door of the package, a file
 * of a root, how a property is known, a part of a list, what is counted.
 */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  'core/manifest/concept-kind.ts': ['derived'],
  'core/kinds/collection/manifest.ts': ['entry'],
  'core/kinds/collection/check.ts': ['page'],
  'core/kinds/row.ts': ['entry'],
  'core/database/backup/format.ts': ['row', 'rows'],
  'core/database/keys/windows.ts': ['rows'],
  'core/registry/join-roots.ts': ['document'],
  'core/registry/rules/content.ts': ['document', 'handler'],
  'core/registry/standard-choice.ts': ['mcp'],
  'bin/commands/backup.ts': ['row'],
  'bin/load/plan-load.ts': ['rows'],
  'bin/commands/restore.ts': ['row'],
  'bin/release/pack.ts': ['handler'],
  'bin/roots.ts': ['discovery']
}

const files = ['core', 'bin']
  .flatMap(top => readdirSync(join(packageFolder, top), { recursive: true, withFileTypes: true }))
  .filter(file => file.isFile() && file.name.endsWith('.ts'))
  .map(file => join(file.parentPath, file.name))

/**
 * Names of kinds in the texts of a file, as a whole text or in backticks. A manifest that shows a mistake (`kind: …`)
 * may have any.
 */
function namesIn(path: string): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) ts.forEachChild(node, visit)
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return
    for (const name of kindNames)
      if (node.text === name || node.text.includes(`\`${name}\` surface`) || node.text.includes(`kind \`${name}\``))
        found.add(name)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022))
  return [...found]
}

t.test('the name of a kind is in its own folder or file, in the list and in manifests, and nowhere else', t => {
  for (const path of files) {
    const file = relative(packageFolder, path)
    if (file === 'core/kinds/list.ts') continue
    const own = /^core\/kinds\/([^/]+?)(?:\/|\.ts$)/.exec(file)?.[1]
    t.strictSame(
      namesIn(path).filter(name => name !== own && otherwise[file]?.includes(name) !== true),
      [],
      file
    )
  }
  t.end()
})
