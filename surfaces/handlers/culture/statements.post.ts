import { Type, reply, SurfaceError, Text, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { StatementBody, statementContract, StatementReceipt, statementReceipt } from '../../playful/statement.ts'
import { normaliseStatement } from '../../playful/normalise-statement.ts'

const maxIssues = 100

export default defineHandler({
  body: { schema: StatementBody, limitBytes: statementContract.limits.requestBytes },
  reply: Type.Object({
    '@kind': Type.Literal('answering-rhyme-reciprocity-statement-witness'),
    receipt: StatementReceipt,
    next_steps: Type.Object({ keep_receipt: Text, correction: Text, withdrawal: Text }),
    walking_past_is_honored: Type.Literal(true)
  }),
  handle({ body, path, now }, { relationRevisions }) {
    const normalised = normaliseStatement(body as JsonObject)
    if (!normalised.ok) {
      const { issues } = normalised
      throw new SurfaceError('INVALID_INPUT', `The statement cannot be taken: ${issues[0]?.message ?? ''}`, {
        details: {
          in: 'body',
          field: issues[0]?.path ?? '',
          statement_schema: statementContract.schema,
          issue_count: issues.length,
          issues: issues.slice(0, maxIssues)
        }
      })
    }
    return reply({
      '@kind': 'answering-rhyme-reciprocity-statement-witness',
      receipt: statementReceipt(normalised.statement, {
        current: relationRevisions.get(normalised.statement.relation_key) ?? null,
        endpoint: path,
        now
      }),
      next_steps: {
        keep_receipt: 'Keep this answer if you want to refer to it. It exists nowhere else.',
        correction:
          'A correction is a proposal. A curator has to look at it before a relation changes; send it to the contact of the service.',
        withdrawal:
          'A withdrawal changes nothing by itself. Nothing here can verify yet who may ask for it; the contact of the service can.'
      },
      walking_past_is_honored: true
    })
  }
})
