// test: slow.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { withoutStamps } from '../support/same-answers.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const {
  services: { people, keys }
} = openAccounts(database, 'http://127.0.0.1:8080')
const { url: baseUrl } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const file = join(packageFolder, 'test/promises/transcripts/scout.json')

type Said = Readonly<{ isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> }>

/** What is another one in each run: times, ids that the database draws, and what is counted from the clock. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    withoutStamps(JSON.stringify(value))
      .replaceAll('SECONDS', '"unix_epoch_seconds":"SECONDS"')
      .replaceAll('SELF', '"@self_hash":"SELF"')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
      .replaceAll(/"(age_hours|oldest_hours|hours)":[\d.]+/g, '"$1":"HOURS"')
  )

t.test(
  'an agent finds a card, compares two printings, validates a deck and contributes the note of a scout, word for word',
  async t => {
    const person = (await people.add('scout-keeper', [])).id
    const { key } = await keys.create({
      kind: 'agent',
      name: 'Scout',
      contact: 'scout@example.org',
      scopes: ['read', 'hunt'],
      person
    })
    const client = new Client({ name: 'scout', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/api/mcp', baseUrl), {
        requestInit: { headers: { Authorization: `Bearer ${key}` } }
      })
    )
    t.teardown(async () => {
      await client.close()
    })
    const transcript: unknown[] = [
      { instructions: client.getInstructions(), tools: (await client.listTools()).tools.map(({ name }) => name) }
    ]
    const use = async (tool: string, given: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const {
        isError = false,
        structuredContent,
        content
      } = (await client.callTool({ name: tool, arguments: given })) as Said
      transcript.push(masked({ tool, arguments: given, isError, answer: structuredContent ?? content }))
      return structuredContent ?? {}
    }

    // It does not know the number, and begins with the name.
    const { data } = (await use('get_search_names', { q: 'Nami', game: 'op', limit: 2 })) as {
      data: { matches: { sku: string }[] }
    }
    t.ok(data.matches[0]?.sku)
    for (const sku of ['op-op01-016-en', 'op-op01-016-en-p1'])
      await use('get_universal_card', {
        sku,
        fields: 'name,card_number,set_code,variant,rarity,attributes,price,image_url'
      })
    await use('post_play_deck_validate', {
      body: { leader_id: 'OP01-001', main_deck_card_ids: ['OP01-016', 'OP01-033'], format: 'legacy' }
    })
    // What it does wrong, it is told.
    await use('post_play_deck_validate', { body: { leader_id: 'OP01-001', format: 'modern' } })
    await use('find_surfaces', { q: 'deck rules' })
    const { data: board } = (await use('coverage_hunt_list', { limit: 1 })) as {
      data: { candidates: { candidate_id: string }[] }
    }
    const note = {
      role: 'scout',
      claim: 'gap_present',
      note: 'The publisher lists this set, and the catalogue has no card of it.',
      evidence: [{ kind: 'publisher-page', url: 'https://example.org/sets' }]
    }
    const { data: opened } = (await use('coverage_hunt_contribute', {
      body: { candidate_id: board.candidates[0]?.candidate_id, client_request_id: 'note-1', submission: note }
    })) as { data: { status: string } }
    t.equal(opened.status, 'checking')
    await use('coverage_hunt_my_cases', {})

    const text = `${JSON.stringify(transcript, null, 1)}\n`
    if (process.env['UPDATE'] === '1') writeFileSync(file, text)
    t.same(
      JSON.parse(text),
      JSON.parse(readFileSync(file, 'utf8')),
      'run the test with UPDATE=1, and read what changed'
    )
  }
)
