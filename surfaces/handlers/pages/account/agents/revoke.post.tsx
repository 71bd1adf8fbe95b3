import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'

export default definePage({
  form: { fields: Type.Object({}, { additionalProperties: false }), limitBytes: 512, reply: Done, toBody: () => ({}) },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Revoke a key', main: <Refused reason={reason} back="/account/agents" /> }
      : { seeOther: '/account/agents' }
})
