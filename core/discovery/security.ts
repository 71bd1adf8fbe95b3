import { Type } from '../canonical/type.ts'
import { defineDocument } from './define.ts'
import { absolute, pathTo } from './pointers.ts'

const validDays = 300
const dayMs = 86_400_000

/**
 * Builds security.txt, the contact for security reports (RFC 9116). `Expires` is the start of the UTC day in 300 days,
 * because it should be less than a year ahead (section 2.5.5). `Canonical` must begin with `https://` (section 2.5.2),
 * so a service without TLS has none.
 */
export const security = defineDocument(Type.String())({
  live: true,
  build: (registry, _request, { now }) => {
    const expires = new Date((Math.floor(now.getTime() / dayMs) + validDays) * dayMs)
    const canonical = pathTo(registry, 'security')
    return [
      `Contact: mailto:${registry.service.contact.email}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      ...(canonical === null || !registry.service.base_url.startsWith('https://')
        ? []
        : [`Canonical: ${absolute(registry, canonical)}`]),
      ''
    ].join('\n')
  }
})
