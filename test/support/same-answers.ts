import type { Served } from './serve-root.ts'

/** What differs between any two answers: when they were made, which request they are for, and what hashes that. */
export const withoutStamps = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/g, 'TIME')
    .replace(/req_[\w-]+/g, 'REQUEST')
    .replace(/"unix_epoch_seconds": ?\d+/g, 'SECONDS')
    .replace(/"@self_hash": ?"[0-9a-f]{64}"/g, 'SELF')
    .replace(/sha256:[0-9a-f]{64}/g, 'HASH')

export type Asked = Readonly<{ status: number; text: string }>

/** An answer without its stamps. Rejects when it does not come within the ten seconds after which a client gives up. */
export async function ask({ get }: Pick<Served, 'get'>, url: string): Promise<Asked> {
  const response = await get(url, { signal: AbortSignal.timeout(10_000) })
  return { status: response.status, text: withoutStamps(await response.text()) }
}
