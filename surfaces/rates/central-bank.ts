import { readPublic } from '../outside/read-public.ts'
import { parseReferenceRates, type ReferenceRates } from './reference-rates.ts'

const site = 'https://www.ecb.europa.eu'

/** The addresses of the European Central Bank's reference rates and of its terms. */
export const centralBank = {
  url: `${site}/stats/eurofxref/eurofxref-daily.xml`,
  pageUrl: `${site}/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html`,
  policyUrl: `${site}/services/disclaimer/html/index.en.html`
}

/**
 * Reads the reference rates of the last working day. Rejects after 8 s, above 64 KiB, and when the response is not the
 * expected document.
 */
export async function readReferenceRates(url = centralBank.url): Promise<ReferenceRates> {
  const reading = await readPublic(url, { timeoutMs: 8_000, maxBytes: 65_536, accept: 'application/xml, text/xml' })
  if (reading.state !== 'read')
    throw new Error(
      reading.state === 'status' ? `The bank answered ${reading.status}.` : `The reading ended as \`${reading.state}\`.`
    )
  return parseReferenceRates(reading.text)
}
