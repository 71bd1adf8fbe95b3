import type { Partner } from '../../../surfaces/playful/partner-gallery.ts'

export const partner: Partner = {
  id: 'partner-gallery',
  name: 'The Other Gallery',
  canonical_url: 'https://gallery.example',
  feed_url: 'https://gallery.example/feed.json',
  source_ids: ['other-gallery', 'other-archive']
}

type Members = Record<string, unknown>

export const pieceOf = (id: string, change: Members = {}): Members => ({
  id,
  source: { id: 'other-gallery' },
  canonical_url: `https://gallery.example/api/art/${encodeURIComponent(id)}`,
  content_hash: `sha256:${'a'.repeat(64)}`,
  creator: { name: 'a program', type: 'software', human_creator: null, verified: false, note: '' },
  creation: {
    method: 'procedural-template',
    created_at: null,
    timestamp_status: 'missing-or-invalid',
    trace_status: 'project-generated',
    note: ''
  },
  rights: {
    status: 'declared',
    public_domain: null,
    license: null,
    license_verified: false,
    credit: 'The Other Gallery',
    reusable: null,
    reuse_with_attribution: null,
    permissions: { view: true, directory_display: true, remix: null, commercial_use: null, machine_learning: false },
    note: ''
  },
  ...change
})

export const feedOf = (
  change: Members = {},
  pieces: readonly Members[] = [pieceOf('one'), pieceOf('two/é', { source: { id: 'other-archive' } })]
): Members => ({
  schema: 'partner-gallery.feed/1',
  feed: 'recent',
  source: { id: 'other-gallery', name: 'The Other Gallery', canonical_url: 'https://gallery.example' },
  source_state: 'origin-read',
  generated_at: '2026-11-20T10:00:00Z',
  as_of: '2026-11-20T11:00:00+02:00',
  updated: '2026-11-19T00:00:00Z',
  count: pieces.length,
  limit: 50,
  pieces,
  ...change
})
