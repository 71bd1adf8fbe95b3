import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { holds, journey, type Started, type Travel } from './journey.ts'
import { serveCards } from './with-checkout.ts'
import { operate, signedIn } from './with-people.ts'

type Answer = Readonly<Record<string, unknown>>
type Match = Readonly<{ sku: string; name: string; card_number: string }>
type Sibling = Readonly<{ sku: string; variant_kind: string; variant_kind_reason: string }>
type Source = Readonly<{ id: string; redistribute: boolean; source_license: string; status: string }>
type Candidate = Readonly<{ candidate_id: string; where_to_look: readonly string[] }>
type Game = Readonly<{
  game: Readonly<{ sealed: string }>
  legal_actions: readonly Readonly<{ move: Readonly<{ type: string }> }>[]
  finished: boolean
  winner: string | null
}>
type Receipt = Readonly<{
  server_seed: string
  client_seed: string
  nonce: number
  commitment: string
  rates_digest: string
  result: object
}>

/** An agent calls a tool; `whole` has the answer as it came, also a refusal. */
type Agent = Readonly<{
  call: <T = Answer>(tool: string, given?: Answer) => Promise<T>
  refused: (tool: string, given?: Answer) => Promise<string>
  tools: () => Promise<readonly string[]>
  characters: () => number
}>

/** The official client, with a key. Nothing but the protocol is used. */
async function agentOf({ finally: last }: Travel, { url }: Started, key: string): Promise<Agent> {
  const client = new Client({ name: 'journey', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/api/mcp', url), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } }
    })
  )
  last(() => client.close())
  let read = 0
  async function ask(name: string, given: Answer): Promise<Readonly<{ text: string; isError: boolean }>> {
    const { content, isError = false } = (await client.callTool({ name, arguments: given })) as {
      content: { text: string }[]
      isError?: boolean
    }
    const text = content.map(part => part.text).join('')
    read += text.length
    return { text, isError }
  }
  return {
    call: async <T>(name: string, given: Answer = {}) => {
      const { text, isError } = await ask(name, given)
      holds(!isError, `${name} answers, and does not say ${text.slice(0, 400)}`)
      return JSON.parse(text) as T
    },
    refused: async (name, given = {}) => {
      const { text, isError } = await ask(name, given)
      holds(isError, `${name} is refused, and does not say ${text.slice(0, 400)}`)
      return text
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    characters: () => read
  }
}

/** A tool that is not listed is found by words, and called by its name. */
const surface = async <T = Answer>({ call }: Agent, words: string, name: string, given: Answer = {}): Promise<T> => {
  const { surfaces } = await call<{ surfaces: { name: string }[] }>('find_surfaces', { q: words })
  holds(
    surfaces.some(one => one.name === name),
    `\`${words}\` finds ${name}`
  )
  return await call<T>('call_surface', { name, arguments: given })
}

/** Ten tasks with nothing but the tools of the protocol. */
export default journey('agent', 'does ten tasks with the tools of the Model Context Protocol alone', async travel => {
  const { step, todo, knows } = travel
  const service = await step('the service is there', async () => await serveCards(travel))
  const key = await step('a person makes a key for it', async () => {
    const { ada } = await signedIn(travel, service, ['ada'])
    const {
      data: {
        key,
        made: { id }
      }
    } = await ada.json<{ data: { key: string; made: { id: string } } }>('/api/v1/account/keys', {
      body: { name: 'Ten tasks', contact: 'ada@example.org' }
    })
    return { key, id }
  })
  knows(
    'that a match of forty moves needs more than the 30 requests a minute of a new key; the operator grants them, and the Hunt'
  )
  const others = await step('the operator grants it more, and two others take part', async () => {
    await operate(travel, `keys tier ${key.id} --tier partner`)
    await operate(travel, `keys scopes ${key.id} --scope read hunt`)
    const keys: string[] = []
    for (const name of ['bob', 'cyd']) {
      await operate(travel, `people add ${name}`)
      keys.push(
        await operate(
          travel,
          `keys create --name ${name} --contact ${name}@example.org --person ${name} --scope read hunt`
        )
      )
    }
    return keys
  })
  const agent = await step('connects, and sees its tools', async () => {
    const agent = await agentOf(travel, service, key.key)
    holds((await agent.tools()).includes('find_surfaces'), 'what is no tool of its own can be found')
    return agent
  })
  const { call, refused } = agent

  const card = await step('1. finds the card that is meant by a part of its name', async () => {
    const { data } = await call<{ data: { matches: readonly Match[] } }>('get_search_names', {
      q: 'luffy',
      game: 'op',
      'attribute.category': 'leader',
      'attribute.colours': 'Red'
    })
    const found = data.matches.find(({ card_number: number }) => number === 'OP01-003')
    holds(found?.name === 'Monkey.D.Luffy', 'the leader of the first set is found')
    return found
  })
  const {
    data: {
      matches: [first]
    }
  } = await call<{ data: { matches: readonly Match[] } }>('get_search_names', { q: 'luffy', game: 'op', limit: 1 })
  if (first?.name !== 'Monkey.D.Luffy')
    todo(
      '1. has the card that most people mean as the first',
      `\`luffy\` answers ${first?.name ?? 'nothing'} first, by how names begin; Monkey.D.Luffy has hundreds of printings.`
    )

  const unlike = await step('2. compares its printings', async () => {
    const {
      data: { siblings }
    } = await call<{ data: { siblings: readonly Sibling[] } }>('get_cards_everything', { sku: card.sku })
    holds(
      siblings.length > 2 && siblings.every(({ variant_kind_reason: reason }) => reason.length > 10),
      'each printing says how it differs'
    )
    return siblings
  })
  const alike = unlike.filter(({ variant_kind_reason: reason }) => reason.includes('No source says how it differs'))
  if (alike.length > 0)
    todo(
      '2. says what differs',
      `Of ${alike.map(({ sku }) => sku).join(' and ')} the answer is that no source says how it differs.`
    )

  await step('3. names the sources that may be passed on, and under which license', async () => {
    const {
      data: { sources }
    } = await call<{ data: { sources: readonly Source[] } }>('get_sources_registry', {
      fields: 'id,source_license,status,redistribute'
    })
    holds(
      sources.length > 20 && sources.every(({ source_license: license }) => license.length > 2),
      'each source says its license'
    )
    holds(
      sources.filter(({ redistribute }) => redistribute).every(({ status }) => status === 'wired'),
      'nothing that may not be read is said to be free'
    )
  })
  todo('3. asks for those alone', 'No tool filters sources by license: the whole list is read.')

  await step('4. contributes to the Coverage Hunt: a case is opened, checked and mirrored by three', async () => {
    const [checker, mirror] = await Promise.all(others.map(async other => await agentOf(travel, service, other)))
    const {
      data: { candidates }
    } = await call<{ data: { candidates: readonly Candidate[] } }>('coverage_hunt_list', { limit: 3 })
    const [candidate] = candidates
    holds(candidate && checker && mirror, 'there is a candidate')
    const [, url] = candidate.where_to_look.map(line => /(https:\S+)/.exec(line)).find(found => found !== null) ?? []
    type Turn = { data: { case_id: string; status: string } }
    const {
      data: { case_id: id }
    } = await call<Turn>('coverage_hunt_contribute', {
      body: {
        candidate_id: candidate.candidate_id,
        client_request_id: 'one',
        submission: { role: 'scout', claim: 'gap_present', evidence: [{ kind: 'publisher-page', url }] }
      }
    })
    await checker.call('coverage_hunt_contribute', {
      body: { case_id: id, client_request_id: 'two', submission: { role: 'checker', verdict: 'support' } }
    })
    const {
      data: { status }
    } = await mirror.call<Turn>('coverage_hunt_contribute', {
      body: {
        case_id: id,
        client_request_id: 'three',
        submission: { role: 'mirror', lanes: { facts: ['The page lists the set.'], unknowns: ['Since when.'] } }
      }
    })
    holds(status === 'ready_for_human', 'a person decides now')
    holds(JSON.stringify(await call('coverage_hunt_my_cases')).includes(id), 'the case is among its own')
  })
  await step('4. is told of evidence that may not be cited, and why', async () => {
    const {
      data: { candidates }
    } = await call<{ data: { candidates: readonly Candidate[] } }>('coverage_hunt_list', { limit: 3 })
    const body = {
      candidate_id: candidates[1]?.candidate_id,
      client_request_id: 'four',
      submission: {
        role: 'scout',
        claim: 'gap_present',
        evidence: [{ kind: 'publisher-page', url: 'http://example.org/sets' }]
      }
    }
    holds(/evidence.*url/.test(await refused('coverage_hunt_contribute', { body })), 'the field is named')
  })

  const copied = await step('5. plays a practice match to its end', async () => {
    const before = agent.characters()
    let game = await call<Game>('post_play_practice', {
      body: { op: 'new', starter_id: 'st-01-red-luffy', level: 'easy', goes_first: 'you', seed: 'harbour' }
    })
    let moves = 0
    for (; !game.finished && moves < 300; moves += 1) {
      const move = game.legal_actions.find(({ move: { type } }) => type !== 'concede')?.move
      holds(move, 'there is a legal move')
      game = await call<Game>('post_play_practice', { body: { op: 'move', game: { sealed: game.game.sealed }, move } })
    }
    holds(game.finished && game.winner, `the match has an end after ${moves} moves`)
    return `Each of ${moves} moves copies ${game.game.sealed.length} random characters without an error, and the match is ${agent.characters() - before} characters to read.`
  })
  todo('5. does so as a language model does, which writes each letter itself', copied)

  await step('6. has a meeting witnessed, and can compute the hash', async () => {
    const answer = await surface<{ data: Answer }>(agent, 'witness encounter', 'post_witness_encounter', {
      body: { seer_label: 'an agent', seen_label: 'a collector' }
    })
    holds(/"[0-9a-f]{64}"/.test(JSON.stringify(answer.data)), 'there is a receipt with a hash')
  })

  knows('which tool stands behind a link of an answer: answers link to addresses, and tools have names')
  await step('7. begins a draw, opens it with a seed of its own, and has it computed again', async () => {
    const { data: begun } = await surface<{ data: { id: string; commitment: string; rates_digest: string } }>(
      agent,
      'draw',
      'post_proofs_draws',
      { body: { set: 'a1' } }
    )
    const {
      data: { receipt }
    } = await surface<{ data: { receipt: Receipt } }>(agent, 'draw', 'post_proofs_draws_open', {
      id: begun.id,
      body: { client_seed: 'ab'.repeat(32) }
    })
    holds(receipt.commitment === begun.commitment, 'the commitment is the one that was told before')
    const { data: rates } = await surface<{ data: Answer }>(agent, 'verify', 'get_proofs_rates', {
      digest: begun.rates_digest
    })
    const { server_seed: server, client_seed: own, nonce, commitment, rates_digest: digest, result } = receipt
    const { data: computed } = await surface<{ data: { all_hold?: boolean; result: object } }>(
      agent,
      'compute',
      'post_proofs_compute',
      { body: { server_seed: server, client_seed: own, nonce, rates, commitment, rates_digest: digest, result } }
    )
    holds(computed.all_hold, `all holds: ${JSON.stringify(computed)}`)
  })

  await step('8. and 9. learns that a key neither sells nor bids, and reads what is offered', async () => {
    const { data } = await surface<{ data?: Answer } & Answer>(agent, 'auctions', 'get_market_auctions')
    holds(data === undefined || typeof data === 'object', 'the offers are read')
    holds(
      (await refused('call_surface', { name: 'post_market_auctions', arguments: {} })).includes('There is no surface'),
      'it cannot be called'
    )
  })
  const sell = await call<{ total: number }>('find_surfaces', { q: 'sell card' })
  if (sell.total === 0)
    todo(
      '8. and 9. sends a person who wants to sell or bid to the right page',
      '`find_surfaces` with `sell card` or `place a bid` finds nothing, and nothing says that a person does it under /account.'
    )

  await step('10. reads what changed since yesterday', async () => {
    const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const { data } = await surface<{ data: { entries: readonly { id: string; date: string; summary: string }[] } }>(
      agent,
      'changelog',
      'get_changelog',
      { since, fields: 'id,date,impact,summary' }
    )
    holds(
      data.entries.every(({ date, summary }) => date >= since && summary.length > 10),
      'nothing older is among it'
    )
  })
})
