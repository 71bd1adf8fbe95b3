import ts from 'typescript'
import { readSource, targetOf } from './source-code.ts'

/** Where a text was found. `isPart`: it is the value of a placeholder, such as a noun. */
type Found = Readonly<{ text: string; at: string; isPart: boolean }>

/** Functions by file and name (`core/handler/errors.ts invalid`); those of a class are its constructor. */
type Callable = Readonly<{ file: string; node: ts.SignatureDeclaration }>

const isCallable = (node: ts.Node | undefined): node is ts.ArrowFunction | ts.FunctionExpression =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))

/** Returns what is within parentheses, a cast or `await`. */
function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAwaitExpression(node)
    ? bare(node.expression)
    : node
}

const nameOf = (node: ts.Node): string => (ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? node.text : '')

const memberOf = (object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined => {
  for (const member of object.properties) {
    if (ts.isPropertyAssignment(member) && nameOf(member.name) === name) return bare(member.initializer)
    if (ts.isShorthandPropertyAssignment(member) && member.name.text === name) return member.name
  }
  return undefined
}

/**
 * Finds the texts that reach readers as messages, in the code below some folders: what is given as an argument to
 * some functions, also through others; what is returned as `{ ok: false, message }` or `{ code, message, data }`; and
 * what some functions return and some constants hold. A value is `{}` in a text.
 */
export class Sentences {
  readonly #files = new Map<string, ts.SourceFile>()
  readonly #callables = new Map<string, Callable>()
  readonly #imports = new Map<string, string>()
  /** The parameters that are messages, and those that are values in one. */
  readonly #sinks = {
    whole: new Map<ts.SignatureDeclaration, Set<number>>(),
    part: new Map<ts.SignatureDeclaration, Set<number>>()
  }
  readonly #found = new Map<string, Found>()

  constructor(tree: string, tops: readonly string[]) {
    for (const { file, text } of readSource(tree, tops)) {
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
      this.#files.set(file, source)
      this.#declare(file, source)
    }
  }

  /** Returns every literal text outside of a folder, and every template with its values as `{}`. */
  literalsOutside(folder: string): ReadonlySet<string> {
    const all = new Set<string>()
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
        for (const text of this.#textsOf(node)) all.add(text)
      ts.forEachChild(node, visit)
    }
    for (const [file, source] of this.#files) if (!file.startsWith(`${folder}/`)) visit(source)
    return all
  }

  /** Finds what reaches the parameters of some functions (`file name`, place), and what some declarations hold. */
  find(receiving: readonly (readonly [name: string, place: number])[], holding: readonly string[]): readonly Found[] {
    for (const [name, place] of receiving) this.#mark('whole', this.#named(name).node, place)
    for (const name of holding) this.#hold(name)
    let known = -1
    const { whole, part } = this.#sinks
    const size = (): number => [...whole.values(), ...part.values()].reduce((sum, places) => sum + places.size, 0)
    while (known !== size()) {
      known = size()
      for (const source of this.#files.values()) this.#visit(source)
    }
    return [...this.#found.values()]
  }

  #named(name: string): Callable {
    const found = this.#callables.get(name)
    if (found === undefined) throw new Error(`There is no function ${name}.`)
    return found
  }

  #declare(file: string, source: ts.SourceFile): void {
    const add = (name: string, node: ts.SignatureDeclaration): void => {
      this.#callables.set(`${file} ${name}`, { file, node })
    }
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) && node.name !== undefined) add(node.name.text, node)
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isCallable(node.initializer))
        add(node.name.text, node.initializer)
      if (ts.isMethodDeclaration(node)) add(`this.${nameOf(node.name)}`, node)
      if (ts.isConstructorDeclaration(node)) add(node.parent.name?.text ?? '', node)
      if (ts.isImportDeclaration(node) && ts.isStringLiteralLike(node.moduleSpecifier)) {
        const target = targetOf(file, node.moduleSpecifier.text)
        const names = node.importClause?.namedBindings
        if (target !== undefined && names !== undefined && ts.isNamedImports(names))
          for (const { name, propertyName = name } of names.elements)
            this.#imports.set(`${file} ${name.text}`, `${target} ${nameOf(propertyName)}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }

  #mark(kind: 'whole' | 'part', node: ts.SignatureDeclaration, place: number): void {
    const places = this.#sinks[kind].get(node) ?? new Set<number>()
    this.#sinks[kind].set(node, places.add(place))
  }

  /** Returns the function that is called: one of the same file, of its class, or an imported one. */
  #called(node: ts.CallExpression | ts.NewExpression): Callable | undefined {
    const file = node.getSourceFile().fileName
    const called = bare(node.expression)
    const isOwn = ts.isPropertyAccessExpression(called) && called.expression.kind === ts.SyntaxKind.ThisKeyword
    let name = isOwn ? `this.${called.name.text}` : nameOf(called)
    if (called.kind === ts.SyntaxKind.SuperKeyword) {
      const owner = ts.findAncestor(node, ts.isClassDeclaration)
      name = owner?.heritageClauses?.flatMap(({ types }) => types.map(type => nameOf(type.expression)))[0] ?? ''
    }
    const here = `${file} ${name}`
    return this.#callables.get(here) ?? this.#callables.get(this.#imports.get(here) ?? '')
  }

  #visit(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const target = this.#called(node)
      for (const kind of ['whole', 'part'] as const)
        for (const place of (target === undefined ? undefined : this.#sinks[kind].get(target.node)) ?? []) {
          const given = node.arguments?.[place] ?? target?.node.parameters[place]?.initializer
          if (given !== undefined) this.#add(given, kind === 'part')
        }
    }
    if (ts.isObjectLiteralExpression(node)) {
      const isRefusal = memberOf(node, 'ok')?.kind === ts.SyntaxKind.FalseKeyword
      const isFailure = memberOf(node, 'code') !== undefined && memberOf(node, 'data') !== undefined
      const message = memberOf(node, 'message')
      if (message !== undefined && (isRefusal || isFailure)) this.#add(message)
    }
    ts.forEachChild(node, child => {
      this.#visit(child)
    })
  }

  /** Adds every text that a function returns, or that is anywhere in the value of a constant. */
  #hold(name: string): void {
    const [file = '', declared = ''] = name.split(' ')
    const source = this.#files.get(file)
    const callable = this.#callables.get(name)
    if (callable !== undefined) {
      for (const given of this.#returned(callable.node)) this.#add(given)
      return
    }
    const texts = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) this.#add(node)
      ts.forEachChild(node, texts)
    }
    const visit = (node: ts.Node): boolean => {
      if (ts.isVariableDeclaration(node) && nameOf(node.name) === declared && node.initializer !== undefined) {
        texts(node.initializer)
        return true
      }
      return ts.forEachChild(node, child => visit(child) || undefined) ?? false
    }
    if (source === undefined || !visit(source)) throw new Error(`There is no constant ${name}.`)
  }

  #add(given: ts.Expression, isPart = false): void {
    const source = given.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(given.getStart())
    for (const text of this.#textsOf(given, 0, isPart ? 'part' : 'whole'))
      if (/[a-z]{2}/.test(text)) this.#found.set(text, { text, at: `${source.fileName}:${line + 1}`, isPart })
  }

  #returned(node: ts.SignatureDeclaration): readonly ts.Expression[] {
    const body = 'body' in node ? node.body : undefined
    if (body === undefined) return []
    if (!ts.isBlock(body)) return [body]
    const found: ts.Expression[] = []
    const visit = (inner: ts.Node): void => {
      if (ts.isFunctionLike(inner)) return
      if (ts.isReturnStatement(inner) && inner.expression !== undefined) found.push(inner.expression)
      ts.forEachChild(inner, visit)
    }
    ts.forEachChild(body, visit)
    return found
  }

  /** Returns the texts that an expression may be. One that is a parameter makes its function receive a message. */
  #textsOf(given: ts.Expression, depth = 0, kind?: 'whole' | 'part'): readonly string[] {
    const node = bare(given)
    if (depth > 8) return []
    const texts = (inner: ts.Expression): readonly string[] => this.#textsOf(inner, depth + 1, kind)
    if (ts.isStringLiteralLike(node)) return [node.text]
    if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)]
    if (ts.isBinaryExpression(node) && [ts.SyntaxKind.QuestionQuestionToken].includes(node.operatorToken.kind))
      return [...texts(node.left), ...texts(node.right)]
    if (ts.isTemplateExpression(node)) {
      let made: readonly string[] = [node.head.text]
      for (const { expression, literal } of node.templateSpans) {
        const isQuoted = made[0]?.endsWith('`') === true && literal.text.startsWith('`')
        const values = this.#valuesOf(expression, depth, isQuoted ? undefined : kind)
        made = made.flatMap(before => values.map(value => `${before}${value}${literal.text}`))
      }
      // A value and one right after it are one.
      return made.map(text => text.replaceAll('{}{}', '{}'))
    }
    if (ts.isCallExpression(node)) {
      const target = this.#called(node)
      return target === undefined ? [] : this.#returned(target.node).flatMap(texts)
    }
    return ts.isIdentifier(node) ? this.#namedTexts(node, depth, kind) : []
  }

  /** Returns what may be in the place of a value: a text with words of its own, else `{}`. */
  #valuesOf(expression: ts.Expression, depth: number, kind?: 'whole' | 'part'): readonly string[] {
    const node = bare(expression)
    if (kind === 'whole' && ts.isIdentifier(node)) this.#namedTexts(node, 0, 'part')
    const isChoice = ts.isConditionalExpression(node)
    const constant = ts.isIdentifier(node) ? this.#constantOf(node) : undefined
    const texts = isChoice || constant !== undefined ? this.#textsOf(constant ?? node, depth + 1) : []
    return texts.length > 0 && texts.every(text => /[a-z]{2}/i.test(text) || /\{\}/.test(text)) ? texts : ['{}']
  }

  /** Returns the value of the constant that a name means, where it is declared in a block around it. */
  #constantOf(name: ts.Identifier): ts.Expression | undefined {
    for (let at: ts.Node = name.parent; ; at = at.parent) {
      if (ts.isFunctionLike(at) && at.parameters.some(({ name: own }) => nameOf(own) === name.text)) return undefined
      if (ts.isBlock(at) || ts.isSourceFile(at))
        for (const statement of at.statements)
          if (ts.isVariableStatement(statement))
            for (const { name: own, initializer } of statement.declarationList.declarations)
              if (nameOf(own) === name.text && initializer !== undefined) return initializer
      if (ts.isSourceFile(at)) return undefined
    }
  }

  #namedTexts(name: ts.Identifier, depth: number, kind?: 'whole' | 'part'): readonly string[] {
    for (let at: ts.Node = name.parent; !ts.isSourceFile(at); at = at.parent) {
      if (!ts.isFunctionLike(at)) continue
      const place = at.parameters.findIndex(({ name: own }) => nameOf(own) === name.text)
      if (place === -1) continue
      if (kind !== undefined) this.#mark(kind, at, place)
      const { initializer } = at.parameters[place] ?? {}
      return initializer === undefined ? [] : this.#textsOf(initializer, depth + 1)
    }
    const constant = this.#constantOf(name)
    return constant === undefined ? [] : this.#textsOf(constant, depth + 1)
  }
}
