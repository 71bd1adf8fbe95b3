/** The kind of schema rule that a value breaks. */
export type IssueRule =
  'unknown-key' | 'missing' | 'type' | 'enum' | 'const' | 'pattern' | 'length' | 'range' | 'format' | 'unique' | 'other'

/**
 * One way in which a value breaks its schema. It is plain data, used for contributors' files and for callers' requests.
 */
export type Issue = Readonly<{
  /**
   * Tokens of a JSON pointer to the place: for `missing`, the object that lacks the key; for `unknown-key`, the key
   * itself.
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
  /** The description of the value in the schema, if there is one. */
  description?: string
}>

/** Returns the name of a place for messages: the path of names, with list positions in brackets. */
export function nameOfPlace(pointer: Issue['pointer']): string {
  const name = pointer.reduce<string>(
    (path, token) => (typeof token === 'number' ? `${path}[${token}]` : path === '' ? token : `${path}.${token}`),
    ''
  )
  return name === '' ? 'The value' : `\`${name}\``
}
