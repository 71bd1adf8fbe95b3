/** Reads modules of TypeScript and JavaScript whose exports are literals, as syntax: nothing of them is run. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { ParseResult } from '@babel/parser'
import type {
  ArrayExpression,
  Expression,
  MemberExpression,
  Node,
  ObjectExpression,
  Statement,
  TemplateLiteral,
  TSEnumDeclaration
} from '@babel/types'
import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { FileProblem } from '../data-error.ts'
import type { FoundFile } from './files.ts'

type Parse = (path: string, text: string) => ParseResult

/** Loads the parser, which is installed only where such modules are read. */
async function parser(path: string): Promise<Parse> {
  const { withReaders } = await import('pantry/command')
  const { parse } = await withReaders(path, 'literals', async () => await import('@babel/parser'))
  return (path, text) => {
    try {
      return parse(text, {
        sourceType: 'unambiguous',
        plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript']
      })
    } catch (error) {
      // The parser's own message is not used, because it may quote the text near the mistake.
      if (!(error instanceof SyntaxError && 'loc' in error)) throw error
      const { line, column } = error.loc as Readonly<Record<'line' | 'column', number>>
      throw new FileProblem(`${path} is not TypeScript (line ${line}, column ${column + 1}).`)
    }
  }
}

/** What a module names: its own values, those of other modules, and what it exports. */
type Module = Readonly<{
  path: string
  values: ReadonlyMap<string, Expression | TSEnumDeclaration>
  imports: ReadonlyMap<string, Readonly<{ from: string; name: string }>>
  exports: ReadonlyMap<string, Expression>
}>

const nameOf = (node: Node): string | undefined =>
  node.type === 'Identifier' ? node.name : node.type === 'StringLiteral' ? node.value : undefined

const named = (name: string): Expression => ({ type: 'Identifier', name })

/** Whether an expression is `module.exports`, or `exports` with a name. */
function commonExport(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined
  const member = nameOf(node.property)
  if (node.object.name === 'module') return member === 'exports' ? 'default' : undefined
  return node.object.name === 'exports' ? member : undefined
}

/** Returns what the statements of a module name. */
function moduleOf(path: string, statements: readonly Statement[]): Module {
  const values = new Map<string, Expression | TSEnumDeclaration>()
  const imports = new Map<string, Readonly<{ from: string; name: string }>>()
  const exports = new Map<string, Expression>()
  const declare = (node: Node, isExported: boolean): void => {
    const found: (readonly [Node, Expression | TSEnumDeclaration])[] = []
    if (node.type === 'TSEnumDeclaration') found.push([node.id, node])
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const { id, init } of node.declarations) if (init) found.push([id, init])
    for (const [id, value] of found) {
      const name = nameOf(id) ?? ''
      values.set(name, value)
      if (isExported) exports.set(name, named(name))
    }
  }
  for (const node of statements) {
    declare(node, false)
    if (node.type === 'ImportDeclaration') {
      for (const one of node.specifiers)
        if (one.type !== 'ImportNamespaceSpecifier')
          imports.set(one.local.name, {
            from: node.source.value,
            name: one.type === 'ImportSpecifier' ? (nameOf(one.imported) ?? '') : 'default'
          })
    } else if (node.type === 'ExportDefaultDeclaration') exports.set('default', node.declaration as Expression)
    else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) declare(node.declaration, true)
      if (!node.source)
        for (const one of node.specifiers)
          if (one.type === 'ExportSpecifier') exports.set(nameOf(one.exported) ?? '', one.local)
    } else if (node.type === 'TSExportAssignment') exports.set('default', node.expression)
    else if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
      const name = commonExport(node.expression.left)
      if (name !== undefined) exports.set(name, node.expression.right)
    }
  }
  return { path, values, imports, exports }
}

/** Expressions that say of another one only what its type is, or hold it in parentheses. */
const asserted: ReadonlySet<Node['type']> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'ParenthesizedExpression'
])

type Inner = (node: Node) => JsonValue | undefined
/** Returns a value that can be a key or a part of a text, as text. */
const wordOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

function objectOf({ properties }: ObjectExpression, inner: Inner): JsonValue {
  const members = properties.flatMap((one): (readonly [string, JsonValue])[] => {
    if (one.type === 'SpreadElement') {
      const more = inner(one.argument) ?? null
      return isObject(more) ? Object.entries(more).map(([name, value]) => [name, value ?? null] as const) : []
    }
    if (one.type !== 'ObjectProperty') return []
    const name = one.computed ? wordOf(inner(one.key)) : (nameOf(one.key) ?? wordOf(inner(one.key)))
    const value = inner(one.value)
    return name === undefined || name === '__proto__' || value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(members)
}

const listOf = ({ elements }: ArrayExpression, inner: Inner): JsonValue =>
  elements.flatMap((one): readonly JsonValue[] => {
    if (one?.type !== 'SpreadElement') return [one === null ? null : (inner(one) ?? null)]
    const more = inner(one.argument)
    return Array.isArray(more) ? (more as readonly JsonValue[]) : []
  })

function templateOf({ expressions, quasis }: TemplateLiteral, inner: Inner): JsonValue | undefined {
  const parts = expressions.map(one => wordOf(inner(one)))
  return parts.includes(undefined)
    ? undefined
    : quasis.map(({ value }, at) => `${value.cooked ?? ''}${parts[at] ?? ''}`).join('')
}

function memberOf({ object, property, computed }: MemberExpression, inner: Inner): JsonValue | undefined {
  const owner = inner(object)
  const name = computed ? wordOf(inner(property)) : nameOf(property)
  if (typeof owner !== 'object' || owner === null || name === undefined) return undefined
  return Object.hasOwn(owner, name) ? (owner as JsonObject)[name] : undefined
}

const endings = ['', '.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js']
/** How deep values may refer to others: a module may name itself. */
const maxDepth = 200

/** How many values one file may have: values that refer to others grow with each that does. */
const maxValues = 5_000_000

/** Reads the modules of a folder, and the values of what they export. */
class Modules {
  readonly #parse: Parse
  readonly #folder: string
  readonly #read = new Map<string, Module | undefined>()
  readonly #open = new Set<Node>()
  #values = 0

  constructor(parse: Parse, folder: string) {
    this.#parse = parse
    this.#folder = realpathSync(folder)
  }

  module(path: string, text: string): Module {
    const found = moduleOf(path, this.#parse(path, text).program.body)
    this.#read.set(path, found)
    return found
  }

  /** Returns the value of an expression; `undefined` where it is no literal, such as a call. */
  valueOf(node: Node, module: Module, depth = 0): JsonValue | undefined {
    if (depth > maxDepth) return undefined
    if (++this.#values > maxValues)
      throw new FileProblem(`${module.path} has more than ${maxValues.toLocaleString('en')} values.`)
    const inner = (one: Node): JsonValue | undefined => this.valueOf(one, module, depth + 1)
    if (node.type === 'StringLiteral' || node.type === 'BooleanLiteral' || node.type === 'NumericLiteral')
      return node.value
    if (node.type === 'NullLiteral') return null
    if (node.type === 'Identifier') return this.#named(node.name, module, depth)
    if (node.type === 'TSEnumDeclaration') return this.#enumOf(node, module, depth)
    if (node.type === 'ObjectExpression') return objectOf(node, inner)
    if (node.type === 'ArrayExpression') return listOf(node, inner)
    if (node.type === 'TemplateLiteral') return templateOf(node, inner)
    if (node.type === 'MemberExpression') return memberOf(node, inner)
    if (node.type === 'UnaryExpression') {
      const value = inner(node.argument)
      return node.operator === '-' && typeof value === 'number' ? -value : undefined
    }
    return asserted.has(node.type) && 'expression' in node ? inner(node.expression as Node) : undefined
  }

  #enumOf(node: TSEnumDeclaration, module: Module, depth: number): JsonValue {
    let next = 0
    return Object.fromEntries(
      node.members.map(({ id, initializer }) => {
        const value = initializer ? (this.valueOf(initializer, module, depth + 1) ?? null) : next
        if (typeof value === 'number') next = value + 1
        return [nameOf(id) ?? '', value]
      })
    )
  }

  #named(name: string, module: Module, depth: number): JsonValue | undefined {
    const own = module.values.get(name)
    if (own !== undefined) return this.#once(own, module, depth)
    const imported = module.imports.get(name)
    const from = imported === undefined ? undefined : this.#imported(module, imported.from)
    const value = from?.exports.get(imported?.name ?? '')
    return from === undefined || value === undefined ? undefined : this.#once(value, from, depth)
  }

  /** Returns the value that a name stands for; `undefined` within its own value. */
  #once(node: Node, module: Module, depth: number): JsonValue | undefined {
    if (this.#open.has(node)) return undefined
    this.#open.add(node)
    const value = this.valueOf(node, module, depth + 1)
    this.#open.delete(node)
    return value
  }

  /** Returns a module beside another, if it lies in the folder of the source. */
  #imported({ path }: Module, from: string): Module | undefined {
    if (!from.startsWith('.')) return undefined
    const base = resolve(dirname(path), from)
    const found = endings
      .flatMap(ending => [base + ending, base.replace(/\.[cm]?js$/, '') + ending])
      .find(file => /\.[cm]?[jt]sx?$/.test(file) && existsSync(file))
    if (found === undefined || relative(this.#folder, realpathSync(found)).startsWith('..')) return undefined
    if (!this.#read.has(found)) {
      // A module that names itself finds itself here, as one that is being read.
      this.#read.set(found, undefined)
      this.module(found, readFileSync(found, 'utf8'))
    }
    return this.#read.get(found)
  }
}

/**
 * Returns what a module exports: under the declared name, or as `default`, or the only export. A name stands for its
 * `const`, for a member of an enum, or for what another module in the folder exports under it; members that are no
 * literals are left out. Throws a FileProblem, with line and column, where the text is no module or the value is no
 * literal.
 */
export async function literalsOf({ path, declared, folder }: FoundFile, text: string): Promise<JsonValue> {
  const modules = new Modules(await parser(path), folder ?? dirname(path))
  const module = modules.module(path, text)
  const names = [...module.exports.keys()]
  const wanted = declared.export ?? (names.length === 1 ? names[0] : 'default') ?? 'default'
  const node = module.exports.get(wanted)
  if (node === undefined)
    throw new FileProblem(
      `${path} has no export \`${wanted}\`; it has ${names.map(name => `\`${name}\``).join(', ') || 'none'}.`
    )
  const value = modules.valueOf(node, module)
  if (value !== undefined) return value
  const { line = 0, column = 0 } = node.loc?.start ?? {}
  throw new FileProblem(
    `${path}: what is exported as \`${wanted}\` is no literal (line ${line}, column ${column + 1}).`
  )
}

/** Returns the names of what a module exports. */
export async function exportsOf(path: string): Promise<readonly string[]> {
  const text = readFileSync(path, 'utf8')
  return [...moduleOf(path, (await parser(path))(path, text).program.body).exports.keys()]
}
