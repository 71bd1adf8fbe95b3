// @ts-check
import { notFound, reply, SurfaceError, Type } from 'pantry/handler'
import { defineHandler } from '../services.js'

const Incident = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    severity: Type.String(),
    is_open: Type.Boolean(),
    opened_at: Type.String(),
    closed_at: Type.Union([Type.String(), Type.Null()]),
    remedy: Type.Union([Type.String(), Type.Null()])
  },
  { additionalProperties: false }
)
const Reply = Type.Object({ incident: Incident }, { additionalProperties: false })
const columns = ['id', 'title', 'severity', 'is_open', 'opened_at', 'closed_at', 'remedy']

export const post = defineHandler({
  body: {
    schema: Type.Object(
      {
        title: Type.String({ minLength: 5, maxLength: 120, description: 'What is broken.' }),
        severity: Type.Union([Type.Literal('minor'), Type.Literal('major')])
      },
      { additionalProperties: false }
    ),
    limitBytes: 2048
  },
  // A client that got no answer sends the same key again: `change` keeps the answer with the row.
  idempotency: { key: 'optional' },
  reply: Reply,
  // The row and the message come in one transaction: nothing is told that did not happen.
  handle: async ({ body }, { database, webhooks }) =>
    database.change(async transaction => {
      const [incident] = await transaction('incidents').insert(body).returning(columns)
      await webhooks.tell(transaction, 'incident.opened', { id: incident.id, ...body })
      return reply({ incident }, { status: 201 })
    })
})

const texts = { incident: 'incident', closed: 'This incident has been closed before.' }

export const closePost = defineHandler({
  texts,
  params: Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Number of the incident.' }) }),
  body: {
    schema: Type.Object(
      { remedy: Type.String({ minLength: 3, maxLength: 500, description: 'What helped.' }) },
      { additionalProperties: false }
    ),
    limitBytes: 2048
  },
  reply: Reply,
  handle: async ({ params: { id }, body: { remedy } }, { database, webhooks }) =>
    database.knex.transaction(async transaction => {
      const found = await transaction('incidents').where({ id }).forUpdate().first('is_open')
      if (found === undefined) throw notFound(texts.incident, id)
      if (!found.is_open) throw new SurfaceError({ code: 'ALREADY_CLOSED' }, texts.closed)
      const [incident] = await transaction('incidents')
        .where({ id })
        .update({ closed_at: transaction.fn.now(), remedy })
        .returning(columns)
      await webhooks.tell(transaction, 'incident.closed', { id: incident.id, remedy })
      return reply({ incident })
    })
})
