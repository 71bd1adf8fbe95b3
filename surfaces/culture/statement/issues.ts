type IssueCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_field'
  | 'unsupported_value'
  | 'too_long'
  | 'too_many'
  | 'control_character'
  | 'invalid_format'

/** A mistake in a member; `path` joins names and positions by dots. */
export type StatementIssue = Readonly<{ path: string; code: IssueCode; message: string }>

/** Collects the mistakes in one statement. */
export class Issues {
  readonly list: StatementIssue[] = []

  /** Adds a mistake; returns null as the replacement for the invalid value. */
  add(path: string, code: IssueCode, message: string): null {
    this.list.push({ path, code, message })
    return null
  }
}
