import { definePage, Type } from 'pantry/page'
import { TrustSheet } from '../../../market/page/trust.tsx'
import { TrustShown, Username } from '../../../market/trust-of.ts'

export default definePage({
  params: Type.Object({ username: Username }),
  shows: { trust: TrustShown },
  view: ({ shown: { trust }, formToken }) => ({ title: `Trust in ${trust.username}`, main: <TrustSheet of={trust} token={formToken} /> })
})
