import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { filesBelow } from '../bin/root-modules.ts'
import { packageFolder } from '../bin/roots.ts'
import { aboutCard, aboutGame, linksOf, paths } from '../surfaces/cards/documents/parts.ts'
import { pathTo, routes } from './support/path-to.ts'

const files = filesBelow(join(packageFolder, 'surfaces'), '.ts').map(path => ({
  file: relative(packageFolder, path),
  nodes: nodesOf(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
}))

function nodesOf(code: ts.Node): readonly ts.Node[] {
  const all = [code]
  for (const node of all)
    ts.forEachChild(node, child => {
      all.push(child)
    })
  return all
}

/** The first characters of the first path of each surface, such as `/api/`: a text that starts with one is a path. */
const tops = [...new Set([...routes.values()].flatMap(({ route: { path } }) => /^\/[\w.-]+\/?/.exec(path)?.[0] ?? []))]

/**
 * Imports write structural documents without a registry: their paths are in one table, which the last tests here check.
 */
const withoutRegistry = ['surfaces/cards/documents/']

t.test('code contains no path of the service: `pathTo` knows them by id', async t => {
  for (const { file, nodes } of files.filter(({ file }) => !withoutRegistry.some(folder => file.startsWith(folder)))) {
    for (const node of nodes) {
      const text =
        ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) ? node.text : ''
      const top = tops.find(top => text === top || (top.endsWith('/') && text.startsWith(top)))
      if (top !== undefined) t.fail(`${file}: ${text}`)
    }
  }
  t.pass('no literal path')
})

t.test('every path that is asked for by id exists, and is given exactly its placeholders', async t => {
  let count = 0
  for (const { file, nodes } of files) {
    for (const node of nodes) {
      if (!ts.isCallExpression(node) || !/^(?:\w+\.)?pathTo(?:\.pattern)?$/.test(node.expression.getText())) continue
      const [id, values] = node.arguments
      if (id === undefined || !ts.isStringLiteral(id)) continue
      count += 1
      const route = routes.get(id.text)?.route
      const given =
        values !== undefined && ts.isObjectLiteralExpression(values)
          ? values.properties.map(one => one.name?.getText() ?? '')
          : []
      const wanted = node.expression.getText().endsWith('.pattern') ? [] : (route?.placeholders ?? [])
      t.same(
        [route === undefined ? 'no such surface' : '', ...given.sort()],
        ['', ...[...wanted].sort()],
        `${file}: ${node.getText()}`
      )
    }
  }
  t.ok(count > 50, `${count} uses`)
})

t.test('the table of structural documents gives the paths of their surfaces', async t => {
  const odd = 'a b/c'
  const expected: Readonly<Record<keyof typeof paths, readonly [made: string, declared: string]>> = {
    games: [paths.games, pathTo('universal/games')],
    gameNames: [paths.gameNames, pathTo('games/games')],
    game: [paths.game(odd), pathTo('universal/game', { token: odd })],
    sets: [paths.sets(odd), pathTo('universal/sets', { game: odd })],
    code: [paths.code('A/1'), pathTo('universal/set', { code: 'a/1' })],
    set: [paths.set(odd, 'A/1'), `${pathTo('universal/set', { code: 'a/1' })}?game=${encodeURIComponent(odd)}`],
    card: [paths.card(odd), pathTo('universal/card', { sku: odd })],
    cardAt: [paths.cardAt('2026-11-22', odd), pathTo('at/card', { date: '2026-11-22', sku: odd })],
    everything: [paths.everything(odd), pathTo('cards/everything', { sku: odd })],
    evidence: [paths.evidence(odd), pathTo('cards/evidence', { sku: odd })],
    encoding: [paths.encoding, pathTo('universal/encoding')],
    identify: [paths.identify('00ff'), pathTo('federation/identify', { hash: '00ff' })],
    identifyAt: [paths.identifyAt('2026-11-22', '00ff'), pathTo('federation/at', { date: '2026-11-22', hash: '00ff' })]
  }
  for (const [name, [made, declared]] of Object.entries(expected)) t.equal(made, declared, name)
})

t.test('every literal path of structural documents is one that a surface declares', async t => {
  // A placeholder takes one segment, also a placeholder: a pattern is a path of its own surface.
  const declared = [...routes.values()].map(
    ({ route }) => new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
  )
  let count = 0
  for (const { file, nodes } of files.filter(({ file }) => withoutRegistry.some(folder => file.startsWith(folder)))) {
    for (const node of nodes) {
      if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) continue
      if (!tops.some(top => top.endsWith('/') && node.text.startsWith(top))) continue
      count += 1
      t.ok(
        declared.some(path => path.test(node.text)),
        `${file}: ${node.text}`
      )
    }
  }
  t.ok(count > 10, `${count} paths`)
  const { openapi } = linksOf({
    kind: 'card',
    connections: aboutCard('x'),
    canonical: paths.games,
    pattern: pathTo.pattern('universal/card')
  })
  t.same(aboutGame('op'), [`${pathTo('coverage')}?game=op`, `${pathTo('coverage/hunt')}?game=op`])
  t.equal(
    openapi,
    `${pathTo('openapi')}#/paths/~1api~1v1~1universal~1card~1%7Bsku%7D`,
    'the pointer names the document of the interface'
  )
})
