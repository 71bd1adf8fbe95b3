// Small defects that nobody thought of: a seed chooses places of the source, each changed as by a slip of the hand.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const folders = ['core', 'surfaces', 'bin']

/** The room of a file: the first two folders of its path. */
export const roomOf = file => dirname(file).split('/').slice(0, 2).join('/')

/** What one operator is easily mistaken for. */
const mistaken = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['%', '*']
])
/** Calls that can be forgotten: what they are called on is of the same type. */
const forgotten = new Set(['filter', 'sort', 'toSorted', 'reverse', 'slice', 'trim', 'toLowerCase', 'normalize'])

const isText = node => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** What a node can be changed to: `[start, end, text]` in the file. */
function* changesOf(node, source) {
  const textOf = part => part.getText(source)
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: operator, left, right } = node
    const other = mistaken.get(textOf(operator))
    if (other !== undefined && !isText(left) && !isText(right))
      yield [operator.getStart(source), operator.getEnd(), other]
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    yield [node.getStart(source), node.getEnd(), textOf(node.operand)]
  if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node.getStart(source), node.getEnd(), 'false']
  if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node.getStart(source), node.getEnd(), 'true']
  if (ts.isNumericLiteral(node) && node.parent.name !== node)
    yield [node.getStart(source), node.getEnd(), `(${textOf(node)} + 1)`]
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition
    yield [condition.getStart(source), condition.getEnd(), `!(${textOf(condition)})`]
  }
  if (ts.isExpressionStatement(node) && ts.isBlock(node.parent) && !ts.isStringLiteral(node.expression))
    yield [node.getStart(source), node.getEnd(), ';']
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    forgotten.has(node.expression.name.text)
  )
    yield [node.getStart(source), node.getEnd(), textOf(node.expression.expression)]
}

/** Types are no code, and what is imported is found or not. */
const isCode = node => !ts.isTypeNode(node) && !ts.isImportDeclaration(node) && !ts.isTypeAliasDeclaration(node)

function placesIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = node => {
    if (!isCode(node)) return
    for (const [start, end, changed] of changesOf(node, source)) found.push({ file, start, end, changed })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Numbers that follow from a seed (mulberry32), from 0 to below 1. */
function chance(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const filesBelow = (project, folder) =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map(entry => join(entry.parentPath, entry.name).slice(project.length + 1))
    .sort()

/** So many changes, each of another place: `{ file, start, end, changed, line, was }`. */
export function chooseMutants(project, count, seed) {
  const texts = new Map(
    folders
      .flatMap(folder => filesBelow(project, folder))
      .map(file => [file, readFileSync(join(project, file), 'utf8')])
  )
  const places = [...texts].flatMap(([file, text]) => placesIn(file, text))
  const next = chance(seed)
  return Array.from({ length: Math.min(count, places.length) }, () => {
    const [place] = places.splice(Math.floor(next() * places.length), 1)
    const text = texts.get(place.file)
    return { ...place, line: text.slice(0, place.start).split('\n').length, was: text.slice(place.start, place.end) }
  })
}

/**
 * The tests that are asked of a file, in the order of their groups: those that mirror it and lie beside those, then
 * others that reach it, the short ones first, as long as all took `seconds` together last time.
 */
export function testsFor(file, reaching, times, seconds) {
  const mirror = `test/${file.replace(/\.tsx?$/, '')}.test.ts`
  const isNear = test => dirname(test) === dirname(mirror)
  const timeOf = test => (test === mirror ? 0 : (times[test] ?? 1_000) / 1000)
  let left = seconds
  const groups = [reaching.filter(isNear), reaching.filter(test => !isNear(test))].map(group =>
    group
      .sort((one, other) => timeOf(one) - timeOf(other))
      .filter(test => {
        left -= timeOf(test)
        return left >= 0 || test === mirror
      })
  )
  return groups.filter(group => group.length > 0)
}
