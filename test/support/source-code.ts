import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** What a file imports, by the name that it writes. `isType`: nothing of it is there when the code runs. */
type Import = Readonly<{ name: string; isType: boolean }>
/** A file of TypeScript, with its path from the top. */
export type SourceCode = Readonly<{ file: string; text: string; imports: readonly Import[] }>

/** Every file below a folder of a tree, by its path from the top of the tree; not what is installed there. */
export const everyFile = (tree: string, top: string): readonly string[] =>
  readdirSync(join(tree, top), { withFileTypes: true }).flatMap(entry => {
    const path = join(top, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : everyFile(tree, path)
    return entry.isFile() ? [path] : []
  })

/**
 * The imports and re-exports of a file, those in expressions and in types too. `import { type A }` is one that runs:
 * only `import type` is blanked out whole.
 */
function importsOf(file: string, text: string): readonly Import[] {
  const found: Import[] = []
  const add = (name: ts.Node | undefined, isType: boolean): void => {
    if (name !== undefined && ts.isStringLiteralLike(name)) found.push({ name: name.text, isType })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext))
  return found
}

/** The TypeScript below some folders of a tree. */
export const readSource = (tree: string, tops: readonly string[]): readonly SourceCode[] =>
  tops
    .flatMap(top => everyFile(tree, top))
    .filter(file => /\.tsx?$/.test(file))
    .map(file => {
      const text = readFileSync(join(tree, file), 'utf8')
      return { file, text, imports: importsOf(file, text) }
    })

/** The path from the top that a relative import means; `undefined` for a package. */
export const targetOf = (file: string, name: string): string | undefined =>
  name.startsWith('.') ? join(dirname(file), name) : undefined
