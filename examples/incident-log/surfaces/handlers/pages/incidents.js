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
  view: ({ shown: { log } }) => ({
    title: 'Incidents',
    main: h(
      'div',
      null,
      Table({
        caption: 'The newest first',
        columns: [
          { head: 'What', cell: incident => incident.title },
          { head: 'Severity', cell: incident => incident.severity },
          { head: 'Since', cell: incident => incident.opened_at },
          { head: 'Now', cell: incident => (incident.is_open ? 'open' : 'closed') }
        ],
        rows: log.incidents
      }),
      h(
        'form',
        { method: 'post' },
        h('label', null, 'What is broken? ', h('input', { name: 'title', required: true, minlength: 5 })),
        h(
          'label',
          null,
          'How badly? ',
          h('select', { name: 'severity' }, h('option', null, 'minor'), h('option', null, 'major'))
        ),
        h('button', { type: 'submit' }, 'Report')
      )
    )
  })
})
