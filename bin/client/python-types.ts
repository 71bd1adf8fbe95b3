import { isObject, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'

const keywords =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self'.split(
    ' '
  )

/** Names that every function has already. */
const ownNames = ['body', 'headers']

/** Returns a name that Python takes: `from` becomes `from_`, `page-size` `page_size`. */
export function pythonName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)|^_+/, 'n_')
  return keywords.includes(name) || ownNames.includes(name) ? `${name}_` : name
}

const isPlain = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !keywords.includes(name)
/** Returns the name of a class: `get_book` becomes `GetBook`. */
export const classWords = (text: string): string =>
  text
    .replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, first: string) => first.toUpperCase())
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replace(/^(?=\d|$)/, 'N')

/** Writes a text as Python does. */
export const pythonText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

function literal(value: JsonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`
  if (typeof value === 'string') return `Literal[${pythonText(value)}]`
  if (typeof value === 'number') return Number.isInteger(value) ? `Literal[${value}]` : 'float'
  return 'Any'
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)
const union = (types: readonly string[]): string =>
  types.includes('Any') ? 'Any' : [...new Set(types)].join(' | ') || 'Any'

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None'
}

/** Whether a schema is of an object with known members, and of nothing else. */
const isRecord = ({ type, properties, allOf, anyOf, oneOf }: JsonObject): boolean =>
  type === 'object' &&
  isObject(properties) &&
  Object.keys(properties).length > 0 &&
  [allOf, anyOf, oneOf].every(forms => forms === undefined)

/** Writes the types of schemas of OpenAPI 3.1 in Python: an object with known members is a TypedDict of its own. */
export class PythonTypes {
  readonly #made = new Map<string, string>()
  readonly #taken = new Set([
    'Any',
    'Client',
    'False',
    'Literal',
    'Mapping',
    'None',
    'ServiceError',
    'True',
    'TypedDict'
  ])
  readonly #schemas: ReadonlyMap<string, JsonValue>
  /** Types of the schemas that were named, and `Any` while one is written that names itself. */
  readonly #named = new Map<string, string>()

  /** `schemas`: those that others name. */
  constructor(schemas: Iterable<readonly [string, JsonValue]>) {
    this.#schemas = new Map(schemas)
  }

  /** The classes, in the order in which they were needed. */
  get text(): string {
    return [...this.#made.values()].join('\n\n')
  }

  #ofName(name: string): string {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const schema = this.#schemas.get(name)
    this.#named.set(name, 'Any')
    const own = classWords(name)
    const type =
      isObject(schema) && isRecord(schema)
        ? this.#record(schema, own, made => this.#named.set(name, made))
        : this.typeOf(schema, own)
    this.#named.set(name, type)
    return type
  }

  #free(wanted: string): string {
    let name = wanted
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`
    this.#taken.add(name)
    return name
  }

  #object(schema: JsonObject, wanted: string): string {
    if (isRecord(schema)) return this.#record(schema, wanted)
    const { additionalProperties: others } = schema
    return `dict[str, ${others === false ? 'Any' : this.typeOf(others, wanted)}]`
  }

  /** Writes a class and returns its name, which is told before its members are written. */
  #record({ properties, required }: JsonObject, wanted: string, tell?: (name: string) => void): string {
    const fields = Object.entries(isObject(properties) ? properties : {})
    const name = this.#free(wanted)
    tell?.(name)
    const needed = isList(required) ? required : []
    const typed = fields.map(([field, schema]) => {
      const type = this.typeOf(schema, `${name}${classWords(field)}`)
      return { field, type, isNeeded: needed.includes(field) }
    })
    const line = ({ field, type }: (typeof typed)[number]): string => `    ${field}: ${type}\n`
    if (!fields.every(([field]) => isPlain(field))) {
      const members = typed.map(({ field, type }) => `    ${pythonText(field)}: ${pythonText(type)},\n`).join('')
      this.#made.set(name, `${name} = TypedDict(${pythonText(name)}, {\n${members}}, total=False)\n`)
      return name
    }
    const [must, may] = [typed.filter(one => one.isNeeded), typed.filter(one => !one.isNeeded)]
    const base = must.length === 0 || may.length === 0 ? undefined : this.#free(`${name}Needed`)
    const head = base === undefined ? '' : `class ${base}(TypedDict):\n${must.map(line).join('')}\n\n`
    const own = base === undefined ? typed : may
    const from = base ?? 'TypedDict'
    const total = may.length === 0 ? '' : ', total=False'
    this.#made.set(name, `${head}class ${name}(${from}${total}):\n${own.map(line).join('')}`)
    return name
  }

  #ofType(type: JsonValue, schema: JsonObject, wanted: string): string {
    if (type === 'array') return `list[${this.typeOf(schema['items'], `${wanted}Item`)}]`
    if (type === 'object') return this.#object(schema, wanted)
    return typeof type === 'string' ? (scalars[type] ?? 'Any') : 'Any'
  }

  /** Returns the type of a schema. `wanted`: the name of the class that it may need. */
  typeOf(schema: JsonValue | undefined, wanted: string): string {
    if (!isObject(schema)) return 'Any'
    const { $ref: reference, const: fixed, enum: words, allOf, anyOf, oneOf, type } = schema
    if (typeof reference === 'string') return this.#ofName(reference.split('/').at(-1) ?? '')
    if (fixed !== undefined) return literal(fixed)
    if (isList(words)) return union(words.map(literal))
    if (isList(allOf)) return allOf.length === 1 ? this.typeOf(allOf[0], wanted) : 'Any'
    if (isList(type)) return union(type.map(one => this.#ofType(one, schema, wanted)))
    const forms = anyOf ?? oneOf
    if (type === undefined && isList(forms)) return union(forms.map(form => this.typeOf(form, wanted)))
    return this.#ofType(type ?? null, schema, wanted)
  }
}
