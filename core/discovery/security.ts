import { Type } from '../canonical/type.ts'
import { defineDocument } from './define.ts'
import { absolute, pathTo } from './pointers.ts'

const validDays = 300
const dayMs = 86_400_000

/**
 * Contact for security reports (RFC 9116). `Expires` is computed: at the start of a UTC day less than a year ahead
 * (section 2.5.5). `Canonical` must begin with `https://` (section 2.5.2): a service that is reached without TLS has
 * none.
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
