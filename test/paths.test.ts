import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { filesBelow } from '../bin/handler-files.ts'
import { packageFolder } from '../bin/roots.ts'
import { routes } from './support/path-to.ts'

const files = filesBelow(join(packageFolder, 'surfaces'), '.ts').map(path => ({
  file: relative(packageFolder, path), code: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
}))

function * nodesOf (node: ts.Node): Generator<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield * nodesOf(child)
}

/** The first characters of the first path of each surface, such as `/api/`: a text that starts with one is a path. */
const tops = [...new Set([...routes.values()].flatMap(({ route: { path } }) => /^\/[\w.-]+\/?/.exec(path)?.[0] ?? []))]

/** Structural documents are written by imports, where there is no registry: their paths stand in one table, which the last test here checks. */
const withoutRegistry = ['surfaces/catalogue/']

t.test('no path of the service stands in code: `pathTo` knows them by id', async t => {
  for (const { file, code } of files.filter(({ file }) => !withoutRegistry.some(folder => file.startsWith(folder)))) {
    for (const node of nodesOf(code)) {
      const text = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) ? node.text : ''
      const top = tops.find(top => text === top || (top.endsWith('/') && text.startsWith(top)))
      if (top !== undefined) t.fail(`${file}: ${text}`)
    }
  }
  t.pass('no literal path')
})

t.test('every path that is asked for by id exists, and is given exactly its placeholders', async t => {
  let count = 0
  for (const { file, code } of files) {
    for (const node of nodesOf(code)) {
      if (!ts.isCallExpression(node) || !/^(?:\w+\.)?pathTo(?:\.pattern)?$/.test(node.expression.getText())) continue
      const [id, values] = node.arguments
      if (id === undefined || !ts.isStringLiteral(id)) continue
      count += 1
      const route = routes.get(id.text)?.route
      const given = values !== undefined && ts.isObjectLiteralExpression(values) ? values.properties.map(one => one.name?.getText() ?? '') : []
      const wanted = node.expression.getText().endsWith('.pattern') ? [] : route?.placeholders ?? []
      t.same([route === undefined ? 'no such surface' : '', ...given.sort()], ['', ...[...wanted].sort()], `${file}: ${node.getText()}`)
    }
  }
  t.ok(count > 50, `${count} uses`)
})
