import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageManagers } from '../../../bin/package-managers.ts'
import { packageFolder } from '../../../bin/project.ts'

export const toolsFolder = join(packageFolder, 'test/package/tools')
const { devDependencies: tools } = JSON.parse(readFileSync(join(toolsFolder, 'package.json'), 'utf8')) as {
  devDependencies: Readonly<Record<string, string>>
}

export type Node = Readonly<{ name: string; version: string }>

/** The Nodes of the tools: `node-22` is an alias of the package that holds its program. */
export const nodes: readonly Node[] = Object.entries(tools)
  .filter(([name]) => name.startsWith('node-'))
  .map(([name, alias]) => ({ name, version: alias.slice(alias.lastIndexOf('@') + 1) }))

export const managers: readonly string[] = packageManagers.map(({ name }) => name)

export const forms = ['ESM', 'CommonJS', 'TypeScript nodenext', 'TypeScript bundler'] as const
export type Form = (typeof forms)[number]

/** One project: written in a form, installed with a manager on the first of its Nodes, and run on all of them. */
export type Combination<F = Form, N = Node> = Readonly<{ manager: string; form: F; nodes: readonly N[] }>

/**
 * Few projects in which each manager and each form meets each Node: every manager has two, the first for one half of
 * the Nodes and the second for the other. The second has the form that the next manager begins with, so that each form
 * has both halves where there are as many managers as forms.
 */
export const combinationsOf = <F, N>(
  named: readonly string[],
  written: readonly F[],
  on: readonly N[]
): readonly Combination<F, N>[] => {
  const halves = [on.slice(0, Math.ceil(on.length / 2)), on.slice(Math.ceil(on.length / 2))]
  return named.flatMap((manager, at) =>
    halves.map((half, second) => ({ manager, form: written[(at + second) % written.length] as F, nodes: half }))
  )
}

export const combinations = combinationsOf(managers, forms, nodes)

export const nameOf = ({ manager, form, nodes }: Combination): string =>
  `${manager}, ${form}, Node ${nodes.map(({ version }) => version).join(' and ')}`

/** The table of the README: with which manager, and in which form, the package was tried on which Nodes. */
export function consumersTable(tried: readonly Combination[]): string {
  const cell = (manager: string, form: Form): string => {
    const on = tried
      .filter(one => one.manager === manager && one.form === form)
      .flatMap(one => one.nodes)
      .map(({ version }) => version)
    return on.length === 0 ? 'not run' : `Node ${on.join(', ')}`
  }
  const rows = managers.map(
    manager => `| ${manager} ${tools[manager] ?? ''} | ${forms.map(form => cell(manager, form)).join(' | ')} |`
  )
  return [`| installed with | ${forms.join(' | ')} |`, `|---${'|---'.repeat(forms.length)}|`, ...rows].join('\n')
}

const place = /(<!-- `npm run consumers` writes this table\. -->\n)[^]*?(\n<!-- end -->)/

export const readmeFile = join(packageFolder, 'README.md')

/** The README with a table in its place. */
export const withTable = (readme: string, table: string): string => {
  if (!place.test(readme)) throw new Error('README.md has lost the comments around the table of `npm run consumers`.')
  return readme.replace(place, (_all, before: string, after: string) => `${before}${table}${after}`)
}
