type IssueCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_field'
  | 'unsupported_value'
  | 'too_long'
  | 'too_many'
  | 'control_character'
  | 'invalid_format'

/** What is wrong with a member; `path` joins names and positions with dots. */
export type StatementIssue = Readonly<{ path: string; code: IssueCode; message: string }>

/** Gathers the mistakes of one statement. */
export class Issues {
  readonly list: StatementIssue[] = []

  /** Notes a mistake; null replaces the value that cannot be used. */
  add(path: string, code: IssueCode, message: string): null {
    this.list.push({ path, code, message })
    return null
  }
}
