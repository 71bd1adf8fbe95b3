import type { Page } from 'playwright-core'
import { noBrowser, openBrowser } from '../support/chromium.ts'
import { waysOf } from '../support/read-forms.ts'
import { holds, type Travel } from './journey.ts'

/**
 * What is asked beside the path: a body makes it a POST; `status` is the one that is expected, 200 where none is given.
 */
type Asked = Readonly<{ body?: unknown; method?: string; status?: number; headers?: Readonly<Record<string, string>> }>

export type Visitor = Readonly<{
  /** Asks for JSON, as a program does, and answers with what was read. */
  json: <T = Readonly<Record<string, unknown>>>(path: string, asked?: Asked) => Promise<T>
  /** Reads a page without scripts: its HTML. */
  read: (path: string, status?: number) => Promise<string>
  /**
   * Opens a page, or stays on one, fills in a form with a button of that name and those fields, presses it, and answers
   * with the page that it leads to. Of several the one that holds those values already, as where each row has a form of
   * its own; else the first.
   */
  press: (
    at: string | Shown,
    button: string,
    fields?: Readonly<Record<string, string>>,
    status?: number
  ) => Promise<Shown>
}>

/** A page that somebody is on. */
type Shown = Readonly<{ path: string; html: string }>

/**
 * Somebody with a client of their own, who keeps what cookies they are given. Over http people sign in at `localhost`
 * alone.
 */
export function visitor({ url }: Readonly<{ url: string }>): Visitor {
  const origin = url.replace('127.0.0.1', 'localhost')
  const cookies = new Map<string, string>()
  async function send(
    path: string,
    accept: string,
    { method, body, headers }: Pick<RequestInit, 'method' | 'body'> & Pick<Asked, 'headers'> = {}
  ): Promise<Response> {
    const answer = await fetch(new URL(path, origin), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      headers: {
        Accept: accept,
        Origin: origin,
        ...(cookies.size === 0 ? {} : { Cookie: [...cookies].map(pair => pair.join('=')).join('; ') }),
        ...headers
      }
    })
    for (const [, name = '', value = ''] of answer.headers
      .getSetCookie()
      .map(cookie => /^([^=]+)=([^;]*)/.exec(cookie) ?? []))
      cookies.set(name, value)
    return answer
  }
  const textOf = async (answer: Response, what: string, status: number): Promise<string> => {
    const text = await answer.text()
    holds(answer.status === status, `${what} is ${status}, not ${answer.status}: ${wordsOf(text).slice(0, 600)}`)
    return text
  }
  return {
    json: async <T>(path: string, { body, method, status = 200, headers }: Asked = {}) => {
      const answer = await send(path, 'application/json', {
        ...(method === undefined ? {} : { method }),
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return JSON.parse(await textOf(answer, `${method ?? (body === undefined ? 'GET' : 'POST')} ${path}`, status)) as T
    },
    read: async (path, status = 200) => await textOf(await send(path, 'text/html'), path, status),
    press: async (at, button, fields = {}, status = 200) => {
      const { path, html } =
        typeof at === 'string' ? { path: at, html: await textOf(await send(at, 'text/html'), at, 200) } : at
      const ways = waysOf(html).filter(
        ({ label, fields: own }) => label === button && Object.keys(fields).every(name => name in own)
      )
      const way =
        ways.find(({ fields: own }) => Object.entries(fields).every(([name, value]) => own[name] === value)) ?? ways[0]
      holds(way, `${path} has a form with the button \`${button}\` and ${Object.keys(fields).join(', ')}`)
      const sent = await send(way.action, 'text/html', { body: new URLSearchParams({ ...way.fields, ...fields }) })
      const { pathname, search } = new URL(sent.headers.get('location') ?? way.action, new URL(way.action, origin))
      const led = sent.status === 303 ? await send(pathname + search, 'text/html') : sent
      return { path: pathname, html: await textOf(led, `\`${button}\` of ${path}`, status) }
    }
  }
}

/** The words of a page, as somebody reads them; of anything else all of it. */
export const wordsOf = (html: string): string =>
  (/<main\b.*<\/main>/s.exec(html)?.[0] ?? html)
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

/** A page of a real browser, closed with the journey; where there is none, a todo that says so. */
export async function browserPage(travel: Travel, what: string): Promise<Page | undefined> {
  if (noBrowser !== undefined) {
    travel.todo(what, noBrowser)
    return undefined
  }
  const browser = await openBrowser()
  travel.finally(() => browser.close())
  return await browser.newPage({ viewport: { width: 1024, height: 900 } })
}
