/** The target of a relation in `Link`; undefined if it is not there. */
export const linkTo = (headers: Headers, rel: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]

/**
 * Asks for a path and then for each next page that `Link` names, and returns the bodies. More than 50 pages are an
 * error: they do not end.
 */
export async function followNext(get: (path: string) => Promise<Response>, path: string): Promise<unknown[]> {
  const bodies: unknown[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    if (bodies.length === 50) throw new Error(`${path} has no last page.`)
    const answer: Response = await get(next)
    if (answer.status !== 200) throw new Error(`${next} answers ${answer.status}: ${await answer.text()}`)
    bodies.push(await answer.json())
    next = linkTo(answer.headers, 'next')
  }
  return bodies
}
