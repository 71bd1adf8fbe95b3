// @ts-check
import { defineForm, definePage, h, Table, Type } from 'pantry/page'

const Incident = Type.Object({
  title: Type.String(),
  severity: Type.String(),
  is_open: Type.Boolean(),
  opened_at: Type.String()
})

export default definePage({
  shows: { log: Type.Object({ incidents: Type.Array(Incident) }) },
  forms: {
    report: defineForm({
      title: 'The incident was not opened',
      fields: Type.Object({ title: Type.String(), severity: Type.String() })
    })
  },
  texts: {
    title: 'Incidents',
    newest: 'The newest first',
    what: 'What',
    severity: 'Severity',
    since: 'Since',
    now: 'Now',
    open: 'open',
    closed: 'closed',
    minor: 'minor',
    major: 'major',
    whatIsBroken: 'What is broken?',
    howBadly: 'How badly?',
    report: 'Report'
  },
  view: ({ shown: { log }, texts }) => ({
    title: texts.title,
    main: h(
      'div',
      null,
      Table({
        caption: texts.newest,
        columns: [
          { head: texts.what, cell: incident => incident.title },
          { head: texts.severity, cell: incident => (incident.severity === 'major' ? texts.major : texts.minor) },
          { head: texts.since, cell: incident => incident.opened_at },
          { head: texts.now, cell: incident => (incident.is_open ? texts.open : texts.closed) }
        ],
        rows: log.incidents
      }),
      h(
        'form',
        { method: 'post' },
        h('label', null, `${texts.whatIsBroken} `, h('input', { name: 'title', required: true, minlength: 5 })),
        h(
          'label',
          null,
          `${texts.howBadly} `,
          h(
            'select',
            { name: 'severity' },
            h('option', { value: 'minor' }, texts.minor),
            h('option', { value: 'major' }, texts.major)
          )
        ),
        h('button', { type: 'submit' }, texts.report)
      )
    )
  })
})
