/** How a value breaks a schema, in the words of this project. */
export type IssueRule =
  'unknown-key' | 'missing' | 'type' | 'enum' | 'const' | 'pattern' | 'length' | 'range' | 'format' | 'unique' | 'other'

/** One way in which a value breaks its schema. Plain data, for a contributor's file as for a caller's request. */
export type Issue = Readonly<{
  /**
   * Where: the tokens of a JSON pointer. For `missing` the object that lacks the key; for `unknown-key` the key itself.
   */
  pointer: readonly (string | number)[]
  on: 'key' | 'value'
  rule: IssueRule
  /** A sentence that names the field in backticks. */
  message: string
  /** Allowed values (`enum`, `const`), or the keys the object may have (`unknown-key`). */
  allowed?: readonly unknown[]
  /** The key that is missing or unknown. */
  key?: string
  /** What the schema says about the value, where it says something. */
  description?: string
}>

/** What a sentence calls the place of an issue: the path of names, list positions in brackets. */
export function nameOfPlace(pointer: Issue['pointer']): string {
  const name = pointer.reduce<string>(
    (path, token) => (typeof token === 'number' ? `${path}[${token}]` : path === '' ? token : `${path}.${token}`),
    ''
  )
  return name === '' ? 'The value' : `\`${name}\``
}
