import { Type } from 'pantry/data'
import { accountSettings } from './people/settings.ts'

/** The settings of this service that an operator can change. */
const settings = Type.Object(
  {
    ...accountSettings.properties,
    drawsADay: Type.Integer({
      minimum: 0,
      maximum: 999_999_999,
      default: 10_000,
      description: 'How many draws may be begun in a day (UTC). All that were opened are kept for good.'
    })
  },
  {
    additionalProperties: false,
    if: { properties: { signUp: { enum: ['invite', 'open'] } } },
    then: { required: ['smtpUrl'] }
  }
)

export default settings
