import type { FaultCode } from './fault-texts.ts'

/**
 * A fault that an operator can correct. `message` says what is wrong and where, `fix` what to do, and `pantry explain`
 * tells more of the code.
 */
export class OperatorFault extends Error {
  override readonly name: string = 'OperatorFault'
  readonly code: FaultCode
  readonly fix: string

  constructor(code: FaultCode, message: string, fix: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.fix = fix
  }
}
